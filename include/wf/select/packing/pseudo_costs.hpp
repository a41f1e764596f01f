// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// Pseudo-costs (Bénichou et al. 1971): by value and side, how much the bound rose so far per unit
/// of share by which the side moved the value. Side 0 takes the value, side 1 drops it.
class pseudo_costs {
 public:
  constexpr explicit pseudo_costs(std::uint32_t values) {
    for (table<gain>& g : gain_) g = table<gain>(values);
  }

  /// The number of branchings and trials that are known of a side.
  constexpr std::int64_t count(int side, std::uint32_t v) const { return gain_[side][v].count; }
  /// The mean gain per unit of share, in whole numbers; 0 if none is known.
  constexpr std::int64_t mean(int side, std::uint32_t v) const {
    const gain& g = gain_[side][v];
    return g.count == 0 ? 0 : g.total / g.count;
  }
  /// The mean gain of a side over all values; 1 if none is known.
  constexpr double mean(int side) const {
    return known_[side] == 0 ? 1.0 : sum_[side] / static_cast<double>(known_[side]);
  }
  /// The mean gain per unit of share; `otherwise` if none is known.
  constexpr double rate(int side, std::uint32_t v, double otherwise) const {
    const gain& g = gain_[side][v];
    return g.count == 0 ? otherwise : static_cast<double>(g.total) / static_cast<double>(g.count);
  }
  /// Records the gain of a side that moved the share of a value by `distance`.
  constexpr void learn(std::uint32_t v, int side, double rise, double distance) {
    gain& g = gain_[side][v];
    rise /= distance < 1e-6 ? 1e-6 : distance;
    g.total += static_cast<std::int64_t>(rise < 1e15 ? rise : 1e15);
    ++g.count;
    sum_[side] += rise;
    ++known_[side];
  }

 private:
  struct gain {
    std::int64_t total = 0;
    std::int64_t count = 0;
  };

  table<gain> gain_[2];  ///< by side, then by value
  double sum_[2] = {0, 0};
  std::uint64_t known_[2] = {0, 0};
};

}  // namespace wf::detail
