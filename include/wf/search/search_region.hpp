// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// The maximum number of objectives of a Pareto front.
inline constexpr std::uint32_t max_objectives = 3;

/// The values of up to `max_objectives` objectives, all to be minimised; unused entries are 0.
struct objective_vector {
  /// The value of each objective, in the unit of that objective.
  std::int64_t values[max_objectives]{};

  /// The value of objective `i`.
  constexpr std::int64_t operator[](std::uint32_t i) const { return values[i]; }
  /// Mutable access to the value of objective `i`.
  constexpr std::int64_t& operator[](std::uint32_t i) { return values[i]; }
  /// True if every value is at most that of the other: weak dominance.
  constexpr bool no_worse_than(const objective_vector& other) const {
    for (std::uint32_t i = 0; i < max_objectives; ++i)
      if (values[i] > other.values[i]) return false;
    return true;
  }
  friend constexpr bool operator==(const objective_vector&, const objective_vector&) = default;
};

/// The integer vectors between two corners, both included; `unbounded` in `high` means no limit.
struct objective_box {
  /// The componentwise minimum.
  objective_vector low;
  /// The componentwise maximum.
  objective_vector high;

  /// True if it holds no vector.
  constexpr bool empty() const { return !low.no_worse_than(high); }
  /// True if it holds the vector.
  constexpr bool contains(const objective_vector& v) const {
    return low.no_worse_than(v) && v.no_worse_than(high);
  }
  friend constexpr bool operator==(const objective_box&, const objective_box&) = default;
};

/// The region that may hold further non-dominated integer vectors: the complement of what known
/// points dominate and of what is proven empty, as boxes that may overlap.
///
/// The upper corners are the local upper bounds of the points (Klamroth, Lacour and Vanderpooten,
/// "On the representation of the search region in multi-objective optimization", EJOR 2015): for n
/// points in general position there are n + 1 with two objectives and 2 n + 1 with three. The lower
/// corners come from proofs that no vector lies below some corner; a proof applies to all boxes,
/// including those split later.
class search_region {
 public:
  constexpr search_region() = default;
  /// The box from 0 to `most`, whose values may be `unbounded`.
  constexpr search_region(std::uint32_t objectives, const objective_vector& most)
      : objectives_(objectives) {
    open_.push_back({{}, most});
    for (std::uint32_t i = objectives; i < max_objectives; ++i) open_[0].high[i] = 0;
  }

  /// The remaining boxes; none is empty or inside another.
  constexpr const table<objective_box>& open() const { return open_; }

  /// Records a proof that no feasible vector is no worse than `most`. O(boxes + proofs).
  constexpr void exclude(const objective_vector& most) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < proofs_.size(); ++i) {
      if (most.no_worse_than(proofs_[i])) return;
      if (!proofs_[i].no_worse_than(most)) proofs_[kept++] = proofs_[i];
    }
    proofs_.resize(kept);
    proofs_.push_back(most);
    kept = 0;
    for (std::size_t i = 0; i < open_.size(); ++i)
      if (objective_box at = open_[i]; apply(most, at)) open_[kept++] = at;
    open_.resize(kept);
  }

  /// Removes all vectors that `point` dominates, itself included. O(split boxes · (boxes +
  /// proofs)).
  constexpr void add(const objective_vector& point) {
    table<objective_box> split;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const objective_box at = open_[i];
      if (!point.no_worse_than(at.high)) {
        open_[kept++] = at;
        continue;
      }
      for (std::uint32_t j = 0; j < objectives_; ++j) {
        objective_box part = at;
        part.high[j] = point[j] - 1;
        if (tighten(part)) split.push_back(part);
      }
    }
    open_.resize(kept);
    for (std::size_t i = 0; i < split.size(); ++i)
      if (!is_redundant(split, i, kept)) open_.push_back(split[i]);
  }

 private:
  /// Raises the lower corner where a proof allows it: if the box exceeds the proven empty region in
  /// one objective only. False if the box lies inside that region.
  constexpr bool apply(const objective_vector& most, objective_box& at) const {
    std::uint32_t beyond = max_objectives;
    for (std::uint32_t i = 0; i < objectives_; ++i) {
      if (at.high[i] <= most[i]) continue;
      if (beyond != max_objectives) return true;
      beyond = i;
    }
    if (beyond == max_objectives) return false;
    if (at.low[beyond] <= most[beyond]) at.low[beyond] = most[beyond] + 1;
    return true;
  }

  constexpr bool tighten(objective_box& at) const {
    for (const objective_vector& most : proofs_)
      if (!apply(most, at)) return false;
    return !at.empty();
  }

  /// True if a part lies below the upper corner of another box, either one of the first `kept` open
  /// boxes or another part. Of equal parts the first stays.
  constexpr bool is_redundant(const table<objective_box>& split, std::size_t part,
                              std::size_t kept) const {
    const objective_vector& high = split[part].high;
    for (std::size_t i = 0; i < kept; ++i)
      if (high.no_worse_than(open_[i].high)) return true;
    for (std::size_t i = 0; i < split.size(); ++i)
      if (i != part && high.no_worse_than(split[i].high) && !(high == split[i].high && part < i))
        return true;
    return false;
  }

  std::uint32_t objectives_ = 0;
  table<objective_box> open_;
  table<objective_vector> proofs_;  ///< no proof covers another
};

}  // namespace wf
