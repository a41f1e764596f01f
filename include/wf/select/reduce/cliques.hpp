// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::detail {

/// A conflict graph: neighbours exclude each other, as do members of one group. Groups are
/// numbered, and their members consecutive.
struct conflict_graph {
  table<std::uint32_t> group;  ///< by vertex: its group
  table<std::uint32_t> first;  ///< by vertex: its first neighbour; one entry more than vertices
  table<std::uint32_t>
      neighbour;  ///< ascending, both directions; groups without conflicts are left out

  constexpr conflict_graph() = default;
  /// `each_conflict(v, f)` calls `f(w)` for each vertex of another group that `v` excludes, seen
  /// from both sides. O(neighbours).
  template <class EachConflict>
  constexpr conflict_graph(const table<std::uint32_t>& groups, EachConflict&& each_conflict)
      : group(groups), first(groups.size() + 1) {
    const std::uint32_t vertices = static_cast<std::uint32_t>(group.size());
    const std::uint32_t count = vertices == 0 ? 0 : group[vertices - 1] + 1;
    table<std::uint8_t> concerned(count);
    table<std::uint32_t> begin(count + 1);
    for (std::uint32_t v = 0; v < vertices; ++v) {
      begin[group[v] + 1] = v + 1;
      each_conflict(v, [&](std::uint32_t) { concerned[group[v]] = 1; });
    }
    const auto each_neighbour = [&](std::uint32_t v, auto&& f) {
      each_conflict(v, f);
      if (!concerned[group[v]]) return;
      for (std::uint32_t w = begin[group[v]]; w < begin[group[v] + 1]; ++w)
        if (w != v) f(w);
    };
    for (std::uint32_t v = 0; v < vertices; ++v)
      each_neighbour(v, [&](std::uint32_t w) { ++first[w + 1]; });
    for (std::uint32_t v = 0; v < vertices; ++v) first[v + 1] += first[v];
    table<std::uint32_t> at(first);
    neighbour.resize(first[vertices]);
    for (std::uint32_t v = 0; v < vertices; ++v)
      each_neighbour(v, [&](std::uint32_t w) { neighbour[at[w]++] = v; });
  }
};

/// Covers the edges of a graph by cliques, greedily: each uncovered edge is grown to a maximal
/// clique, first by vertices with most uncovered edges into it. Members of a clique ascend. Source
/// of the idea: rows over maximal cliques dominate the rows of their edges in the relaxation of
/// packing problems (Padberg 1973).
class clique_cover {
 public:
  /// Edges within a group count as covered: the caller's constraint on the group covers them.
  constexpr explicit clique_cover(const conflict_graph& graph)
      : first_(graph.first), neighbour_(graph.neighbour), covered_(graph.neighbour.size()) {
    for (std::uint32_t v = 0; v < graph.group.size(); ++v)
      for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i)
        covered_[i] = graph.group[v] == graph.group[neighbour_[i]];
  }
  /// Calls `f(clique)` for each clique of the cover.
  template <class F>
  constexpr void run(F&& f) {
    const std::uint32_t vertices = static_cast<std::uint32_t>(first_.size() - 1);
    for (std::uint32_t v = 0; v < vertices; ++v)
      for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) {
        if (neighbour_[i] < v || covered_[i]) continue;
        grow(v, neighbour_[i]);
        for (const std::uint32_t a : clique_)
          for (const std::uint32_t b : clique_)
            if (a != b) covered_[find(a, b)] = 1;
        sort();
        f(static_cast<const table<std::uint32_t>&>(clique_));
      }
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  constexpr void grow(std::uint32_t v, std::uint32_t w) {
    clique_.clear();
    clique_.push_back(v);
    candidates_.clear();
    fresh_.clear();
    for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) {
      candidates_.push_back(neighbour_[i]);
      fresh_.push_back(!covered_[i]);
    }
    while (true) {
      keep_neighbours(w);
      clique_.push_back(w);
      if (candidates_.empty()) return;
      std::size_t best = 0;
      for (std::size_t i = 1; i < candidates_.size(); ++i)
        if (fresh_[best] < fresh_[i]) best = i;
      w = candidates_[best];
    }
  }

  /// Drops the candidates that are no neighbours of `w`; counts the others' uncovered edges to it.
  constexpr void keep_neighbours(std::uint32_t w) {
    std::size_t kept = 0;
    std::uint32_t i = first_[w];
    const std::uint32_t end = first_[w + 1];
    for (std::size_t c = 0; c < candidates_.size() && i < end;) {
      ++steps_;
      if (candidates_[c] < neighbour_[i]) {
        ++c;
      } else if (neighbour_[i] < candidates_[c]) {
        ++i;
      } else {
        fresh_[kept] = fresh_[c] + !covered_[i];
        candidates_[kept++] = candidates_[c++];
        ++i;
      }
    }
    candidates_.resize(kept);
    fresh_.resize(kept);
  }

  constexpr std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t low = first_[a], high = first_[a + 1];
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      if (neighbour_[middle] < b)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  constexpr void sort() {
    for (std::size_t i = 1; i < clique_.size(); ++i) {
      const std::uint32_t v = clique_[i];
      std::size_t j = i;
      for (; j > 0 && clique_[j - 1] > v; --j) clique_[j] = clique_[j - 1];
      clique_[j] = v;
    }
  }

  const table<std::uint32_t>& first_;
  const table<std::uint32_t>& neighbour_;
  table<std::uint8_t> covered_;
  table<std::uint32_t> clique_, candidates_, fresh_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
