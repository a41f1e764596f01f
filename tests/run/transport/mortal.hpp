// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include <wf/run/transport/loopback.hpp>

// Threads that stand for processes, some of which die.
namespace mortal {

struct killed : std::exception {};

// Carries, and dies at one of its calls.
struct carrier {
  wf::loopback carries;
  int left = -1;

  std::uint32_t rank() const { return carries.rank(); }
  std::uint32_t ranks() const { return carries.ranks(); }
  void begin() { carries.begin(); }
  wf::result<wf::nothing> send(std::uint32_t rank, wf::table<std::uint8_t> bytes) {
    live();
    return carries.send(rank, std::move(bytes));
  }
  template <wf::transport_inbox Inbox>
  wf::result<bool> poll(Inbox& inbox) {
    live();
    return carries.poll(inbox);
  }
  void wait(std::int64_t time) { carries.wait(time); }
  wf::result<wf::nothing> finish() { return carries.finish(); }
  void live() {
    if (left == 0) throw killed();
    --left;
  }
};

// Calls `f(carrier)` in each of some threads, which dies at a number of its calls, or never (-1),
// or when f throws `killed`; returns by thread whether it has died.
template <class F>
std::vector<char> run(const std::vector<int>& calls, F&& f) {
  const auto ranks = static_cast<std::uint32_t>(calls.size());
  std::vector<char> died(ranks);
  wf::loopback_hub hub(ranks);
  std::vector<std::thread> threads;
  for (std::uint32_t r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      carrier here{wf::loopback(hub, r), calls[r]};
      try {
        f(here);
      } catch (const killed&) {
        died[r] = 1;
        hub.lose(r);
      }
    });
  for (std::thread& t : threads) t.join();
  return died;
}

}  // namespace mortal
