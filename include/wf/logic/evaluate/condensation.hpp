// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/logic/program/components.hpp>
#include <wf/logic/relation/bit_rows.hpp>

namespace wf::logic::detail {

/// Targets by the place they start from, perhaps with weights: rows of a sparse matrix.
struct adjacency {
  table<std::uint32_t> starts;   ///< by place, and one past the last: first of its targets
  table<std::uint32_t> targets;
  table<double> weights;         ///< by target, or empty

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
    table<range> edges;
    for (std::size_t p = 0; p < columns; ++p)
      edges.push_back({p < moves.places() ? moves.starts[p] : 0,
                       static_cast<std::uint32_t>(moves.of(p).size())});
    component_search found(edges, moves.targets);
    groups_ = static_cast<table<std::uint32_t>&&>(found.component);
    rows_ = bit_rows(found.count, columns);
    const std::size_t width = rows_.width();
    table<std::uint32_t> seen(found.count, component_search::none);
    // Components come in the order in which those that others reach stand first.
    const table<std::uint32_t> order = by_group(found.count);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t place = order[i], own = groups_[place];
      std::uint64_t* const row = rows_.row(own);
      for (const std::uint32_t to : moves.of(place)) {
        row[to / 64] |= std::uint64_t{1} << to % 64;
        const std::uint32_t other = groups_[to];
        if (other == own || seen[other] == own) continue;
        seen[other] = own;
        const std::uint64_t* const more = rows_.row(other);
        for (std::size_t w = 0; w < width; ++w) row[w] |= more[w];
      }
    }
  }

  /// Number of groups of places that reach each other.
  constexpr std::size_t count() const { return rows_.rows(); }
  constexpr std::uint32_t group_of(std::size_t place) const { return groups_[place]; }
  /// What the places of a group reach.
  constexpr const std::uint64_t* row(std::uint32_t group) const { return rows_.row(group); }

 private:
  // The places in the order of their groups.
  constexpr table<std::uint32_t> by_group(std::uint32_t count) const {
    table<std::uint32_t> starts(count + 1), order(groups_.size());
    for (const std::uint32_t g : groups_) ++starts[g + 1];
    for (std::size_t g = 0; g < count; ++g) starts[g + 1] += starts[g];
    for (std::uint32_t p = 0; p < groups_.size(); ++p) order[starts[groups_[p]]++] = p;
    return order;
  }

  table<std::uint32_t> groups_;
  bit_rows rows_;
};

}  // namespace wf::logic::detail
