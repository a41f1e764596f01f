// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/packing/cuts.hpp>

namespace wf::detail {

/// Chooses among the cuts that a solution of the linear relaxation violates: those that cut deepest
/// and overlap little.
class cut_chooser {
 public:
  /// Notices a cut if the shares of the values in the solution violate it deeply enough.
  constexpr void notice(packing_cut&& cut, const table<double>& share) {
    double used = 0, norm = 0;
    for (std::size_t i = 0; i < cut.value.size(); ++i) {
      used += cut.coefficient[i] * share[cut.value[i]];
      norm += static_cast<double>(cut.coefficient[i]) * cut.coefficient[i];
    }
    const double violation = used - static_cast<double>(cut.most);
    if (violation < least_violation || cut.most < 1 ||
        violation * violation < least_depth * least_depth * norm)
      return;
    const auto number = static_cast<std::uint32_t>(found_.size());
    found_.push({static_cast<packing_cut&&>(cut), violation * violation / norm, number});
  }

  /// Removes all cuts; returns the deepest ones, deepest first, such that none of the `values`
  /// occurs in more than `most_uses` of them.
  constexpr table<packing_cut> choose(std::uint32_t values) {
    table<packing_cut> out;
    uses_ = table<std::int32_t>(values);
    while (!found_.empty()) {
      scored_cut best = found_.pop();
      std::int32_t most = 0;
      for (const std::uint32_t v : best.cut.value)
        if (most < uses_[v]) most = uses_[v];
      if (most >= most_uses) continue;
      for (const std::uint32_t v : best.cut.value) ++uses_[v];
      out.push_back(static_cast<packing_cut&&>(best.cut));
    }
    return out;
  }

  static constexpr double least_violation = 0.02;

 private:
  static constexpr double least_depth = 0.02;   ///< violation / norm of the coefficients
  static constexpr std::int32_t most_uses = 4;  ///< bound on the cuts per value in a choice

  struct scored_cut {
    packing_cut cut;
    double depth = 0;  ///< squared distance of the solution from the hyperplane
    std::uint32_t number = 0;
  };
  struct deeper {
    constexpr bool operator()(const scored_cut& a, const scored_cut& b) const {
      return a.depth != b.depth ? a.depth > b.depth : a.number < b.number;
    }
  };

  table<std::int32_t> uses_;
  binary_heap<scored_cut, deeper> found_;
};

}  // namespace wf::detail
