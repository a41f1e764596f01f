// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <wf/core/container/bits.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/cliques.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/stage.hpp>

#include <selection/depth.hpp>

namespace selection_benchmark {

/// The model for other solvers: the problem after wf's reductions, in the reduced numbering, with
/// rows that strengthen its linear relaxation. Each candidate has a variable, 1 if it is chosen;
/// variables of classes that nothing needs are arbitrary.
struct strong_model {
  using numbers = std::vector<std::uint32_t>;
  /// If one of `any` is chosen, one of `needs` must be.
  struct implication {
    numbers any, needs;
  };
  /// Candidates of class `from` that directly need class `to`. Present within strongly connected
  /// components, or for all classes if the depth is limited.
  struct arc {
    std::uint32_t from = 0, to = 0;
    numbers candidates;
  };
  struct priced_pair {
    std::uint32_t first = 0, second = 0;
    std::int64_t cost = 0;
  };

  wf::detail::reduced_selection reduced;
  wf::detail::selection_stage stage;
  numbers needed;  ///< the classes of every selection
  std::vector<implication> implications;
  std::vector<arc> arcs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> excluded;
  std::vector<priced_pair> pairs;
  std::vector<numbers> cliques;  ///< at most one candidate of each; together they cover all
                                 ///< conflicts
  std::int64_t depth = 0;        ///< limit on the nodes of a path; 0: none
  /// If the depth is limited: the least and the largest height of each class, where a class that
  /// needs nothing has height 1. A class is higher than those it needs, which also forbids cycles.
  std::vector<std::pair<std::int64_t, std::int64_t>> heights;
};

/// Cliques that cover the given distinct conflicts of candidates; `class_of` gives their classes.
inline std::vector<std::vector<std::uint32_t>> cover_by_cliques(
    const wf::table<std::uint32_t>& class_of,
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& conflicts) {
  std::vector<std::vector<std::uint32_t>> around(class_of.size()), out;
  for (const auto& [a, b] : conflicts) {
    around[a].push_back(b);
    around[b].push_back(a);
  }
  const wf::detail::conflict_graph graph(class_of, [&](std::uint32_t v, auto&& f) {
    for (const std::uint32_t w : around[v]) f(w);
  });
  wf::detail::clique_cover(graph).run([&](const wf::table<std::uint32_t>& clique) {
    out.emplace_back(clique.begin(), clique.end());
  });
  return out;
}

/// Builds the model of a valid problem whose metrics are sums, or the depth, and whose objective is
/// a single sum.
class model_builder {
 public:
  explicit model_builder(const wf::selection_problem& problem) : p_(problem) {}

  strong_model build() {
    m_.stage = wf::detail::weighted_stage(p_);
    m_.reduced = wf::detail::reduce(p_, m_.stage);
    if (!r_.feasible) return std::move(m_);
    find_needed();
    limit_depth();
    for (std::uint32_t k = 0; k < r_.classes; ++k) {
      add_implications(k);
      add_arcs(k);
    }
    add_pairs();
    return std::move(m_);
  }

 private:
  using numbers = strong_model::numbers;

  bool must(std::uint32_t k, std::uint32_t e) const {
    return wf::detail::has_bit(r_.must_of(k), e);
  }
  bool candidate_must(std::uint32_t n, std::uint32_t e) const {
    for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
      if (must(r_.child[i], e)) return true;
    return false;
  }
  bool same_block(std::uint32_t k, std::uint32_t e) const {
    return r_.block_first[k] == r_.block_first[e];
  }

  void find_needed() {
    is_needed_.assign(r_.classes, 0);
    for (std::uint32_t e = 0; e < r_.classes; ++e) {
      for (const std::uint32_t root : r_.roots) is_needed_[e] |= must(root, e);
      if (is_needed_[e]) m_.needed.push_back(e);
    }
  }

  void limit_depth() {
    for (std::size_t m = 0; m < p_.metrics.size(); ++m)
      if (p_.metrics[m].kind == wf::aggregation::measured)
        m_.depth = m_.stage.maximum[m] == wf::unbounded ? 0 : m_.stage.maximum[m];
    if (m_.depth == 0) return;
    const depth_bounds least = bound_depth(p_);
    for (const std::uint32_t k : r_.class_of)
      m_.heights.emplace_back(least.height[k], m_.depth - least.above[k]);
  }

  /// Adds the rows "of the candidates of k that have e in their must set, at most as many are
  /// chosen as of e". Such a row is redundant if another class c is in between: the same candidates
  /// must have c, and c must have e. Candidates of e that must have k would close a cycle and do
  /// not count.
  void add_implications(std::uint32_t k) {
    std::map<std::uint32_t, numbers> having;
    std::vector<std::uint32_t> last(r_.classes, wf::no_candidate);
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
        for_each_must(r_.child[i], [&](std::uint32_t e) {
          if (is_needed_[e] || last[e] == n) return;
          last[e] = n;
          having[e].push_back(n);
        });
    std::map<numbers, numbers> by_candidates;
    for (const auto& [e, candidates] : having) by_candidates[candidates].push_back(e);
    std::vector<char> behind(r_.classes, 0);
    for (const auto& [candidates, classes] : by_candidates) {
      for (const std::uint32_t c : classes)
        for_each_must(c, [&](std::uint32_t e) { behind[e] |= e != c; });
      for (const std::uint32_t e : classes)
        if (!behind[e] || same_block(k, e)) add_implication(k, candidates, e);
      for (const std::uint32_t c : classes)
        for_each_must(c, [&](std::uint32_t e) { behind[e] = 0; });
    }
  }

  void add_implication(std::uint32_t k, const numbers& candidates, std::uint32_t e) {
    strong_model::implication added{candidates, {}};
    for (std::uint32_t n = r_.first[e]; n < r_.first[e + 1]; ++n)
      if (!same_block(k, e) || !candidate_must(n, k)) added.needs.push_back(n);
    m_.implications.push_back(std::move(added));
  }

  template <class F>
  void for_each_must(std::uint32_t k, F&& f) const {
    const auto* const row = r_.must_of(k);
    for (std::uint32_t w = 0; w < r_.words; ++w)
      for (auto rest = row[w]; rest != 0; rest &= rest - 1)
        if (const std::uint32_t e = 64 * w + static_cast<std::uint32_t>(__builtin_ctzll(rest));
            e < r_.classes)
          f(e);
  }

  void add_arcs(std::uint32_t k) {
    const bool all = m_.depth != 0;
    if (!all && r_.block_last[k] - r_.block_first[k] < 3)
      return;  // the implications already forbid cycles of two classes
    std::map<std::uint32_t, numbers> users;
    for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
      for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
        if (all || same_block(k, r_.child[i])) users[r_.child[i]].push_back(n);
    for (auto& [child, candidates] : users) m_.arcs.push_back({k, child, std::move(candidates)});
  }

  void add_pairs() {
    if (p_.pairs.empty()) return;
    numbers number(p_.candidates.size(), wf::no_candidate);
    for (std::uint32_t n = 0; n < r_.candidates; ++n) number[r_.candidate_of[n]] = n;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> cost;
    for (std::size_t i = 0; i < p_.pairs.size(); ++i) {
      std::uint32_t a = number[p_.pairs[i].first], b = number[p_.pairs[i].second];
      if (a == wf::no_candidate || b == wf::no_candidate) continue;
      if (a > b) std::swap(a, b);
      std::int64_t price = 0;
      for (std::size_t m = 0; m < p_.metrics.size(); ++m)
        price += m_.stage.weight[m] * p_.pair_costs[i * p_.metrics.size() + m];
      if (p_.pairs[i].excluded)
        m_.excluded.emplace_back(a, b);
      else if (price != 0)
        cost[{a, b}] += price;
    }
    std::sort(m_.excluded.begin(), m_.excluded.end());
    m_.excluded.erase(std::unique(m_.excluded.begin(), m_.excluded.end()), m_.excluded.end());
    for (const auto& [ends, price] : cost)
      if (!std::binary_search(m_.excluded.begin(), m_.excluded.end(), ends))
        m_.pairs.push_back({ends.first, ends.second, price});
    m_.cliques = cover_by_cliques(r_.owner, m_.excluded);
  }

  const wf::selection_problem& p_;
  strong_model m_;
  const wf::detail::reduced_selection& r_ = m_.reduced;
  std::vector<char> is_needed_;
};

}  // namespace selection_benchmark
