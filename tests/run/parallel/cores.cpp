// SPDX-License-Identifier: BSL-1.0
#include <wf/run/parallel/cores.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "thread_pool.hpp"

TEST_CASE("without a pool there is one thread") {
  constexpr wf::core_pool none;
  CHECK(!none.is_parallel());
  CHECK(none.as_team().size() == 1);
}

TEST_CASE("a pool of one thread is not parallel, one of more is") {
  wf_test::thread_pool one(1), three(3);
  CHECK(!wf::core_pool(one).is_parallel());
  CHECK(wf::core_pool(three).is_parallel());
  CHECK(wf::core_pool(three).as_team().size() == 3);
}
