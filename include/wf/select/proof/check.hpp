// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <wf/core/integer.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/check_rows.hpp>
#include <wf/select/proof/check_tree.hpp>
#include <wf/select/proof/proof.hpp>

namespace wf::detail {

/// Checks one level of a proof, from the definition of the problem and the rules of
/// docs/explanation/selection.md alone: shares nothing with the engine but the two value types.
///
/// Invariant: if some selection within the limits costs less than the value of every open case,
/// then some such selection takes none of the dropped literals.
class proof_level_checker : proof_rows {
 public:
  proof_level_checker(const selection_problem& problem, const selection_proof& proof,
                      std::size_t level)
      : proof_rows(problem, proof, level) {}

  /// The first error of the proof, or an empty string if it holds.
  std::string check() {
    if (std::string wrong = begin(); !wrong.empty()) return wrong;
    literals classes(p_.classes);
    std::iota(classes.begin(), classes.end(), 0U);
    open(kind::whole, l_.value, classes);
    if (dead_) close_case();
    for (std::size_t at = 0; at < l_.steps.size(); ++at) {
      const proof_step& s = l_.steps[at];
      if (cases_.empty()) return "there are steps after the end";
      // Must sets of an earlier state are subsets of the present ones and often suffice.
      if (!holds(s) && !(stale_ && branches_ == 0 && (find_must_sets(), holds(s))))
        return "step " + std::to_string(at) + " does not hold";
      apply(s);
      if (dead_) close_case();
    }
    return cases_.empty() ? "" : "it ends before its cases are closed";
  }

 private:
  enum class kind : std::uint8_t { whole, lemma, first_side, second_side };
  struct open_case {
    kind what = kind::whole;
    std::size_t mark = 0;     ///< size of `trail_` when the case was opened
    int128 value = 0;         ///< the cost to be proven
    int128 most = 0;          ///< the largest cost below it that can occur
    int128 base = 0;          ///< the total value of lemmas proven in the case
    literals classes;         ///< for a lemma: its classes
    std::uint32_t taken = 0;  ///< for a branch: its literal
    bool drops = false;       ///< for a branch: true on the side that drops the literal
  };

  // --- rules -------------------------------------------------------------------------------------

  bool is_here(std::uint32_t k) const {
    return is_class(k) && place_[k] + 1 == cases_.size() - branches_ && !gone_[k];
  }

  bool holds(const proof_step& s) {
    const std::size_t pool = has_prices(s.rule) ? l_.prices.size() : l_.literals.size();
    if (s.run.first > pool || s.run.count > pool - s.run.first) return false;
    run_ = has_prices(s.rule) ? literals{}
                              : literals(l_.literals.begin() + s.run.first,
                                         l_.literals.begin() + s.run.first + s.run.count);
    switch (s.rule) {
      case proof_rule::cyclic:
        return is_candidate(s.first) && leads_to(s.first, group_[s.first]);
      case proof_rule::subsumed:
        return is_subsumed(s.first, s.second);
      case proof_rule::fold:
        return can_fold(s.first, s.second);
      case proof_rule::merge:
        return can_merge(s.first, s.second) && can_merge(s.second, s.first);
      case proof_rule::support:
        return s.first < members_.size() && excludes(s.first);
      case proof_rule::lemma:
        return branches_ == 0 && !run_.empty() &&
               std::set(run_.begin(), run_.end()).size() == run_.size() &&
               std::all_of(run_.begin(), run_.end(), [&](std::uint32_t k) { return is_here(k); });
      case proof_rule::row:
        return branches_ == 0 && is_row();
      case proof_rule::join:
        return branches_ == 0 && is_here(s.first) && is_here(s.second) && s.first != s.second &&
               !joined_.contains(std::minmax(s.first, s.second));
      case proof_rule::cut:
        return branches_ == 0 && is_sum(s);
      case proof_rule::ring:
        return branches_ == 0 && !run_.empty() &&
               std::all_of(run_.begin(), run_.end(), [&](std::uint32_t k) { return is_class(k); });
      case proof_rule::prices:
        return are_prices(s);
      case proof_rule::bound:
        return reaches();
      case proof_rule::branch:
        return s.first < alive_.size() && alive_[s.first] && s.second < 2;
      case proof_rule::cycle:
        return is_class(s.first) && !alive_[off(s.first)] && leads_back(s.first);
      case proof_rule::tree:
        return cases_.size() == 1 && cases_[0].base == 0 && !must_.empty() &&
               std::count(gone_.begin(), gone_.end(), true) == 0 &&
               proof_tree(*this).least(l_.prices.data() + s.run.first, s.run.count) >
                   cases_[0].most;
    }
    return false;
  }

  bool is_subsumed(std::uint32_t n, std::uint32_t by) const {
    if (branches_ != 0 || !is_candidate(n) || !is_candidate(by) || n == by ||
        group_[n] != group_[by] || !alive_[n] || !alive_[by] || !is_here(group_[n]))
      return false;
    for (std::size_t c = 0; c < cost_[n].size(); ++c)
      if (cost_[by][c] > cost_[n][c]) return false;
    for (const std::uint32_t other : near_[by]) {
      const interference *const mine = between(by, other), *const its = between(n, other);
      if (its != nullptr && its->excluded) continue;
      if (mine->excluded) return false;
      for (std::size_t c = 0; c < mine->cost.size(); ++c)
        if (mine->cost[c] > (its == nullptr ? 0 : its->cost[c])) return false;
    }
    std::set<std::uint32_t> open;
    for (const std::uint32_t c : p_.children_of(by))
      if (!costs_nothing(c, n, open)) return false;
    return true;
  }
  /// True if a selection with candidate `n` contains class `c`, or can contain it at no cost, in
  /// both cases apart from the class of `n` and without a path back to it.
  bool costs_nothing(std::uint32_t c, std::uint32_t n, std::set<std::uint32_t>& open) const {
    if (c == group_[n]) return false;
    if (leads_to(n, c) || (!alive_[off(c)] && !can_reach(c, group_[n]))) return true;
    const std::uint32_t only = single(c);
    if (only == none || !near_[only].empty() || !open.insert(c).second) return false;
    for (const std::int64_t cost : cost_[only])
      if (cost != 0 && !gone_[c]) return false;
    for (const std::uint32_t d : p_.children_of(only))
      if (!costs_nothing(d, n, open)) return false;
    open.erase(c);
    return true;
  }

  /// True if class `k` is optional and has one candidate, which has no pairs.
  bool is_simple(std::uint32_t k) const {
    return is_here(k) && alive_[off(k)] && single(k) != none && near_[single(k)].empty();
  }
  bool surely_needs(std::uint32_t n, std::uint32_t e) const {
    return needs(n, e) || needs(payer(n), e);
  }
  bool can_fold(std::uint32_t k, std::uint32_t n) const {
    if (branches_ != 0 || !is_simple(k) || !is_candidate(n) || !alive_[n] || group_[n] == k ||
        !is_here(group_[n]) || must_.empty())
      return false;
    bool needed = needs(n, k);
    for (const std::uint32_t u : users_[k]) {
      if (!alive_[u] || !reached_[group_[u]]) continue;
      if (payer(u) != n && (single(group_[n]) != n || !surely_needs(u, group_[n]))) return false;
      needed = needed || payer(u) == n;
    }
    return needed;
  }
  /// True if every selection with class `k` has class `e`.
  bool can_merge(std::uint32_t k, std::uint32_t e) const {
    if (branches_ != 0 || !is_simple(k) || !is_simple(e) || k == e || must_.empty()) return false;
    for (const std::uint32_t u : users_[k])
      if (alive_[u] && reached_[group_[u]] && group_[u] != e && !surely_needs(u, e)) return false;
    return true;
  }

  /// True if the classes with a single candidate lead from class `k` back to it.
  bool leads_back(std::uint32_t k) const {
    std::vector<bool> seen(p_.classes);
    for (literals rest{k}; !rest.empty();) {
      const std::uint32_t n = single(rest.back());
      rest.pop_back();
      if (n == none) continue;
      for (const std::uint32_t c : p_.children_of(n)) {
        if (c == k) return true;
        if (!seen[c]) rest.push_back(c);
        seen[c] = true;
      }
    }
    return false;
  }

  // --- cuts --------------------------------------------------------------------------------------

  /// True if the rows and classes of a cut exist and its numbers are at most 2^20.
  bool is_sum(const proof_step& s) const {
    for (std::uint32_t i = s.run.first; i < s.run.first + s.run.count; ++i) {
      const auto [of, times] = l_.prices[i];
      const std::uint32_t what = of / 2;
      if (times < 0 || times > 1 << 20) return false;
      if (of % 2 == 1 ? what >= rows_.size()
                      : what >= members_.size() || (is_class(what) && gone_[what]))
        return false;
    }
    return s.value >= 2 && s.value <= 1 << 20;
  }

  // --- bounds ------------------------------------------------------------------------------------

  /// True if amounts are small enough that no sum leaves 128 bits.
  bool are_prices(const proof_step& s) const {
    std::int64_t rest[] = {std::int64_t{1} << 62, std::int64_t{1} << 62};
    for (std::uint32_t i = s.run.first; i < s.run.first + s.run.count; ++i) {
      const auto [of, amount] = l_.prices[i];
      const bool row = of >= p_.metrics.size();
      if (amount < 0 || amount > rest[row] ||
          (row ? of - p_.metrics.size() >= rows_.size() : column(of) == columns_.size()))
        return false;
      rest[row] -= amount;
    }
    return s.value >= 0 && s.value <= 1 << 20;
  }
  std::size_t column(std::uint32_t metric) const {
    std::size_t c = 0;
    while (c < columns_.size() && columns_[c].first != metric) ++c;
    return c;
  }
  void set_prices(const proof_step& s) {
    std::vector<std::int64_t> row_price(rows_.size());
    limit_price_.assign(columns_.size(), 0);
    price_.assign(alive_.size(), 0);
    scale_ = s.value, paid_ = 0;
    for (std::uint32_t i = s.run.first; i < s.run.first + s.run.count; ++i) {
      const auto [of, amount] = l_.prices[i];
      if (of < p_.metrics.size())
        limit_price_[column(of)] += amount;
      else
        row_price[of - p_.metrics.size()] += amount;
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (row_price[r] == 0) continue;
      for (const auto& [x, times] : rows_[r].times) price_[x] += row_price[r] * times;
      paid_ += rows_[r].most * row_price[r] * proof_price_fraction;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c)
      paid_ += int128{limit_price_[c]} * columns_[c].second;
    // A joined literal is in the rows of all literals except its own two.
    for (std::size_t g = p_.classes; g < members_.size(); ++g) {
      int128 total = 0;
      const auto [first, last] = joint_rows_[g - p_.classes];
      for (std::uint32_t r = first; r < last; ++r) total += row_price[r];
      for (const std::uint32_t x : members_[g]) {
        const joint& j = joints_[x - candidates_ - p_.classes];
        price_[x] += total - row_price[j.row_a] - row_price[j.row_b];
      }
    }
  }
  int128 value_of(std::uint32_t x) const {
    int128 out = (int128{cost_[x][0]} * scale_ + price_[x]) * proof_price_fraction;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      out += int128{limit_price_[c]} * cost_[x][c + 1];
    return out;
  }
  /// A lower bound on the priced use of limits by a class outside the case.
  int128 least_use(std::uint32_t k) const {
    int128 out = -1;
    for (const std::uint32_t x : members_[k]) {
      int128 use = 0;
      for (std::size_t c = 0; c < columns_.size(); ++c)
        use += int128{limit_price_[c]} * cost_[x][c + 1];
      if (alive_[x] && (out < 0 || use < out)) out = use;
    }
    return out < 0 ? 0 : out;
  }
  /// True if the prices prove that the case, or each literal of the run, reaches the value.
  bool reaches() const {
    const open_case& c = cases_[cases_.size() - 1 - branches_];
    if (price_.size() != alive_.size()) return false;
    const int128 unit = int128{scale_} * proof_price_fraction;
    std::map<std::uint32_t, int128> least;
    int128 total = c.base * unit - paid_;
    for (const std::uint32_t k : scope_) {
      if (is_class(k) && gone_[k]) continue;
      bool any = false;
      int128 best = 0;
      for (const std::uint32_t x : members_[k])
        if (const int128 value = alive_[x] ? value_of(x) : 0; alive_[x] && (!any || value < best))
          best = value, any = true;
      total += least[k] = best;
    }
    for (std::uint32_t k = 0; k < p_.classes; ++k)
      if (!least.contains(k) && !gone_[k]) total += least_use(k);
    for (const std::uint32_t x : run_)
      if (x >= alive_.size() || !alive_[x] || !least.contains(group_[x]) ||
          total - least[group_[x]] + value_of(x) <= c.most * unit)
        return false;
    return !run_.empty() || total > c.most * unit;
  }

  // --- cases -------------------------------------------------------------------------------------

  void open(kind what, std::int64_t value, const literals& classes) {
    for (const std::uint32_t k : classes) place_[k] = static_cast<std::uint32_t>(cases_.size());
    std::int64_t divisor = 0, fixed = 0;  // gcd of all costs that may be paid; what is paid in any
                                          // case
    for (const std::uint32_t k : classes)
      for (const std::uint32_t n : members_[k])
        if (alive_[n] && left_[k] == 1 && !gone_[k])
          fixed += cost_[n][0];
        else if (alive_[n])
          divisor = std::gcd(divisor, cost_[n][0]);
    for (const auto& [ab, both] : pairs_)
      if (alive_[ab.first] && alive_[ab.second] && !both.excluded &&
          place_[group_[ab.first]] == cases_.size() && place_[group_[ab.second]] == cases_.size())
        divisor = std::gcd(divisor, both.cost[0]);
    std::int64_t most = value - 1;  // the largest sum below the value
    if (most >= fixed) most = divisor == 0 ? fixed : most - (most - fixed) % divisor;
    cases_.push_back({what, trail_.size(), value, most, 0, classes, 0, false});
    forget_rows();
    scope_ = classes;
  }

  void take_side(const open_case& c) {
    if (c.drops) return drop(c.taken);
    for (const std::uint32_t x : members_[group_[c.taken]])
      if (x != c.taken) drop(x);
  }

  void apply(const proof_step& s) {
    const literals run = run_;
    if (s.rule == proof_rule::cyclic || s.rule == proof_rule::subsumed) drop(s.first);
    if (s.rule == proof_rule::fold) pay_with(s.first, s.second, false);
    if (s.rule == proof_rule::merge) pay_with(s.first, single(s.second), true);
    if (s.rule == proof_rule::support || s.rule == proof_rule::bound)
      for (const std::uint32_t x : run) drop(x);
    if (s.rule == proof_rule::cycle || s.rule == proof_rule::tree ||
        (s.rule == proof_rule::bound && run.empty()))
      dead_ = true;
    if (s.rule == proof_rule::lemma) open(kind::lemma, s.value, run);
    if (s.rule == proof_rule::row) rows_.push_back(row_of_literals(run)), price_.clear();
    if (s.rule == proof_rule::cut) rows_.push_back(divided_sum(s)), price_.clear();
    if (s.rule == proof_rule::ring) {
      if (stale_) find_must_sets();
      rows_.push_back(ring_row()), price_.clear();
    }
    if (s.rule == proof_rule::join) join(s.first, s.second);
    if (s.rule == proof_rule::prices) set_prices(s);
    if (s.rule != proof_rule::branch) return;
    cases_.push_back({kind::first_side, trail_.size(), 0, 0, 0, {}, s.first, s.second == 1});
    ++branches_;
    take_side(cases_.back());
  }

  /// Closes the present case and those that it completes.
  void close_case() {
    for (;;) {
      dead_ = false;
      open_case& c = cases_.back();
      undo(c.mark);
      if (c.what == kind::first_side) {
        c.what = kind::second_side;
        c.drops = !c.drops;
        take_side(c);
        if (!dead_) return;
      } else if (c.what == kind::second_side) {
        cases_.pop_back();
        --branches_;
      } else {
        break;
      }
    }
    const open_case done = cases_.back();
    cases_.pop_back();
    forget_rows();
    must_.clear();  // dropped literals are alive again
    stale_ = true;
    for (const std::uint32_t k : done.classes) place_[k] = none;
    if (cases_.empty()) return;
    cases_.back().base += done.value;
    scope_.clear();
    for (const std::uint32_t k : cases_.back().classes)
      if (place_[k] != none) scope_.push_back(k);
  }

  std::vector<std::int64_t> limit_price_;
  std::int64_t scale_ = 1;
  int128 paid_ = 0;
  std::vector<open_case> cases_;
};

}  // namespace wf::detail

namespace wf {

/// Checks the proof of a problem: returns the first error, or an empty string if the proof holds.
/// Recomputes every step exactly, by the rules of docs/explanation/selection.md, from the
/// definition of the problem alone. O(steps of the proof · size of the residual problem).
inline std::string check_proof(const selection_problem& problem, const selection_proof& proof) {
  if (validate(problem).code != errc::none) return "the problem is not valid";
  if (proof.status != proof_status::complete)
    return std::string("there is no proof: ") + to_text(proof.status);
  const std::size_t levels = problem.objective.lexicographic ? problem.objective.terms.size() : 1;
  if (proof.levels.size() != levels) return "it has not one part for each level";
  for (std::size_t i = 0; i < levels; ++i)
    if (std::string wrong = detail::proof_level_checker(problem, proof, i).check(); !wrong.empty())
      return "level " + std::to_string(i) + ": " + wrong;
  return {};
}

}  // namespace wf
