// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// The most objectives that a Pareto front may have.
inline constexpr std::uint32_t max_objectives = 3;

/// The values of two or three objectives, all to be minimised; those beyond the number of
/// objectives are 0.
struct objective_vector {
  /// One value for each objective.
  std::int64_t values[max_objectives]{};

  /// The value of an objective.
  constexpr std::int64_t operator[](std::uint32_t i) const { return values[i]; }
  /// The value of an objective.
  constexpr std::int64_t& operator[](std::uint32_t i) { return values[i]; }
  /// True if no value is larger than the other's.
  constexpr bool no_worse_than(const objective_vector& other) const {
    for (std::uint32_t i = 0; i < max_objectives; ++i)
      if (values[i] > other.values[i]) return false;
    return true;
  }
  friend constexpr bool operator==(const objective_vector&, const objective_vector&) = default;
};

/// The vectors between two corners, both included; `unbounded` in `high` is no corner.
struct objective_box {
  /// The least values.
  objective_vector low;
  /// The largest values.
  objective_vector high;

  /// True if it holds no vector.
  constexpr bool empty() const { return !low.no_worse_than(high); }
  /// True if it holds the vector.
  constexpr bool contains(const objective_vector& v) const {
    return low.no_worse_than(v) && v.no_worse_than(high);
  }
  friend constexpr bool operator==(const objective_box&, const objective_box&) = default;
};

/// Where further non-dominated integer vectors can be: the complement of what known points dominate
/// and of what was proven empty, as boxes that may overlap.
///
/// The upper corners are the local upper bounds of the points (Klamroth, Lacour and Vanderpooten,
/// "On the representation of the search region in multi-objective optimization", EJOR 2015): with
/// n points in general position n + 1 of two objectives and 2 n + 1 of three. The lower corners
/// come from proofs that there is nothing below some corner; a proof holds for all boxes, those
/// split later among them.
class search_region {
 public:
  constexpr search_region() = default;
  /// Everything from 0 to `most`, which may be `unbounded`.
  constexpr search_region(std::uint32_t objectives, const objective_vector& most)
      : objectives_(objectives) {
    open_.push_back({{}, most});
    for (std::uint32_t i = objectives; i < max_objectives; ++i) open_[0].high[i] = 0;
  }

  /// The boxes that are left, none of them empty or inside of another.
  constexpr const table<objective_box>& open() const { return open_; }

  /// Takes note of a proof that no vector is no worse than `most`. O(boxes + proofs).
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

  /// Takes out what a point dominates, the point included. O(split boxes · (boxes + proofs)).
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
  /// Raises the lower corner where a proof allows that: if only in one objective the box reaches
  /// beyond what is proven empty. False if the box is empty then.
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

  /// True if a part lies below the upper corner of another box: of the first `kept` open ones, or
  /// of the parts. Of equal parts the first stays.
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
  table<objective_vector>
      proofs_;  ///< no vector is no worse than any of these; none covers another
};

}  // namespace wf
