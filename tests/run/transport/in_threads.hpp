// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include <wf/run/transport/loopback.hpp>

/// Threads that stand for processes.
namespace in_threads {

/// Calls a function with the transport of each of a number of threads, and returns what they
/// return.
template <class F>
auto run(std::uint32_t ranks, F&& f) {
  using value = decltype(f(std::declval<wf::loopback&>()));
  wf::loopback_hub hub(ranks);
  std::vector<value> out(ranks);
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      wf::loopback carrier(hub, r);
      out[r] = f(carrier);
    });
  for (std::thread& t : threads) t.join();
  return out;
}

}  // namespace in_threads
