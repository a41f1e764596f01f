// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/problem.hpp>

namespace wf::detail {

/// The pairs of a problem by candidate: the neighbours ascend, each once, with the costs of
/// repeated pairs added up.
class pair_index {
 public:
  struct neighbour {
    std::uint32_t candidate = 0;
    std::uint32_t cost = 0;  ///< row in `costs_`
    bool excluded = false;
  };

  constexpr pair_index() = default;
  constexpr explicit pair_index(const selection_problem& p) : metrics_(p.metrics.size()) {
    if (p.pairs.empty()) return;
    const std::size_t count = p.candidates.size();
    table<std::uint32_t> first(count + 1);
    for (const selection_pair& pair : p.pairs) {
      ++first[pair.first + 1];
      ++first[pair.second + 1];
    }
    for (std::size_t n = 0; n < count; ++n) first[n + 1] += first[n];
    // A stable counting sort: two passes over the pairs sort the neighbours of each candidate.
    table<neighbour> sorted = scatter(by_second_then_first(p, first), first);
    first_.push_back(0);
    for (std::uint32_t n = 0; n < count; ++n) {
      for (std::uint32_t i = first[n]; i < first[n + 1]; ++i) join(p, sorted[i], first_[n]);
      first_.push_back(static_cast<std::uint32_t>(list_.size()));
    }
  }

  /// True if the problem has no pairs.
  constexpr bool empty() const { return first_.empty(); }
  /// The neighbours of a candidate, in ascending order.
  constexpr view<neighbour> of(std::uint32_t candidate) const {
    if (first_.empty()) return {};
    return view<neighbour>(list_).part(first_[candidate],
                                       first_[candidate + 1] - first_[candidate]);
  }
  /// The cost of a pair in a metric, in its unit.
  constexpr std::int64_t cost(const neighbour& n, std::uint32_t metric) const {
    return costs_[n.cost * metrics_ + metric];
  }

  /// True if the pairs of `candidate` cost no more than those of `than`, another candidate of its
  /// class, beside any choice of the other classes.
  constexpr bool no_worse(std::uint32_t candidate, std::uint32_t than) const {
    if (first_.empty()) return true;
    const view<neighbour> mine = of(candidate), theirs = of(than);
    std::size_t at = 0;
    for (const neighbour& n : mine) {
      while (at < theirs.size() && theirs[at].candidate < n.candidate) ++at;
      if (at == theirs.size() || theirs[at].candidate != n.candidate) return false;
      if (theirs[at].excluded) continue;
      if (n.excluded) return false;
      for (std::uint32_t m = 0; m < metrics_; ++m)
        if (cost(n, m) > cost(theirs[at], m)) return false;
    }
    return true;
  }

 private:
  struct link {
    std::uint32_t from = 0, to = 0, pair = 0;
  };

  /// Every pair from both sides, ordered by `to`.
  static constexpr table<link> by_second_then_first(const selection_problem& p,
                                                    const table<std::uint32_t>& first) {
    table<link> out(2 * p.pairs.size());
    table<std::uint32_t> at(first);
    for (std::uint32_t i = 0; i < p.pairs.size(); ++i) {
      out[at[p.pairs[i].second]++] = {p.pairs[i].first, p.pairs[i].second, i};
      out[at[p.pairs[i].first]++] = {p.pairs[i].second, p.pairs[i].first, i};
    }
    return out;
  }

  constexpr table<neighbour> scatter(const table<link>& links,
                                     const table<std::uint32_t>& first) const {
    table<neighbour> out(links.size());
    table<std::uint32_t> at(first);
    for (const link& l : links) out[at[l.from]++] = {l.to, l.pair, false};
    return out;
  }

  /// Appends a neighbour, or adds its cost to the last one of the list that began at `begin`.
  constexpr void join(const selection_problem& p, const neighbour& n, std::uint32_t begin) {
    if (list_.size() == begin || list_.back().candidate != n.candidate) {
      list_.push_back({n.candidate, static_cast<std::uint32_t>(list_.size()), false});
      for (std::size_t m = 0; m < metrics_; ++m) costs_.push_back(0);
    }
    neighbour& known = list_.back();
    known.excluded = known.excluded || p.pairs[n.cost].excluded;
    for (std::size_t m = 0; m < metrics_; ++m)
      costs_[known.cost * metrics_ + m] += p.pair_costs[n.cost * metrics_ + m];
  }

  std::size_t metrics_ = 0;
  table<std::uint32_t> first_;
  table<neighbour> list_;
  table<std::int64_t> costs_;
};

}  // namespace wf::detail
