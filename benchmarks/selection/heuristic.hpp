// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <wf/select/problem.hpp>

namespace selection_benchmark {

/// Computes the totals of chosen candidates, pair costs included; all metrics must be sums.
inline void price(const wf::selection_problem& p, wf::selection& s) {
  const std::size_t metrics = p.metrics.size();
  s.totals = wf::table<std::int64_t>(metrics);
  const auto chosen = [&](std::uint32_t n) { return s.chosen[p.candidates[n].owner] == n; };
  for (const std::uint32_t n : s.chosen)
    for (std::uint32_t m = 0; n != wf::no_candidate && m < metrics; ++m)
      s.totals[m] += p.cost(n, m);
  for (std::size_t i = 0; i < p.pairs.size(); ++i)
    if (chosen(p.pairs[i].first) && chosen(p.pairs[i].second))
      for (std::size_t m = 0; m < metrics; ++m) s.totals[m] += p.pair_costs[i * metrics + m];
}

/// Common base of the heuristics: the candidates of each class, and the pairs of each candidate.
class heuristic_base {
 public:
  heuristic_base(const wf::selection_problem& problem, std::uint32_t objective)
      : p_(problem), objective_(objective), of_class_(p_.classes) {
    for (std::uint32_t n = 0; n < p_.candidates.size(); ++n)
      of_class_[p_.candidates[n].owner].push_back(n);
    pairs_.resize(p_.pairs.empty() ? 0 : p_.candidates.size());
    for (std::uint32_t i = 0; i < p_.pairs.size(); ++i) {
      pairs_[p_.pairs[i].first].push_back({p_.pairs[i].second, i});
      pairs_[p_.pairs[i].second].push_back({p_.pairs[i].first, i});
    }
  }

 protected:
  struct partner {
    std::uint32_t candidate = 0, pair = 0;
  };
  static constexpr std::int64_t impossible = INT64_MAX;

  std::int64_t cost(std::uint32_t n) const { return p_.cost(n, objective_); }

  /// The cost of a candidate with its pair costs for the chosen ones; `impossible` if one of them
  /// excludes it.
  std::int64_t beside(const std::vector<std::uint32_t>& chosen, std::uint32_t n) const {
    std::int64_t out = cost(n);
    if (pairs_.empty()) return out;
    for (const partner& other : pairs_[n]) {
      if (chosen[p_.candidates[other.candidate].owner] != other.candidate) continue;
      if (p_.pairs[other.pair].excluded) return impossible;
      out += p_.pair_costs[other.pair * p_.metrics.size() + objective_];
    }
    return out;
  }

  const wf::selection_problem& p_;
  std::uint32_t objective_;
  std::vector<std::vector<std::uint32_t>> of_class_;
  std::vector<std::vector<partner>> pairs_;
};

}  // namespace selection_benchmark
