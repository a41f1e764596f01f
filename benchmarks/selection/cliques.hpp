// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace selection_benchmark {

/// Covers the edges of a conflict graph by cliques, greedily: each grows from an edge that is not
/// covered, first by vertices that cover more edges, then by all that fit. Vertices of one class
/// are in conflict too, but their edges need no cover.
class clique_cover {
 public:
  using numbers = std::vector<std::uint32_t>;
  using edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// The classes of the vertices, in ascending order, and the distinct edges.
  clique_cover(const numbers& class_of, const edges& conflicts)
      : around_(class_of.size()), seen_by_(class_of.size(), 0), conflicts_(conflicts) {
    for (const auto& [a, b] : conflicts) {
      around_[a].push_back({b, false});
      around_[b].push_back({a, false});
    }
    for (std::uint32_t first = 0, end = 0; first < class_of.size(); first = end) {
      while (end < class_of.size() && class_of[end] == class_of[first]) ++end;
      for (std::uint32_t a = first; a < end; ++a)
        for (std::uint32_t b = first; b < end; ++b)
          if (a != b) around_[a].push_back({b, true});
    }
    for (std::vector<neighbour>& list : around_)
      std::sort(list.begin(), list.end(), [](auto a, auto b) { return a.vertex < b.vertex; });
  }

  std::vector<numbers> run() {
    std::vector<numbers> out;
    for (const auto& [a, b] : conflicts_) {
      if (find(a, b).covered) continue;
      clique_.clear();
      join(a);
      join(b);
      for (const bool only_new : {true, false})
        for (const neighbour& n : around_[a])
          if (seen_by_[n.vertex] == clique_.size() && (!only_new || covers_most(n.vertex)))
            join(n.vertex);
      finish();
      out.push_back(clique_);
    }
    return out;
  }

 private:
  struct neighbour {
    std::uint32_t vertex = 0;
    bool covered = false;
  };

  neighbour& find(std::uint32_t a, std::uint32_t b) {
    return *std::lower_bound(around_[a].begin(), around_[a].end(), b,
                             [](const neighbour& n, std::uint32_t v) { return n.vertex < v; });
  }

  void join(std::uint32_t v) {
    clique_.push_back(v);
    for (const neighbour& n : around_[v]) ++seen_by_[n.vertex];
  }

  /// True if at least half of the edges to the clique are not covered yet.
  bool covers_most(std::uint32_t v) {
    std::size_t fresh = 0;
    for (const std::uint32_t member : clique_) fresh += !find(v, member).covered;
    return 2 * fresh >= clique_.size();
  }

  void finish() {
    for (const std::uint32_t v : clique_) {
      for (const neighbour& n : around_[v]) seen_by_[n.vertex] = 0;
      for (const std::uint32_t other : clique_)
        if (v != other) find(v, other).covered = true;
    }
    std::sort(clique_.begin(), clique_.end());
  }

  std::vector<std::vector<neighbour>> around_;
  std::vector<std::size_t> seen_by_;  ///< how many of the clique a vertex is in conflict with
  const edges& conflicts_;
  numbers clique_;
};

}  // namespace selection_benchmark
