// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include <wf/run/transport/loopback.hpp>

namespace wf_test {

// Runs `each(rank, carrier)` on as many threads, which stand for processes.
template <class Each>
void on_ranks(std::uint32_t ranks, Each&& each) {
  wf::loopback_hub hub(ranks);
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      wf::loopback carrier(hub, r);
      each(r, carrier);
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace wf_test
