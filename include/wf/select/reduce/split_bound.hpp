// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/bound_parts.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/reduce/survey.hpp>

namespace wf::detail {

/// The power of two by which the split bound of a column scales its costs, so that integer division
/// loses little and the scaled totals stay in range. O(candidates).
constexpr std::int64_t split_scale(const reduced_selection& r, std::size_t column) {
  const std::int64_t* const own = r.column(column);
  std::int64_t total = 0, scale = 1;
  for (std::uint32_t k = 0; k < r.classes; ++k) {
    std::int64_t most = 0;
    for (std::uint32_t n = r.first[k]; n < r.first[k + 1]; ++n)
      if (most < own[n]) most = own[n];
    total += most;
  }
  while (scale < 256 && total <= largest_total / 4 / scale) scale *= 2;
  return scale;
}

/// The split bound on a sum: as the tree bound if nothing were disjoint, but each class's bound is
/// split evenly over the classes that can need it: a feasible solution of the dual of the linear
/// relaxation.
class selection_split_bound {
 public:
  /// The survey and the parts belong to the caller; the survey precedes each bound.
  constexpr selection_split_bound(const reduced_selection& reduced, const selection_survey& survey,
                                  bound_parts& parts)
      : r_(reduced), s_(survey), parts_(parts) {}

  /// The bound of all open classes together in the costs `own`, by candidate, times `scale`. Leaves
  /// its parts, scaled as well.
  constexpr std::int64_t total(const partial_selection& s, const std::int64_t* own,
                               std::int64_t scale) {
    for (const std::uint32_t k : s_.order) parts_.value[k] = 0;
    // From 0 upwards, any number of sweeps gives a bound.
    s_.each_component([&](std::size_t begin, std::size_t end) {
      for (int sweep = end - begin == 1 ? 1 : 3; sweep > 0; --sweep)
        for (std::size_t i = begin; i < end; ++i) renew_value(s, own, scale, s_.order[i]);
    });
    std::int64_t total = 0;
    for (const std::uint32_t k : s_.open) {
      parts_.contribution[k] = parts_.value[k];
      total = saturating_add(total, parts_.value[k]);
    }
    return total;
  }

  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// Recomputes the value of a class.
  constexpr void renew_value(const partial_selection& s, const std::int64_t* own,
                             std::int64_t scale, std::uint32_t k) {
    const std::uint32_t *const child = r_.child.data(), *const parents = s_.parents.data();
    const word* const visited = s_.visited.data();
    const std::int64_t* const value = parts_.value.data();
    std::int64_t least = unbounded;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
      if (!s.is_alive(n)) continue;
      std::int64_t all = own[n] * scale;
      const std::uint32_t end = r_.child_first[n + 1];
      for (std::uint32_t i = r_.child_first[n]; i < end; ++i, ++steps_) {
        const std::uint32_t c = child[i];
        if (!((visited[c >> 6] >> (c & 63)) & 1)) continue;
        all = saturating_add(all, value[c] / parents[c]);
      }
      parts_.candidate_value[n] = all;
      if (all < least) least = all;
    }
    parts_.value[k] = least < largest_total ? least : largest_total;
  }

  const reduced_selection& r_;
  const selection_survey& s_;
  bound_parts& parts_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
