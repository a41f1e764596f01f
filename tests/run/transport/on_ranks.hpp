// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <thread>
#include <vector>

#include <wf/run/transport/loopback.hpp>

namespace wf_test {

// Runs `each(rank, carrier)` on the threads of a hub, which stand for processes.
template <class Each>
void on_ranks(wf::loopback_hub& hub, Each&& each) {
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < hub.ranks(); ++r)
    threads.emplace_back([&, r] {
      wf::loopback carrier(hub, r);
      each(r, carrier);
    });
  for (std::thread& t : threads) t.join();
}
// On as many threads.
template <class Each>
void on_ranks(std::uint32_t ranks, Each&& each) {
  wf::loopback_hub hub(ranks);
  on_ranks(hub, each);
}

}  // namespace wf_test
