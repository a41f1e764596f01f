// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "on_ranks.hpp"

// Threads that stand for processes, some of which die.
namespace mortal {

struct killed : std::exception {};

// Carries, and dies at one of its calls, or when it sends what `dies_at` tells.
struct carrier {
  wf::loopback carries;
  int left = -1;
  std::function<bool(wf::view<std::uint8_t>)> dies_at = {};

  std::uint32_t rank() const { return carries.rank(); }
  std::uint32_t ranks() const { return carries.ranks(); }
  void begin() { carries.begin(); }
  wf::result<wf::nothing> send(std::uint32_t rank, wf::table<std::uint8_t> bytes) {
    live();
    if (dies_at && dies_at(bytes)) throw killed();
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
  std::vector<char> died(calls.size());
  wf::loopback_hub hub(static_cast<std::uint32_t>(calls.size()));
  wf_test::on_ranks(hub, [&](std::uint32_t r, const wf::loopback& carries) {
    carrier here{carries, calls[r]};
    try {
      f(here);
    } catch (const killed&) {
      died[r] = 1;
      hub.lose(r);
    }
  });
  return died;
}

// By thread the number at which it dies, below `most`, or -1: never, which is so for one thread,
// and for one of `parts` of the others.
inline std::vector<int> deaths(std::mt19937& random, std::uint32_t ranks, std::uint32_t parts,
                               std::uint32_t most) {
  std::vector<int> out(ranks, -1);
  for (std::uint32_t r = 0; r + 1 < ranks; ++r)
    if (random() % parts != 0) out[r] = static_cast<int>(random() % most);
  std::swap(out[random() % ranks], out[ranks - 1]);
  return out;
}

}  // namespace mortal
