// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/integer.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf::detail {

/// The residual problem at a step of a proof, from the definition of the problem alone: the
/// literals not yet dropped, the classes that are paid with a candidate of another class, and the
/// must sets.
class proof_state {
 public:
  using literals = std::vector<std::uint32_t>;
  static constexpr std::uint32_t none = no_candidate;
  struct change {
    std::uint32_t literal = 0, host = none;  ///< none: dropped; otherwise paid with this candidate
    bool twin = false;
  };
  struct interference {
    bool excluded = false;
    std::vector<std::int64_t> cost;
  };

  /// The state of one level of a proof; call `begin` first.
  proof_state(const selection_problem& problem, const selection_proof& proof, std::size_t level)
      : p_(problem), proof_(proof), level_(level) {}

  // --- the problem -------------------------------------------------------------------------------

  /// Sets up the level; returns the reason why it cannot be checked, or an empty string.
  std::string begin() {
    candidates_ = static_cast<std::uint32_t>(p_.candidates.size());
    std::vector<std::int64_t> weight(p_.metrics.size()), maximum(p_.metrics.size(), INT64_MAX);
    for (const selection_limit& l : p_.limits)
      maximum[l.metric] = std::min(maximum[l.metric], l.maximum);
    for (std::size_t i = 0; i < p_.objective.terms.size(); ++i) {
      const objective_term& t = p_.objective.terms[i];
      if (!p_.objective.lexicographic) weight[t.metric] += t.weight;
      if (p_.objective.lexicographic && i == level_) weight[t.metric] = 1;
      if (p_.objective.lexicographic && i < level_)
        maximum[t.metric] = std::min(maximum[t.metric], proof_.levels[i].value);
    }
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      const bool sum = p_.metrics[m].kind == aggregation::sum, limited = maximum[m] != INT64_MAX;
      if ((!sum && weight[m] != 0) || (p_.metrics[m].kind == aggregation::measured && limited))
        return "the objective and the limits do not add up";
      if (sum && limited) columns_.push_back({m, maximum[m]});
    }
    const auto priced = [&](const std::int64_t* row) {
      std::vector<std::int64_t> out(1);
      for (std::size_t m = 0; m < weight.size(); ++m) out[0] += weight[m] * row[m];
      for (const auto& [m, most] : columns_) out.push_back(row[m]);
      return out;
    };
    const std::uint32_t all = candidates_ + p_.classes;
    left_.resize(p_.classes), members_.resize(p_.classes), users_.resize(p_.classes);
    alive_.assign(all, true), near_.resize(candidates_), twins_.resize(candidates_);
    gone_.assign(p_.classes, false), host_.assign(p_.classes, none), place_.assign(p_.classes, 0);
    for (std::uint32_t n = 0; n < all; ++n) {
      group_.push_back(n < candidates_ ? p_.candidates[n].owner : n - candidates_);
      cost_.push_back(n < candidates_ ? priced(p_.costs.data() + n * p_.metrics.size())
                                      : std::vector<std::int64_t>(1 + columns_.size()));
      members_[group_[n]].push_back(n);
      ++left_[group_[n]];
      if (n < candidates_)
        for (const std::uint32_t c : p_.children_of(n)) users_[c].push_back(n);
    }
    for (std::size_t i = 0; i < p_.pairs.size(); ++i) {
      const auto [a, b] = std::minmax(p_.pairs[i].first, p_.pairs[i].second);
      interference& both = pairs_[{a, b}];
      const auto cost = priced(p_.pair_costs.data() + i * p_.metrics.size());
      both.cost.resize(cost.size());
      for (std::size_t c = 0; c < cost.size(); ++c) both.cost[c] += cost[c];
      both.excluded = both.excluded || p_.pairs[i].excluded;
      near_[a].push_back(b), near_[b].push_back(a);
    }
    for (std::uint32_t n = 0; n < candidates_; ++n)
      for (std::size_t m = 0; m < maximum.size(); ++m)
        if (p_.cost(n, static_cast<std::uint32_t>(m)) > maximum[m]) drop(n);
    for (const std::uint32_t root : p_.roots) drop(off(root));
    return {};
  }

  std::uint32_t off(std::uint32_t k) const { return candidates_ + k; }
  bool is_candidate(std::uint32_t n) const { return n < candidates_; }
  bool is_class(std::uint32_t k) const { return k < p_.classes; }
  /// The only candidate left in a class, or `none` if there is none or more than one.
  std::uint32_t single(std::uint32_t k) const {
    std::uint32_t out = none;
    for (const std::uint32_t n : members_[k])
      if (is_candidate(n) && alive_[n]) {
        if (out != none) return none;
        out = n;
      }
    return out;
  }
  const interference* between(std::uint32_t a, std::uint32_t b) const {
    const auto at = pairs_.find(std::minmax(a, b));
    return at == pairs_.end() ? nullptr : &at->second;
  }

  // --- what needs what ---------------------------------------------------------------------------

  /// Computes `must_`: for each class that roots can need, the classes that every selection with it
  /// needs. These are the greatest sets such that each contains the class and what the children of
  /// all its candidates need.
  void find_must_sets() {
    const std::size_t words = (p_.classes + 63) / 64;
    must_.assign(p_.classes, std::vector<std::uint64_t>(words, ~std::uint64_t{0}));
    reached_.assign(p_.classes, false);
    literals order;  // children first, except in cycles
    std::vector<std::pair<std::uint32_t, literals>> path;
    const auto enter = [&](std::uint32_t k) {
      if (reached_[k]) return;
      reached_[k] = true;
      path.push_back({k, {}});
      for (const std::uint32_t n : members_[k])
        if (is_candidate(n) && alive_[n])
          path.back().second.insert(path.back().second.end(), p_.children_of(n).begin(),
                                    p_.children_of(n).end());
    };
    for (const std::uint32_t root : p_.roots) {
      for (enter(root); !path.empty();) {
        literals& rest = path.back().second;
        if (rest.empty()) {
          order.push_back(path.back().first);
          path.pop_back();
          continue;
        }
        const std::uint32_t next = rest.back();
        rest.pop_back();
        enter(next);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t k : order)
        for (const std::uint32_t n : members_[k]) {
          if (!is_candidate(n) || !alive_[n]) continue;
          std::vector<std::uint64_t> row(words);
          for (const std::uint32_t c : p_.children_of(n))
            for (std::size_t w = 0; w < words; ++w) row[w] |= must_[c][w];
          row[k / 64] |= std::uint64_t{1} << k % 64;
          for (std::size_t w = 0; w < words; ++w) {
            changed = changed || (must_[k][w] & ~row[w]) != 0;
            must_[k][w] &= row[w];
          }
        }
    }
    stale_ = false;
  }

  /// True if in every selection with candidate `n` that candidate leads to class `e`.
  bool leads_to(std::uint32_t n, std::uint32_t e) const {
    if (must_.empty()) return false;
    for (const std::uint32_t c : p_.children_of(n))
      if (must_[c][e / 64] >> e % 64 & 1) return true;
    return false;
  }
  /// True if every selection with candidate `n` has class `e`.
  bool needs(std::uint32_t n, std::uint32_t e) const {
    if (leads_to(n, e)) return true;
    for (const std::uint32_t twin : twins_[n])
      if (needs(twin, e)) return true;
    return false;
  }
  /// The candidate with which the class of a candidate is paid, itself included.
  std::uint32_t payer(std::uint32_t n) const {
    while (gone_[group_[n]]) n = host_[group_[n]];
    return n;
  }
  bool can_reach(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> seen(p_.classes);
    for (literals rest{from}; !rest.empty();) {
      const std::uint32_t k = rest.back();
      rest.pop_back();
      if (k == to) return true;
      if (seen[k]) continue;
      seen[k] = true;
      for (const std::uint32_t n : members_[k])
        if (is_candidate(n) && alive_[n])
          rest.insert(rest.end(), p_.children_of(n).begin(), p_.children_of(n).end());
    }
    return false;
  }

  // --- what changes ------------------------------------------------------------------------------

  void drop(std::uint32_t x) {
    if (!alive_[x]) return;
    alive_[x] = false;
    trail_.push_back({x, none, false});
    if (--left_[group_[x]] == 0) dead_ = true;
    if (is_candidate(x) && branches_ == 0) stale_ = true;
  }
  void pay_with(std::uint32_t k, std::uint32_t host, bool twin) {
    const std::uint32_t n = single(k);
    for (std::size_t c = 0; c < cost_[n].size(); ++c) cost_[host][c] += cost_[n][c];
    if (twin) twins_[host].push_back(n);
    gone_[k] = true, host_[k] = host;
    trail_.push_back({n, host, twin});
  }
  void undo(std::size_t mark) {
    for (; trail_.size() > mark; trail_.pop_back()) {
      const auto [x, host, twin] = trail_.back();
      if (host == none) {
        alive_[x] = true, ++left_[group_[x]];
        continue;
      }
      for (std::size_t c = 0; c < cost_[x].size(); ++c) cost_[host][c] -= cost_[x][c];
      if (twin) twins_[host].pop_back();
      gone_[group_[x]] = false;
    }
  }

  const selection_problem& p_;
  const selection_proof& proof_;
  std::size_t level_;
  std::uint32_t candidates_ = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> columns_;  ///< limited metrics with their
                                                                 ///< limits
  std::vector<std::vector<std::int64_t>> cost_;  ///< by literal: objective, then limited metrics
  std::vector<bool> alive_;                      ///< by literal
  literals group_;                               ///< by literal: its class
  std::vector<literals> members_;                ///< by class: its literals
  literals left_;                                ///< by class: number of live literals
  std::vector<literals> users_;                  ///< by class: the candidates that need it
  std::vector<literals> near_;                   ///< by candidate: those that it has pairs with
  std::map<std::pair<std::uint32_t, std::uint32_t>, interference> pairs_;
  std::vector<bool> gone_;       ///< by class: true if it is paid with a candidate of another class
  literals host_;                ///< by class that is gone: that candidate
  std::vector<literals> twins_;  ///< by candidate: those that are taken if and only if it is
  literals place_;               ///< by class: its case, or `none`
  std::vector<bool> reached_;    ///< by class: true if roots may need it
  std::vector<std::vector<std::uint64_t>> must_;
  std::vector<change> trail_;
  std::size_t branches_ = 0;  ///< number of open branches
  bool stale_ = true;         ///< true if must sets may have grown
  bool dead_ = false;         ///< true if a class has lost its last literal
};

}  // namespace wf::detail
