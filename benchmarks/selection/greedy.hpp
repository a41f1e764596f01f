// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <wf/select/problem.hpp>

#include <selection/heuristic.hpp>

namespace selection_benchmark {

/// The published greedy heuristics. E-graphs: the "faster greedy DAG" of the extraction-gym, which
/// gives each class the candidate of the cheapest set of classes, until nothing changes. Limits:
/// first the least use of all limits, then the exchanges with the largest gain per use (the
/// heuristics of Moser and Khan). Pairs: the class with the fewest possible candidates first, with
/// its cheapest candidate.
class greedy_selection : heuristic_base {
 public:
  using heuristic_base::heuristic_base;

  /// False if it finds no selection.
  bool run(wf::selection& out) {
    chosen_.assign(p_.classes, wf::no_candidate);
    const bool found = !p_.limits.empty() ? knapsack() : !p_.pairs.empty() ? graph() : sets();
    if (!found) return false;
    out.chosen = wf::table<std::uint32_t>(wf::view<std::uint32_t>(chosen_));
    price(p_, out);
    return true;
  }

 private:
  /// A set of classes that are chosen together: their total cost, and the classes in order.
  struct cost_set {
    std::int64_t total = impossible;
    std::uint32_t choice = wf::no_candidate;
    std::vector<std::pair<std::uint32_t, std::int64_t>> costs;
  };

  bool sets() {
    std::vector<cost_set> best(p_.classes);
    std::vector<std::vector<std::uint32_t>> users(p_.classes);
    std::queue<std::uint32_t> waiting;
    std::vector<char> queued(p_.candidates.size(), 0);
    for (std::uint32_t n = 0; n < p_.candidates.size(); ++n) {
      for (const std::uint32_t child : p_.children_of(n)) users[child].push_back(n);
      if (p_.candidates[n].children.count == 0) waiting.push(n), queued[n] = 1;
    }
    while (!waiting.empty()) {
      const std::uint32_t n = waiting.front(), k = p_.candidates[n].owner;
      waiting.pop();
      queued[n] = 0;
      cost_set found = united(best, n, best[k].total);
      if (found.total >= best[k].total) continue;
      best[k] = std::move(found);
      for (const std::uint32_t user : users[k])
        if (!queued[user]) waiting.push(user), queued[user] = 1;
    }
    std::vector<std::uint32_t> open;
    const auto need = [&](std::uint32_t k) {
      if (chosen_[k] != wf::no_candidate) return;
      chosen_[k] = best[k].choice;
      open.push_back(k);
    };
    for (const std::uint32_t root : p_.roots) need(root);
    while (!open.empty()) {
      const std::uint32_t k = open.back();
      open.pop_back();
      if (chosen_[k] == wf::no_candidate) return false;
      for (const std::uint32_t child : p_.children_of(chosen_[k])) need(child);
    }
    return true;
  }

  /// The set of a candidate, united from its children's sets; empty if the candidate needs its own
  /// class or costs at least `below`.
  cost_set united(const std::vector<cost_set>& best, std::uint32_t n, std::int64_t below) const {
    const std::uint32_t k = p_.candidates[n].owner;
    cost_set out;
    for (const std::uint32_t child : p_.children_of(n)) {
      if (best[child].total == impossible || child == k) return {};
      out.costs.insert(out.costs.end(), best[child].costs.begin(), best[child].costs.end());
      if (p_.candidates[n].children.count == 1 && best[child].total >= below) return {};
    }
    std::sort(out.costs.begin(), out.costs.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    out.costs.erase(std::unique(out.costs.begin(), out.costs.end(), same), out.costs.end());
    const auto own = std::lower_bound(out.costs.begin(), out.costs.end(), std::pair{k, INT64_MIN});
    if (own != out.costs.end() && own->first == k) return {};
    out.costs.insert(own, {k, cost(n)});
    out.total = 0;
    for (const auto& one : out.costs) out.total += one.second;
    out.choice = n;
    return out;
  }

  /// The sum over all limits of the share of the limit that a candidate uses.
  double use(std::uint32_t n) const {
    double out = 0;
    for (const wf::selection_limit& limit : p_.limits)
      out += static_cast<double>(p_.cost(n, limit.metric)) /
             static_cast<double>(std::max<std::int64_t>(limit.maximum, 1));
    return out;
  }

  bool fits(std::uint32_t without, std::uint32_t with) const {
    for (std::size_t i = 0; i < p_.limits.size(); ++i) {
      const std::uint32_t m = p_.limits[i].metric;
      if (used_[i] - p_.cost(without, m) + p_.cost(with, m) > p_.limits[i].maximum) return false;
    }
    return true;
  }

  void put(std::uint32_t k, std::uint32_t n) {
    for (std::size_t i = 0; i < p_.limits.size(); ++i) {
      if (chosen_[k] != wf::no_candidate) used_[i] -= p_.cost(chosen_[k], p_.limits[i].metric);
      used_[i] += p_.cost(n, p_.limits[i].metric);
    }
    chosen_[k] = n;
  }

  bool knapsack() {
    used_.assign(p_.limits.size(), 0);
    for (std::uint32_t k = 0; k < p_.classes; ++k) {
      if (of_class_[k].empty()) return false;
      put(k, *std::min_element(of_class_[k].begin(), of_class_[k].end(),
                               [&](auto a, auto b) { return use(a) < use(b); }));
    }
    for (;;) {
      double most = 0;
      std::uint32_t best = wf::no_candidate;
      for (std::uint32_t n = 0; n < p_.candidates.size(); ++n) {
        const std::uint32_t old = chosen_[p_.candidates[n].owner];
        if (cost(n) >= cost(old) || !fits(old, n)) continue;
        const double more = std::max(use(n) - use(old), 1e-9);
        const double gain = static_cast<double>(cost(old) - cost(n)) / more;
        if (gain > most) most = gain, best = n;
      }
      if (best == wf::no_candidate) break;
      put(p_.candidates[best].owner, best);
    }
    for (std::size_t i = 0; i < p_.limits.size(); ++i)
      if (used_[i] > p_.limits[i].maximum) return false;
    return true;
  }

  bool graph() {
    std::vector<std::uint32_t> possible(p_.classes);
    std::vector<char> lost(p_.candidates.size(), 0);
    using entry = std::pair<std::uint32_t, std::uint32_t>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> waiting;
    for (std::uint32_t k = 0; k < p_.classes; ++k) {
      possible[k] = static_cast<std::uint32_t>(of_class_[k].size());
      waiting.push({possible[k], k});
    }
    while (!waiting.empty()) {
      const auto [left, k] = waiting.top();
      waiting.pop();
      if (chosen_[k] != wf::no_candidate || left != possible[k]) continue;
      std::int64_t least = impossible;
      for (const std::uint32_t n : of_class_[k])
        if (const std::int64_t price = lost[n] ? impossible : beside(chosen_, n); price < least)
          least = price, chosen_[k] = n;
      if (least == impossible) return false;
      if (pairs_.empty()) continue;
      for (const partner& other : pairs_[chosen_[k]]) {
        if (!p_.pairs[other.pair].excluded || lost[other.candidate]) continue;
        lost[other.candidate] = 1;
        const std::uint32_t owner = p_.candidates[other.candidate].owner;
        waiting.push({--possible[owner], owner});
      }
    }
    return true;
  }

  std::vector<std::uint32_t> chosen_;
  std::vector<std::int64_t> used_;
};

}  // namespace selection_benchmark
