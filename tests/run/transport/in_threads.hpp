// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "on_ranks.hpp"

/// Threads that stand for processes.
namespace in_threads {

/// Calls a function with the transport of each of a number of threads, and returns what they
/// return.
template <class F>
auto run(std::uint32_t ranks, F&& f) {
  using value = decltype(f(std::declval<wf::loopback&>()));
  std::vector<value> out(ranks);
  wf_test::on_ranks(ranks, [&](std::uint32_t r, wf::loopback& carrier) { out[r] = f(carrier); });
  return out;
}

}  // namespace in_threads
