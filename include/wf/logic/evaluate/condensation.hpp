// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/components.hpp>
#include <wf/logic/relation/bit_rows.hpp>

namespace wf::logic::detail {

/// Targets by the place they start from, perhaps with weights: rows of a sparse matrix.
struct adjacency {
  table<std::uint32_t> starts;  ///< by place, and one past the last: first of its targets
  table<std::uint32_t> targets;
  table<double> weights;  ///< by target, or empty

  /// Number of places.
  constexpr std::size_t places() const { return starts.empty() ? 0 : starts.size() - 1; }
  /// The targets of a place; none if it is out of range.
  constexpr view<std::uint32_t> of(std::size_t place) const {
    if (place + 1 >= starts.size()) return {};
    return view<std::uint32_t>(targets).part(starts[place], starts[place + 1] - starts[place]);
  }
};

/// For each place, the bits of all places that it reaches by one move or more. Places that reach
/// each other share a row. O((targets + places) · columns / 64).
class reach_rows {
 public:
  constexpr reach_rows(const adjacency& moves, std::size_t columns) {
    graph_components found = components_of(columns, [&](std::uint32_t p) { return moves.of(p); });
    groups_ = static_cast<table<std::uint32_t>&&>(found.component);
    rows_ = bit_rows(found.count, columns);
    const std::size_t width = rows_.width();
    table<std::uint32_t> seen(found.count, UINT32_MAX);
    // Components come in the order in which those that others reach stand first.
    for (const std::uint32_t place : found.order) {
      const std::uint32_t own = groups_[place];
      std::uint64_t* const row = rows_.row(own);
      for (const std::uint32_t to : moves.of(place)) {
        wf::detail::set_bit(row, to);
        const std::uint32_t other = groups_[to];
        if (other == own || seen[other] == own) continue;
        seen[other] = own;
        wf::detail::unite(row, rows_.row(other), width);
      }
    }
  }

  /// Number of groups of places that reach each other.
  constexpr std::size_t count() const { return rows_.rows(); }
  constexpr std::uint32_t group_of(std::size_t place) const { return groups_[place]; }
  /// What the places of a group reach.
  constexpr const std::uint64_t* row(std::uint32_t group) const { return rows_.row(group); }

 private:
  table<std::uint32_t> groups_;
  bit_rows rows_;
};

}  // namespace wf::logic::detail
