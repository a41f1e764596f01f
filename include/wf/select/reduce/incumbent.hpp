// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/select/pairs.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/exchange.hpp>
#include <wf/select/reduce/reduce.hpp>

namespace wf::detail {

/// Prices and improves choices of one candidate for every class of a reduced problem, needed or
/// not: the quick way to a first solution. The hook measures, unless it is null.
class choice_pricer {
 public:
  constexpr choice_pricer(const selection_problem& problem, const selection_stage& stage,
                          const reduced_selection& reduced, const any_measure* measure)
      : p_(problem), stage_(stage), r_(reduced), measure_(measure), pairs_(reduced.pairs) {
    for (std::uint32_t m = 0; m < problem.metrics.size(); ++m)
      if (problem.metrics[m].kind == aggregation::critical_path) paths_.push_back(m);
    length_ = table<std::int64_t>(paths_.size() * reduced.classes);
  }

  /// The needed part of the choice priced last, as a selection in the problem's numbers.
  constexpr const selection& priced() const { return selection_; }
  /// The needed classes of the choice priced last, in the reduced problem's numbers.
  constexpr const table<std::uint32_t>& needed() const { return needed_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const { return steps_; }

  /// Prices a choice: follows it from the roots, adds up and measures. O(needed classes and their
  /// children), and the hook.
  constexpr priced_choice price(const table<std::uint32_t>& choice) {
    if (!collect(choice)) return {};
    const std::int64_t excluded = add_pairs();
    priced_choice out = add_up(excluded);
    if (measure_ == nullptr || !out.better_than(bar_)) return out;  // measuring only adds
    if (!measure()) return {};
    out = add_up(excluded);
    if (is_exchanging_ && out.better_than(bar_)) bar_ = out;
    return out;
  }

  /// The choice of least cost in a column if nothing were shared; every class gets an acyclic
  /// derivation. Only strict improvements count, so that even free cycles never close.
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

  /// Sets class `k` of the choice to candidate `n` and prices it.
  constexpr priced_choice exchange(table<std::uint32_t>& choice, std::uint32_t k, std::uint32_t n) {
    choice[k] = n;
    return price(choice);
  }
  /// Undoes an exchange: class `k` takes `before` again.
  constexpr void take_back(table<std::uint32_t>& choice, std::uint32_t k,
                           std::uint32_t before) const {
    choice[k] = before;
  }

  /// Exchanges single candidates of needed classes while the price improves, in at most `rounds`
  /// sweeps and about `budget` steps. Prices the resulting choice.
  constexpr priced_choice improve(table<std::uint32_t>& choice, int rounds, std::uint64_t budget) {
    is_exchanging_ = true;
    detail::exchange(*this, choice, r_.first, [](std::uint32_t) { return true; }, rounds, budget);
    is_exchanging_ = false;
    bar_ = {};
    return price(choice);
  }

 private:
  /// True if every child has a choice; the tree values cannot tell, as they may saturate.
  constexpr bool finished(const table<std::uint32_t>& choice, std::uint32_t n) const {
    for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i)
      if (choice[r_.child[i]] == no_candidate) return false;
    return true;
  }

  /// Steps charged for each measured class: its node is copied into a graph and priced.
  static constexpr std::uint64_t steps_of_measure = 120;

  /// Adds the hook's measurements to the totals; false if it rejects the selection. The last
  /// selections are cached: measuring may be expensive, and exchanges and searches revisit them.
  constexpr bool measure() {
    for (const remembered& r : memory_) {
      if (!(r.chosen == selection_.chosen)) continue;
      if (r.possible) selection_.totals = r.totals;
      return r.possible;
    }
    remembered now{selection_.chosen, {}, true};
    steps_ += steps_of_measure * needed_.size();
    for (std::uint32_t m = 0; m < p_.metrics.size() && now.possible; ++m) {
      const bool counts = stage_.weight[m] != 0 || stage_.maximum[m] != unbounded;
      if (p_.metrics[m].kind != aggregation::measured || !counts) continue;
      now.possible = measure_total(*measure_, p_, selection_, m);
    }
    now.totals = selection_.totals;
    const bool possible = now.possible;
    if (memory_.size() < most_remembered)
      memory_.push_back(static_cast<remembered&&>(now));
    else
      memory_[next_++ % most_remembered] = static_cast<remembered&&>(now);
    return possible;
  }

  /// Computes the excess and the objective from the totals.
  constexpr priced_choice add_up(std::int64_t excluded) const {
    priced_choice out{true, excluded, 0};
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      const std::int64_t total = selection_.totals[m];
      std::int64_t part = 0;
      if (total > stage_.maximum[m])
        out.excess = saturating_add(out.excess, total - stage_.maximum[m]);
      out.objective = checked_multiply(stage_.weight[m], total, part)
                          ? saturating_add(out.objective, part)
                          : unbounded;
    }
    return out;
  }

  /// Adds the costs of pairs to the totals; returns the number of excluded pairs that are chosen.
  constexpr std::int64_t add_pairs() {
    std::int64_t excluded = 0;
    if (pairs_.empty()) return excluded;
    for (const std::uint32_t k : needed_) {
      const std::uint32_t n = selection_.chosen[r_.class_of[k]];
      for (const pair_index::neighbour& other : pairs_.of(n)) {
        ++steps_;
        if (other.candidate > n) break;  // each pair counts once
        if (selection_.chosen[p_.candidates[other.candidate].owner] != other.candidate) continue;
        excluded += other.excluded;
        for (std::uint32_t m = 0; m < p_.metrics.size(); ++m)
          if (!other.excluded) selection_.totals[m] += pairs_.cost(other, m);
      }
    }
    return excluded;
  }

  /// Fills selection_ and needed_; false if the choice is cyclic. Depth-first search with three
  /// colours.
  constexpr bool collect(const table<std::uint32_t>& choice) {
    selection_.chosen = table<std::uint32_t>(p_.classes, no_candidate);
    selection_.totals = table<std::int64_t>(p_.metrics.size());
    needed_.clear();
    colour_ = table<std::uint8_t>(r_.classes);
    path_.clear();
    for (const std::uint32_t root : r_.roots) {
      ++steps_;
      if (!enter(root, choice)) return false;
      while (!path_.empty()) {
        frame& f = path_.back();
        if (f.next == r_.child_first[choice[f.k] + 1]) {
          colour_[f.k] = 2;
          lengthen_paths(f.k, choice[f.k]);
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

  /// Computes the longest paths from a class whose children are done.
  constexpr void lengthen_paths(std::uint32_t k, std::uint32_t n) {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      std::int64_t* const length = length_.data() + i * r_.classes;
      std::int64_t below = 0;
      for (std::uint32_t c = r_.child_first[n]; c < r_.child_first[n + 1]; ++c)
        if (below < length[r_.child[c]]) below = length[r_.child[c]];
      length[k] = r_.column(paths_[i])[n] + below;
      if (selection_.totals[paths_[i]] < length[k]) selection_.totals[paths_[i]] = length[k];
    }
  }

  struct frame {
    std::uint32_t k = 0, next = 0;
  };
  struct remembered {
    table<std::uint32_t> chosen;
    table<std::int64_t> totals;
    bool possible = true;
  };
  static constexpr std::size_t most_remembered = 64;

  const selection_problem& p_;
  const selection_stage& stage_;
  const reduced_selection& r_;
  const any_measure* measure_;
  const pair_index& pairs_;
  std::uint64_t steps_ = 0;
  table<remembered> memory_;
  std::size_t next_ = 0;
  bool is_exchanging_ = false;
  priced_choice bar_;  ///< only choices better than this are measured
  selection selection_;
  table<std::uint32_t> paths_;  ///< the critical-path metrics
  table<std::int64_t> length_;  ///< longest path in `paths_[i]` below class k, at `i * classes + k`
  table<std::uint32_t> needed_;
  table<std::uint8_t> colour_;
  table<frame> path_;
};

}  // namespace wf::detail
