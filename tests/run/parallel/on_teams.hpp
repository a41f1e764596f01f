// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include "thread_pool.hpp"

namespace wf_test {

// Checks that a function gives equal results on teams of several sizes; returns that of one thread.
template <class F>
auto same_on_teams(F&& f) {
  const auto alone = f();
  for (const std::size_t threads : {2u, 3u, 8u}) {
    CAPTURE(threads);
    thread_pool pool(threads);
    const wf::compute::team_scope scope(wf::core_pool(pool).as_team());
    CHECK(f() == alone);
  }
  return alone;
}

}  // namespace wf_test
