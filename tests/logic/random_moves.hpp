// SPDX-License-Identifier: BSL-1.0
#pragma once

// Random moves between places, with and without weights, and what tests compare with them.

#include <cstdint>
#include <random>
#include <vector>

#include <wf/logic/evaluate/row_run.hpp>

namespace wf_test {

struct weighted_move {
  std::uint32_t from = 0, to = 0;
  double weight = 0;
};

// The moves by the place they start from, in the order of the list.
inline wf::logic::detail::adjacency adjacency_of(const std::vector<weighted_move>& moves,
                                                 std::size_t places, bool weights = false) {
  wf::logic::detail::adjacency out;
  out.starts.push_back(0);
  for (std::uint32_t p = 0; p < places; ++p) {
    for (const weighted_move& m : moves) {
      if (m.from != p) continue;
      out.targets.push_back(m.to);
      if (weights) out.weights.push_back(m.weight);
    }
    out.starts.push_back(static_cast<std::uint32_t>(out.targets.size()));
  }
  return out;
}

// Moves between random places, with whole weights of at least `least`, of which some are equal.
inline std::vector<weighted_move> random_moves(std::mt19937_64& random, std::size_t from,
                                               std::size_t to, std::size_t count, int least = 0,
                                               int most = 4) {
  std::vector<weighted_move> out;
  if (from == 0 || to == 0) return out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({static_cast<std::uint32_t>(random() % from),
                   static_cast<std::uint32_t>(random() % to),
                   static_cast<double>(std::uniform_int_distribution<int>(least, most)(random))});
  return out;
}

}  // namespace wf_test
