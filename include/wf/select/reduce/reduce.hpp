// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/components.hpp>
#include <wf/core/container/table.hpp>
#include <wf/select/certificate.hpp>
#include <wf/select/pairs.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/must_sets.hpp>

namespace wf::detail {

/// A scalar problem: minimise a weighted sum of totals within limits.
struct selection_stage {
  table<std::int64_t> weight;   ///< by metric; 0 if it does not count
  table<std::int64_t> maximum;  ///< by metric; `unbounded` if it has no limit
};

/// The problem after the reductions, renumbered: only classes that some selection may need,
/// children before parents except in cycles; the classes of one strongly connected component are
/// consecutive. Arrays are flat; `first` and `child_first` have one entry more than records.
struct reduced_selection {
  bool feasible = true;  ///< false: some root has no candidate left
  std::uint32_t classes = 0;
  std::uint32_t candidates = 0;
  std::uint32_t words = 0;            ///< words in a row of class bits
  std::uint32_t candidate_words = 0;  ///< words in a row of candidate bits
  table<std::uint32_t> class_of;      ///< by class: its number in the problem
  table<std::uint32_t> number_of;     ///< the inverse; `no_candidate` if the class is removed
  table<std::uint32_t> candidate_of;  ///< by candidate: its number in the problem
  table<std::uint32_t> owner;
  table<std::uint32_t> first;        ///< by class: its first candidate
  table<std::uint32_t> child_first;  ///< by candidate: its children, distinct and descending
  table<std::uint32_t> child;
  table<std::uint32_t> block_first;  ///< by class: the first class of its component
  table<std::uint32_t> block_last;   ///< one past the last
  table<word> must;         ///< by class: a row of bits, the classes in every selection with it
  table<std::int64_t> own;  ///< costs by metric; then the sum part of the objective
  table<std::uint32_t> roots;
  table<std::uint8_t> over_limit;  ///< by metric: 1 if its limit removed candidates
  pair_index pairs;                ///< pairs of candidates of the problem
  /// By candidate of the problem: its removal; its `candidate` is `no_candidate` if not removed.
  table<rejection> removed;
  table<std::uint32_t> removal_order;  ///< the problem's candidates that were removed, in order
  std::uint64_t steps = 0;             ///< number of innermost-loop passes

  /// The costs in a metric, by candidate; at the number of metrics, the sum part of the objective.
  constexpr const std::int64_t* column(std::size_t metric) const {
    return own.data() + metric * candidates;
  }
  /// The must set of a class: a row of `words` words with one bit for each class.
  constexpr const word* must_of(std::uint32_t k) const {
    return must.data() + static_cast<std::size_t>(k) * words;
  }
};

/// Fills in the sum part of the objective: the only column that depends on the stage where several
/// stages share a reduction. O(metrics · candidates).
constexpr void price_objective(const selection_problem& problem, const selection_stage& stage,
                               reduced_selection& reduced) {
  const std::size_t metrics = problem.metrics.size();
  std::int64_t* const objective = reduced.own.data() + metrics * reduced.candidates;
  for (std::uint32_t n = 0; n < reduced.candidates; ++n) objective[n] = 0;
  for (std::uint32_t m = 0; m < metrics; ++m) {
    const std::int64_t weight = stage.weight[m];
    if (weight == 0 || problem.metrics[m].kind != aggregation::sum) continue;
    const std::int64_t* const own = reduced.column(m);
    for (std::uint32_t n = 0; n < reduced.candidates; ++n) objective[n] += weight * own[n];
  }
}

/// The reductions. They remove candidates over a limit, candidates that cannot be finished,
/// unreachable classes, candidates whose must set holds their own class, and candidates that
/// another one of the class subsumes (it costs no more and needs only classes of the other's must
/// set, see `must_sets`).
class selection_reducer {
 public:
  constexpr selection_reducer(const selection_problem& problem, const selection_stage& stage)
      : p_(problem), stage_(stage), alive_(problem.candidates.size(), 1) {
    r_.pairs = pair_index(problem);
    r_.removed.resize(p_.candidates.size());
    r_.over_limit = table<std::uint8_t>(p_.metrics.size());
    group_by_class();
  }

  /// Repeats the reductions until they find nothing more, at most three times.
  constexpr reduced_selection run() {
    drop_unfinishable(rejection_kind::unfinishable);
    if (drop_over_limit()) drop_unfinishable(rejection_kind::conflicting_limits);
    for (const std::uint32_t root : p_.roots)
      if (!finishable_[root]) r_.feasible = false;
    for (int round = 0; round < 3 && r_.feasible; ++round) {
      renumber();
      build();
      bool changed = find_must_sets();
      changed = drop_dominated() || changed;
      if (!changed) break;
      if (round == 2) {
        renumber();
        build();
        find_must_sets();
      }
    }
    r_.steps += must_.steps();
    r_.must = must_.take();
    return static_cast<reduced_selection&&>(r_);
  }

 private:
  constexpr void remove(std::uint32_t n, rejection_kind kind) {
    alive_[n] = 0;
    r_.removed[n].candidate = n;
    r_.removed[n].kind = kind;
    r_.removal_order.push_back(n);
  }

  constexpr void group_by_class() {
    group_first_.resize(p_.classes + 1);
    for (const selection_candidate& c : p_.candidates) ++group_first_[c.owner + 1];
    for (std::uint32_t k = 0; k < p_.classes; ++k) group_first_[k + 1] += group_first_[k];
    table<std::uint32_t> at(group_first_);
    group_.resize(p_.candidates.size());
    for (std::uint32_t n = 0; n < p_.candidates.size(); ++n)
      group_[at[p_.candidates[n].owner]++] = n;
  }

  /// Removes candidates with a child that no finite derivation reaches: a worklist over the
  /// finishable classes. O(children).
  constexpr void drop_unfinishable(rejection_kind kind) {
    const std::uint32_t count = static_cast<std::uint32_t>(p_.candidates.size());
    const std::uint32_t* const children = p_.children.data();
    table<std::uint32_t> first_of(p_.classes + 2), user_of(p_.children.size()), missing_of(count),
        ready;
    std::uint32_t *const first = first_of.data(), *const missing = missing_of.data();
    for (const selection_candidate& c : p_.candidates)
      for (std::uint32_t i = 0; i < c.children.count; ++i)
        ++first[children[c.children.first + i] + 2];
    for (std::uint32_t k = 1; k <= p_.classes; ++k) first[k + 1] += first[k];
    user_of.resize(first[p_.classes + 1]);
    std::uint32_t* const users = user_of.data();
    finishable_ = table<std::uint8_t>(p_.classes);
    const auto finish = [&](std::uint32_t n) {
      std::uint8_t& known = finishable_[p_.candidates[n].owner];
      if (!alive_[n] || known) return;
      known = 1;
      ready.push_back(p_.candidates[n].owner);
    };
    for (std::uint32_t n = 0; n < count; ++n) {
      const range r = p_.candidates[n].children;
      for (std::uint32_t i = 0; i < r.count; ++i) users[first[children[r.first + i] + 1]++] = n;
      missing[n] = r.count;
      if (r.count == 0) finish(n);
    }
    while (!ready.empty()) {
      const std::uint32_t k = ready.back();
      ready.pop_back();
      for (std::uint32_t i = first[k]; i < first[k + 1]; ++i)
        if (--missing[users[i]] == 0) finish(users[i]);
    }
    for (std::uint32_t n = 0; n < count; ++n)
      if (missing[n] != 0 && alive_[n]) remove(n, kind);
    r_.steps += 2 * p_.children.size() + count;
  }

  constexpr bool drop_over_limit() {
    bool any = false;
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      if (stage_.maximum[m] == unbounded) continue;
      for (std::uint32_t n = 0; n < p_.candidates.size(); ++n) {
        if (!alive_[n] || p_.cost(n, m) <= stage_.maximum[m]) continue;
        remove(n, rejection_kind::over_limit);
        r_.removed[n].metric = m;
        r_.removed[n].at_least = p_.cost(n, m);
        r_.removed[n].allowed = stage_.maximum[m];
        r_.over_limit[m] = any = true;
      }
      r_.steps += p_.candidates.size();
    }
    return any;
  }

  /// Numbers the classes reachable from the roots, children first except in cycles.
  constexpr void renumber() {
    struct cursor {
      std::uint32_t candidate = 0, child = 0;
    };
    r_.number_of = table<std::uint32_t>(p_.classes, no_candidate);
    r_.class_of.clear();
    r_.block_first.clear();
    r_.block_last.clear();
    auto finder = find_components<cursor>(
        p_.classes,
        [&](std::uint32_t k, cursor& at) { return next_child(k, at.candidate, at.child); },
        [&](const table<std::uint32_t>& members) { close_block(members); });
    for (const std::uint32_t root : p_.roots) finder.enter(root);
  }

  /// Iterates over the children of a class's live candidates; `candidate` counts from the class's
  /// first. Returns `no_candidate` at the end.
  constexpr std::uint32_t next_child(std::uint32_t k, std::uint32_t& candidate,
                                     std::uint32_t& child) {
    const std::uint32_t first = group_first_[k];
    for (const std::uint32_t count = group_first_[k + 1] - first; candidate < count;
         ++candidate, child = 0) {
      const std::uint32_t n = group_[first + candidate];
      const range r = p_.candidates[n].children;
      if (child == r.count || !alive_[n]) continue;
      ++r_.steps;
      return p_.children[r.first + child++];
    }
    return no_candidate;
  }

  constexpr void close_block(const table<std::uint32_t>& members) {
    const std::uint32_t begin = static_cast<std::uint32_t>(r_.class_of.size());
    const std::uint32_t end = begin + static_cast<std::uint32_t>(members.size());
    for (const std::uint32_t member : members) {
      r_.number_of[member] = static_cast<std::uint32_t>(r_.class_of.size());
      r_.class_of.push_back(member);
      r_.block_first.push_back(begin);
      r_.block_last.push_back(end);
    }
  }

  constexpr void build() {
    r_.classes = static_cast<std::uint32_t>(r_.class_of.size());
    r_.candidate_of.clear();
    r_.owner.clear();
    r_.first.clear();
    r_.child_first.clear();
    r_.child.clear();
    table<std::uint32_t> seen(r_.classes, no_candidate);
    for (std::uint32_t k = 0; k < r_.classes; ++k) {
      r_.first.push_back(static_cast<std::uint32_t>(r_.candidate_of.size()));
      for (std::uint32_t i = group_first_[r_.class_of[k]]; i < group_first_[r_.class_of[k] + 1];
           ++i)
        if (alive_[group_[i]]) add(group_[i], k, seen);
    }
    r_.candidates = static_cast<std::uint32_t>(r_.candidate_of.size());
    r_.first.push_back(r_.candidates);
    r_.child_first.push_back(static_cast<std::uint32_t>(r_.child.size()));
    r_.words = words_for(r_.classes);
    r_.candidate_words = words_for(r_.candidates);
    r_.roots.clear();
    for (const std::uint32_t root : p_.roots) r_.roots.push_back(r_.number_of[root]);
    price();
  }

  constexpr void add(std::uint32_t n, std::uint32_t k, table<std::uint32_t>& seen) {
    const std::uint32_t number = static_cast<std::uint32_t>(r_.candidate_of.size());
    const std::size_t begin = r_.child.size();
    r_.child_first.push_back(static_cast<std::uint32_t>(begin));
    r_.candidate_of.push_back(n);
    r_.owner.push_back(k);
    const range r = p_.candidates[n].children;
    for (std::uint32_t j = 0; j < r.count; ++j) {
      const std::uint32_t c = r_.number_of[p_.children[r.first + j]];
      ++r_.steps;
      if (seen[c] == number) continue;
      seen[c] = number;
      r_.child.push_back(c);
      std::uint32_t* const child = r_.child.data();
      for (std::size_t i = r_.child.size() - 1; i > begin && child[i - 1] < c; --i) {
        child[i] = child[i - 1];
        child[i - 1] = c;
      }
    }
  }

  constexpr void price() {
    const std::size_t metrics = p_.metrics.size();
    r_.own = table<std::int64_t>((metrics + 1) * r_.candidates);
    const std::uint32_t* const from = r_.candidate_of.data();
    for (std::uint32_t m = 0; m < metrics; ++m) {
      std::int64_t* const own = r_.own.data() + m * r_.candidates;
      const std::int64_t* const costs = p_.costs.data() + m;
      for (std::uint32_t n = 0; n < r_.candidates; ++n) own[n] = costs[from[n] * metrics];
    }
    price_objective(p_, stage_, r_);
  }

  /// The children of a candidate.
  constexpr view<std::uint32_t> children_of(std::uint32_t n) const {
    return view<std::uint32_t>(r_.child).part(r_.child_first[n],
                                              r_.child_first[n + 1] - r_.child_first[n]);
  }

  /// Computes the must sets and removes candidates that need their own class. True if any was
  /// removed.
  constexpr bool find_must_sets() {
    must_.begin(r_.classes);
    bool removed = false;
    for (std::uint32_t begin = 0; begin < r_.classes; begin = r_.block_last[begin])
      for (bool again = true; again;) {
        again = false;
        must_.settle(
            r_.block_last[begin] - begin, [&](std::uint32_t i) { return begin + i; },
            [&](std::uint32_t k, auto&& f) {
              for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
                if (alive_[r_.candidate_of[n]]) f(children_of(n));
            });
        for (std::uint32_t k = begin; k < r_.block_last[begin]; ++k)
          for (std::uint32_t n = r_.first[k], end = r_.first[k + 1]; n < end; ++n) {
            if (!needs_itself(n, k) || !alive_[r_.candidate_of[n]]) continue;
            remove(r_.candidate_of[n], rejection_kind::cyclic);
            again = removed = true;
          }
        for (std::uint32_t k = begin; again && k < r_.block_last[begin]; ++k) must_.reopen(k);
      }
    return removed;
  }

  constexpr bool needs_itself(std::uint32_t n, std::uint32_t k) const {
    const std::uint32_t* const child = r_.child.data();
    for (std::uint32_t i = r_.child_first[n], end = r_.child_first[n + 1]; i < end; ++i)
      if (child[i] >= r_.block_first[k] && has_bit(must_.of(child[i]), k)) return true;
    return false;
  }

  /// Removes subsumed candidates, unless measured metrics matter, whose values may change at will
  /// when one candidate replaces another. True if any was removed.
  constexpr bool drop_dominated() {
    table<std::uint32_t> columns;
    for (std::uint32_t m = 0; m < p_.metrics.size(); ++m) {
      const aggregation kind = p_.metrics[m].kind;
      const bool limited = stage_.maximum[m] != unbounded, counts = stage_.weight[m] != 0;
      if (kind == aggregation::measured && (limited || counts)) return false;
      // Critical paths as well: the needs of the other candidate lie below this one anyway.
      if ((limited && kind != aggregation::maximum) || (counts && kind != aggregation::sum))
        columns.push_back(m);
    }
    bool removed = false;
    for (std::uint32_t k = 0; k < r_.classes; ++k) {
      if (r_.first[k + 1] - r_.first[k] < 2) continue;
      for (std::uint32_t n = r_.first[k + 1]; n-- > r_.first[k];) {  // of equals the first stays
        if (!alive_[r_.candidate_of[n]]) continue;                   // it is cyclic
        const std::uint32_t by = dominator(n, k, columns);
        if (by == no_candidate) continue;
        remove(r_.candidate_of[n], rejection_kind::dominated);
        r_.removed[r_.candidate_of[n]].by = r_.candidate_of[by];
        removed = true;
      }
    }
    return removed;
  }

  constexpr std::uint32_t dominator(std::uint32_t n, std::uint32_t k,
                                    const table<std::uint32_t>& columns) {
    const std::int64_t* const objective = r_.column(p_.metrics.size());
    const std::int64_t own = objective[n];
    r_.steps += (r_.first[k + 1] - r_.first[k]) / 4;
    const auto is_no_worse = [&](std::uint32_t other) {
      if (objective[other] > own || !alive_[r_.candidate_of[other]]) return false;
      for (const std::uint32_t column : columns)
        if (r_.column(column)[other] > r_.column(column)[n]) return false;
      return r_.pairs.no_worse(r_.candidate_of[other], r_.candidate_of[n]);
    };
    return must_.find_subsuming(n, r_.first[k], r_.first[k + 1], is_no_worse,
                                [&](std::uint32_t i) { return children_of(i); });
  }

  const selection_problem& p_;
  const selection_stage& stage_;
  table<std::uint8_t> alive_;
  table<std::uint8_t> finishable_;
  table<std::uint32_t> group_first_, group_;
  must_sets must_;
  reduced_selection r_;
};

/// Reduces a valid problem for one stage.
constexpr reduced_selection reduce(const selection_problem& problem, const selection_stage& stage) {
  return selection_reducer(problem, stage).run();
}

}  // namespace wf::detail
