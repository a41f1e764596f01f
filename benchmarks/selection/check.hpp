// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/select/problem.hpp>

namespace selection_benchmark {

/// Verifies a selection against the definition of the problem alone, without code of the engine:
/// exactly the classes that the roots need have a candidate, there is no cycle, and the totals are
/// right and within the limits. Supports sums, maxima, and one measured metric: the depth, the
/// number of nodes on the longest path. Returns the first fault, or "".
class selection_checker {
 public:
  selection_checker(const wf::selection_problem& problem, const wf::selection& selection)
      : p_(problem), s_(selection) {}

  std::string check() const {
    if (s_.chosen.size() != p_.classes) return "it has not one entry for each class";
    for (std::uint32_t k = 0; k < p_.classes; ++k)
      if (s_.chosen[k] != wf::no_candidate &&
          (s_.chosen[k] >= p_.candidates.size() || p_.candidates[s_.chosen[k]].owner != k))
        return "class " + std::to_string(k) + " has a candidate of another class";
    std::string wrong = check_closure();
    if (wrong.empty()) wrong = check_pairs();
    if (wrong.empty()) wrong = check_totals();
    return wrong;
  }

  /// The value of the objective, a weighted sum.
  std::int64_t objective() const {
    std::int64_t out = 0;
    for (const wf::objective_term& t : p_.objective.terms) out += t.weight * s_.totals[t.metric];
    return out;
  }

 private:
  /// Depth-first search from the roots; reaching an open class closes a cycle.
  std::string check_closure() const {
    enum class state : std::uint8_t { unseen, open, done };
    std::vector<state> known(p_.classes, state::unseen);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // a class, the index of its next
                                                              // child
    for (const std::uint32_t root : p_.roots) {
      if (known[root] == state::unseen) path.emplace_back(root, 0);
      while (!path.empty()) {
        const std::uint32_t k = path.back().first;
        const std::uint32_t n = s_.chosen[k];
        if (n == wf::no_candidate) return "class " + std::to_string(k) + " is needed and missing";
        known[k] = state::open;
        const wf::view<std::uint32_t> needs = p_.children_of(n);
        if (path.back().second == needs.size()) {
          known[k] = state::done;
          path.pop_back();
          continue;
        }
        const std::uint32_t child = needs[path.back().second++];
        if (known[child] == state::open) return "class " + std::to_string(child) + " needs itself";
        if (known[child] == state::unseen) path.emplace_back(child, 0);
      }
    }
    for (std::uint32_t k = 0; k < p_.classes; ++k)
      if (known[k] == state::unseen && s_.chosen[k] != wf::no_candidate)
        return "class " + std::to_string(k) + " is not needed but has a candidate";
    return {};
  }

  /// The number of nodes on the longest path: heights grow from 1 until each class is above all
  /// that it needs. Requires that there is no cycle.
  std::int64_t depth() const {
    std::vector<std::int64_t> height(p_.classes, 1);
    std::int64_t most = 1;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t k = 0; k < p_.classes; ++k) {
        if (s_.chosen[k] == wf::no_candidate) continue;
        for (const std::uint32_t child : p_.children_of(s_.chosen[k])) {
          if (height[k] > height[child]) continue;
          height[k] = height[child] + 1;
          grows = true;
        }
        most = std::max(most, height[k]);
      }
    }
    return most;
  }

  bool is_chosen(std::uint32_t n) const { return s_.chosen[p_.candidates[n].owner] == n; }

  std::string check_pairs() const {
    for (const wf::selection_pair& pair : p_.pairs)
      if (pair.excluded && is_chosen(pair.first) && is_chosen(pair.second))
        return "candidates " + std::to_string(pair.first) + " and " + std::to_string(pair.second) +
               " exclude each other";
    return {};
  }

  std::string check_totals() const {
    if (s_.totals.size() != p_.metrics.size()) return "it has not one total for each metric";
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      const bool sum = p_.metrics[m].kind == wf::aggregation::sum;
      const bool measured = p_.metrics[m].kind == wf::aggregation::measured;
      std::int64_t total = measured ? depth() : 0;
      for (const std::uint32_t n : s_.chosen)
        if (n != wf::no_candidate)
          total = sum ? total + p_.cost(n, m) : std::max(total, p_.cost(n, m));
      for (std::size_t i = 0; i < p_.pairs.size(); ++i)
        if (!p_.pairs[i].excluded && is_chosen(p_.pairs[i].first) && is_chosen(p_.pairs[i].second))
          total += p_.pair_costs[i * p_.metrics.size() + m];
      if (total != s_.totals[m])
        return "metric " + std::to_string(m) + " totals " + std::to_string(total) + ", not " +
               std::to_string(s_.totals[m]);
      for (const wf::selection_limit& limit : p_.limits)
        if (limit.metric == m && total > limit.maximum)
          return "metric " + std::to_string(m) + " totals " + std::to_string(total) +
                 ", more than its limit of " + std::to_string(limit.maximum);
    }
    return {};
  }

  const wf::selection_problem& p_;
  const wf::selection& s_;
};

}  // namespace selection_benchmark
