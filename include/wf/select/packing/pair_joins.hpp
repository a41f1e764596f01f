// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/select/packing/model.hpp>
#include <wf/select/pairs.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/cliques.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// Writes the pairs of candidates into a packing model: rows over mutually exclusive values, and
/// joint classes for pairs that cost.
class packing_joins {
 public:
  /// `metrics` are those whose costs the model keeps beside the objective.
  constexpr packing_joins(const selection_stage& stage, const reduced_selection& reduced,
                          const table<std::uint32_t>& metrics)
      : stage_(stage), r_(reduced), pairs_(reduced.pairs), metrics_(metrics) {}

  /// Adds rows and joint classes to a model that has all other classes and values.
  constexpr void add_to(packing_model& m) {
    if (pairs_.empty()) return;
    number_values(m);
    add_exclusions(m);
    add_joins(m);
  }

  /// The number of joint values, which are the last ones of the model.
  constexpr std::size_t size() const { return joints_.size(); }
  /// Cost of the pair of a joint value in a metric.
  constexpr std::int64_t cost(std::size_t j, std::uint32_t metric) const {
    return joints_[j].pair == nullptr ? 0 : pairs_.cost(*joints_[j].pair, metric);
  }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  /// A value of a joint class, which stands for a choice in two other classes.
  struct joint {
    std::uint32_t a = 0, b = 0;  ///< values
    const pair_index::neighbour* pair = nullptr;
  };

  /// Sets value_of_: by candidate of the problem its value, or `none`.
  constexpr void number_values(const packing_model& m) {
    value_of_ = table<std::uint32_t>(r_.removed.size(), packing_model::none);
    for (std::uint32_t v = 0; v < m.values; ++v)
      if (m.candidate_of[v] != packing_model::none)
        value_of_[r_.candidate_of[m.candidate_of[v]]] = v;
  }

  /// Calls `f(w)` for each value that a pair excludes together with `v`.
  template <class F>
  constexpr void each_exclusion(const packing_model& m, std::uint32_t v, F&& f) const {
    if (m.candidate_of[v] == packing_model::none) return;
    for (const pair_index::neighbour& n : pairs_.of(r_.candidate_of[m.candidate_of[v]]))
      if (n.excluded && value_of_[n.candidate] != packing_model::none) f(value_of_[n.candidate]);
  }

  /// Adds rows over cliques of mutually exclusive values.
  constexpr void add_exclusions(packing_model& m) {
    const conflict_graph graph(m.owner,
                               [&](std::uint32_t v, auto&& f) { each_exclusion(m, v, f); });
    clique_cover cover(graph);
    cover.run([&](const table<std::uint32_t>& clique) { m.add_row(clique); });
    steps_ += cover.steps() + graph.neighbour.size();
  }

  template <class F>
  constexpr void each_costly(const packing_model& m, std::uint32_t v, F&& f) const {
    if (m.candidate_of[v] == packing_model::none) return;
    for (const pair_index::neighbour& n : pairs_.of(r_.candidate_of[m.candidate_of[v]])) {
      if (n.excluded || value_of_[n.candidate] == packing_model::none) continue;
      bool costs = objective_cost(n) != 0;
      for (const std::uint32_t metric : metrics_) costs = costs || pairs_.cost(n, metric) != 0;
      if (costs) f(value_of_[n.candidate]);
    }
  }

  /// For two classes with pairs that cost: adds a joint class with a value for every two compatible
  /// values, tied to both classes by rows (the local polytope; Schlesinger 1976).
  constexpr void add_joins(packing_model& m) {
    const std::uint32_t classes = m.classes, values = m.values;
    const auto end_of = [&](std::uint32_t k) { return k + 1 < classes ? m.first[k + 1] : values; };
    table<std::uint32_t> with;
    for (std::uint32_t k = 0; k < classes; ++k) {
      with.clear();
      for (std::uint32_t v = m.first[k]; v < end_of(k); ++v)
        each_costly(m, v, [&](std::uint32_t w) {
          const std::uint32_t e = m.owner[w];
          if (e < k) return;
          for (const std::uint32_t known : with)
            if (known == e) return;
          with.push_back(e);
        });
      for (const std::uint32_t e : with) add_join(m, k, end_of(k), e, end_of(e));
    }
  }

  constexpr std::int64_t objective_cost(const pair_index::neighbour& n) const {
    std::int64_t total = 0;
    for (std::uint32_t metric = 0; metric < stage_.weight.size(); ++metric)
      total += stage_.weight[metric] * pairs_.cost(n, metric);
    return total;
  }

  constexpr const pair_index::neighbour* pair_of(const packing_model& m, std::uint32_t a,
                                                 std::uint32_t b) const {
    if (m.candidate_of[a] == packing_model::none || m.candidate_of[b] == packing_model::none)
      return nullptr;
    const std::uint32_t other = r_.candidate_of[m.candidate_of[b]];
    for (const pair_index::neighbour& n : pairs_.of(r_.candidate_of[m.candidate_of[a]]))
      if (n.candidate == other) return &n;
    return nullptr;
  }

  constexpr void add_join(packing_model& m, std::uint32_t k, std::uint32_t k_end, std::uint32_t e,
                          std::uint32_t e_end) {
    const std::size_t begin = joints_.size();
    const std::uint32_t first_value = m.values;
    m.add_class();
    m.block.push_back(packing_model::none);
    for (std::uint32_t a = m.first[k]; a < k_end; ++a)
      for (std::uint32_t b = m.first[e]; b < e_end; ++b) {
        const pair_index::neighbour* const pair = pair_of(m, a, b);
        if (pair != nullptr && pair->excluded) continue;
        joints_.push_back({a, b, pair});
        m.add_joint(pair == nullptr ? 0 : objective_cost(*pair), a, b);
        ++steps_;
      }
    table<std::uint32_t> row;
    for (int side = 0; side < 2; ++side)
      for (std::uint32_t v = side == 0 ? m.first[k] : m.first[e]; v < (side == 0 ? k_end : e_end);
           ++v) {
        row.clear();
        row.push_back(v);
        for (std::size_t j = begin; j < joints_.size(); ++j)
          if ((side == 0 ? joints_[j].a : joints_[j].b) != v)
            row.push_back(first_value + static_cast<std::uint32_t>(j - begin));
        if (row.size() > 1) m.add_row(row);
        steps_ += row.size();
      }
  }

  const selection_stage& stage_;
  const reduced_selection& r_;
  const pair_index& pairs_;
  table<std::uint32_t> metrics_;
  table<std::uint32_t> value_of_;
  table<joint> joints_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf::detail
