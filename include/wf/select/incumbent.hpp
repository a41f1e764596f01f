// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/table.hpp>
#include <wf/select/exchange.hpp>
#include <wf/select/pairs.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce.hpp>

namespace wf::detail {

/// Prices and improves choices of one candidate for every class of a reduced problem, needed or
/// not: the quick way to a first solution.
template <class Measure>
class choice_pricer {
 public:
  constexpr choice_pricer(const selection_problem& problem, const selection_stage& stage,
                          const reduced_selection& reduced, Measure& measure)
      : p_(problem), stage_(stage), r_(reduced), measure_(measure), pairs_(reduced.pairs) {}

  /// The selection, in the problem's numbers, that the last `price` found needed.
  constexpr const selection& priced() const { return selection_; }
  /// The classes that the last `price` found needed.
  constexpr const table<std::uint32_t>& needed() const { return needed_; }
  /// Innermost visits made so far.
  constexpr std::uint64_t steps() const { return steps_; }

  /// Follows a choice from the roots, adds up, measures. O(needed classes and their children).
  constexpr priced_choice price(const table<std::uint32_t>& choice) {
    priced_choice out;
    if (!collect(choice)) return out;
    out.objective = 0;
    out.excess = add_pairs();
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      std::int64_t total = selection_.totals[m];
      if constexpr (selection_measure<Measure>) {
        const bool counts = stage_.weight[m] != 0 || stage_.maximum[m] != unbounded;
        if (p_.metrics[m].kind == aggregation::measured && counts) {
          const std::int64_t measured = measure_(p_, static_cast<const selection&>(selection_), m);
          if (measured < 0) return {};
          if (total < measured) total = selection_.totals[m] = measured;
        }
      }
      std::int64_t part = 0;
      if (total > stage_.maximum[m])
        out.excess = saturating_add(out.excess, total - stage_.maximum[m]);
      out.objective = checked_multiply(stage_.weight[m], total, part)
                          ? saturating_add(out.objective, part)
                          : unbounded;
    }
    out.possible = true;
    return out;
  }

  /// The choice of least cost in a column if nothing were shared; every class finishes. Strict
  /// improvement only, so that even free cycles never close.
  constexpr table<std::uint32_t> cheapest_trees(std::size_t column) {
    const std::int64_t* const own = r_.column(column);
    table<std::uint32_t> choice(r_.classes, no_candidate);
    table<std::int64_t> value(r_.classes, unbounded);
    for (std::uint32_t begin = 0; begin < r_.classes; begin = r_.block_last[begin])
      for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t n = r_.first[begin]; n < r_.first[r_.block_last[begin]]; ++n) {
          std::int64_t all = own[n];
          for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i, ++steps_)
            all = saturating_add(all, value[r_.child[i]]);
          const std::uint32_t k = r_.owner[n];
          if (all > value[k] || (all == value[k] && choice[k] != no_candidate)) continue;
          if (all == unbounded && !finished(choice, n)) continue;
          value[k] = all;
          choice[k] = n;
          changed = true;
        }
        if (r_.block_last[begin] - begin == 1) break;
      }
    return choice;
  }

  /// Prices the choice with candidate `n` of class `k`.
  constexpr priced_choice exchange(table<std::uint32_t>& choice, std::uint32_t k, std::uint32_t n) {
    choice[k] = n;
    return price(choice);
  }
  /// Takes an exchange back.
  constexpr void take_back(table<std::uint32_t>& choice, std::uint32_t k,
                           std::uint32_t before) const {
    choice[k] = before;
  }

  /// Exchanges single candidates of needed classes while that is better; at most `rounds` sweeps
  /// and about `budget` steps. Prices the choice that it leaves.
  constexpr priced_choice improve(table<std::uint32_t>& choice, int rounds, std::uint64_t budget) {
    return detail::exchange(
        *this, choice, r_.first, [](std::uint32_t) { return true; }, rounds, budget);
  }

 private:
  /// True if every child has a choice: the tree values may saturate.
  constexpr bool finished(const table<std::uint32_t>& choice, std::uint32_t n) const {
    for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
      if (choice[r_.child[i]] == no_candidate) return false;
    return true;
  }

  /// Adds what pairs cost to the totals; returns how many chosen candidates exclude each other.
  constexpr std::int64_t add_pairs() {
    std::int64_t excluded = 0;
    if (pairs_.empty()) return excluded;
    for (const std::uint32_t k : needed_) {
      const std::uint32_t n = selection_.chosen[r_.class_of[k]];
      for (const pair_index::neighbour& other : pairs_.of(n)) {
        ++steps_;
        if (other.candidate > n) break;  // once is enough
        if (selection_.chosen[p_.candidates[other.candidate].owner] != other.candidate) continue;
        excluded += other.excluded;
        for (std::uint32_t m = 0; m < p_.metrics.size(); ++m)
          if (!other.excluded) selection_.totals[m] += pairs_.cost(other, m);
      }
    }
    return excluded;
  }

  /// Fills selection_ and needed_; false if the choice is cyclic. Depth-first with three colours.
  constexpr bool collect(const table<std::uint32_t>& choice) {
    selection_.chosen = table<std::uint32_t>(p_.classes, no_candidate);
    selection_.totals = table<std::int64_t>(p_.metrics.size());
    needed_.clear();
    colour_ = table<std::uint8_t>(r_.classes);
    path_.clear();
    for (const std::uint32_t root : r_.roots) {
      if (!enter(root, choice)) return false;
      while (!path_.empty()) {
        frame& f = path_.back();
        if (f.next == r_.child_first[choice[f.k] + 1]) {
          colour_[f.k] = 2;
          path_.pop_back();
        } else if (++steps_; !enter(r_.child[f.next++], choice)) {
          return false;
        }
      }
    }
    return true;
  }

  constexpr bool enter(std::uint32_t k, const table<std::uint32_t>& choice) {
    if (colour_[k] != 0) return colour_[k] == 2;
    colour_[k] = 1;
    const std::uint32_t n = choice[k];
    if (n == no_candidate) return false;
    needed_.push_back(k);
    path_.push_back({k, r_.child_first[n]});
    selection_.chosen[r_.class_of[k]] = r_.candidate_of[n];
    for (std::size_t m = 0; m < p_.metrics.size(); ++m) {
      const std::int64_t cost = r_.column(m)[n];
      std::int64_t& total = selection_.totals[m];
      if (p_.metrics[m].kind == aggregation::sum)
        total += cost;
      else if (total < cost)
        total = cost;
    }
    return true;
  }

  struct frame {
    std::uint32_t k = 0, next = 0;
  };

  const selection_problem& p_;
  const selection_stage& stage_;
  const reduced_selection& r_;
  Measure& measure_;
  const pair_index& pairs_;
  std::uint64_t steps_ = 0;
  selection selection_;
  table<std::uint32_t> needed_;
  table<std::uint8_t> colour_;
  table<frame> path_;
};

}  // namespace wf::detail
