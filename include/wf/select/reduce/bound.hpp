// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/search/control.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/reduce/bound_parts.hpp>
#include <wf/select/reduce/closure.hpp>
#include <wf/select/reduce/partial_selection.hpp>
#include <wf/select/reduce/reduce.hpp>
#include <wf/select/reduce/split_bound.hpp>
#include <wf/select/reduce/survey.hpp>
#include <wf/select/reduce/tree_bound.hpp>

namespace wf::detail {

/// Propagation and lower bounds for partial selections: their closure, then bounds on the objective
/// and on every limited sum, with needed classes paid once at the top and free below. A sum is at
/// least its tree bound and its split bound, which see different sharing. Both also bound each
/// candidate of an open class from below, and so remove candidates that would reach a limit. Any
/// fixpoint is a bound: by induction over an acyclic selection, leaves first, no class costs less
/// than its value.
class selection_bounds {
 public:
  constexpr selection_bounds(const selection_problem& problem, const selection_stage& stage,
                             const reduced_selection& reduced)
      : p_(problem),
        stage_(stage),
        r_(reduced),
        metrics_(problem.metrics.size()),
        closure_(reduced),
        survey_(reduced),
        parts_(reduced),
        tree_(reduced, survey_, parts_),
        split_(reduced, survey_, parts_) {
    for (std::size_t column = 0; column <= metrics_; ++column)
      scale_.push_back(split_scale(r_, column));
    list_flat();
  }
  // The bounds of sums refer to this object's survey.
  selection_bounds(const selection_bounds&) = delete;
  selection_bounds& operator=(const selection_bounds&) = delete;

  /// Tightens the partial selection and returns a lower bound on the objective of its completions
  /// within the limits; `unbounded` if there are none.
  constexpr std::int64_t evaluate(partial_selection& s) {
    over_metric_ = no_metric;
    dropped_ = table<std::uint8_t>(metrics_);
    std::int64_t total = 0;
    for (int round = 0; round < 3; ++round) {
      if (!closure_.close(s)) return unbounded;
      survey_.run(s);
      bool changed = false;
      total = bound_objective(s);
      if (total == unbounded) return total;
      for (std::uint32_t m = 0; m < metrics_; ++m) {
        const std::int64_t most = stage_.maximum[m];
        if (most == unbounded) continue;
        const aggregation kind = p_.metrics[m].kind;
        if (kind != aggregation::critical_path && kind != aggregation::sum) continue;
        bool dropped = false;
        const std::int64_t least =
            kind == aggregation::sum ? bound_sum(s, m, 0, most + 1, dropped) : bound_peak(s, m);
        if (least > most) {
          over_metric_ = m;
          // Candidates that this limit dropped might have exceeded it by less.
          over_least_ = dropped || dropped_[m] || r_.over_limit[m] ? most + 1 : least;
          return unbounded;
        }
        if (dropped) {
          dropped_[m] = 1;
          changed = true;
        }
      }
      if (!changed) break;
    }
    return total;
  }

  /// A lower bound on all selections with candidate `n`; `unbounded` if there are none within the
  /// limits.
  constexpr std::int64_t evaluate_with(std::uint32_t n) {
    if (is_flat_) return flat_total_ - flat_least_[r_.owner[n]] + r_.column(metrics_)[n];
    partial_selection s(r_);
    s.force(r_, n);
    return evaluate(s);
  }
  /// Estimated number of innermost-loop passes of `evaluate_with`.
  constexpr std::uint64_t visits_with() const {
    if (is_flat_) return 1;
    return 8 * (p_.limits.size() + 1) *
           (r_.candidates + r_.child.size() + std::uint64_t{r_.classes} * r_.words);
  }

  /// The tree bound of the sum part of the objective: calls `f(class, value)` for each class that
  /// may be needed, users first, and then with 0 for those that are needed, in the order in which
  /// they are charged.
  template <class F>
  constexpr std::int64_t list_tree(const partial_selection& s, F&& f) {
    survey_.run(s);
    const std::int64_t* const own = r_.column(metrics_);
    std::int64_t total = 0;
    for (const std::uint32_t n : survey_.taken) total += own[n];
    if (!survey_.open.empty()) total = saturating_add(total, tree_.total(s, own));
    for (std::size_t i = survey_.open.empty() ? 0 : survey_.order.size(); i-- > 0;) {
      const std::uint32_t k = survey_.order[i];
      if (has_bit(survey_.visited.data(), k)) f(k, parts_.value[k]);
    }
    for (const std::uint32_t n : survey_.taken) f(r_.owner[n], std::int64_t{0});
    for (const std::uint32_t k : survey_.open) f(k, std::int64_t{0});
    return total;
  }

  /// The metric whose limit made the last `evaluate` return `unbounded`, or `no_metric`.
  constexpr std::uint32_t over_metric() const { return over_metric_; }
  /// Lower bound on that metric in the completions of that partial selection.
  constexpr std::int64_t over_least() const { return over_least_; }
  /// Number of innermost-loop passes so far.
  constexpr std::uint64_t steps() const {
    return steps_ + closure_.steps() + survey_.steps() + tree_.steps() + split_.steps();
  }

 private:
  /// Sets is_flat_: true if there are no needs and the stage has only sums without limits, so that
  /// a class costs its cheapest candidate.
  constexpr void list_flat() {
    is_flat_ = r_.child.empty();
    for (std::uint32_t m = 0; m < metrics_; ++m)
      if (stage_.maximum[m] != unbounded ||
          (stage_.weight[m] != 0 && p_.metrics[m].kind != aggregation::sum))
        is_flat_ = false;
    if (!is_flat_) return;
    flat_least_ = table<std::int64_t>(r_.classes);
    for (std::uint32_t k = 0; k < r_.classes; ++k) {
      flat_least_[k] = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n)
        if (r_.column(metrics_)[n] < flat_least_[k]) flat_least_[k] = r_.column(metrics_)[n];
      flat_total_ += flat_least_[k];
    }
  }

  /// Lower bound on a sum column plus `extra`; drops candidates that reach the cutoff.
  constexpr std::int64_t bound_sum(partial_selection& s, std::size_t column, std::int64_t extra,
                                   std::int64_t cutoff, bool& changed) {
    const std::int64_t* const own = r_.column(column);
    std::int64_t paid = extra;
    for (const std::uint32_t n : survey_.taken) paid += own[n];
    if (survey_.open.empty() || paid >= cutoff) return paid;
    const std::int64_t tree = saturating_add(paid, tree_.total(s, own));
    if (tree >= cutoff) return tree;
    if (cutoff != unbounded && parts_.filter(r_, survey_, s, tree, cutoff)) changed = true;
    const std::int64_t scale = scale_[column];
    const std::int64_t scaled = split_.total(s, own, scale);
    const std::int64_t split = saturating_add(paid, scaled / scale + (scaled % scale != 0));
    if (split < cutoff && cutoff <= largest_total / scale &&
        parts_.filter(r_, survey_, s, saturating_add(paid * scale, scaled),
                      (cutoff - 1) * scale + 1))
      changed = true;
    return split > tree ? split : tree;
  }

  /// Lower bound on the critical path of a column, or on its maximum if it is no path, by the same
  /// recursion with max.
  constexpr std::int64_t bound_peak(const partial_selection& s, std::size_t column) {
    const bool path = p_.metrics[column].kind == aggregation::critical_path;
    const std::int64_t* const own = r_.column(column);
    for (std::int64_t& value : parts_.value) value = 0;
    for (std::uint32_t k = 0; k < r_.classes; ++k) {  // one sweep from below: a bound in cycles too
      std::int64_t least = unbounded;
      for (std::uint32_t n = r_.first[k]; n < r_.first[k + 1]; ++n) {
        if (!s.is_alive(n)) continue;
        std::int64_t below = 0;
        for (std::uint32_t i = r_.child_first[n]; i < r_.child_first[n + 1]; ++i, ++steps_)
          if (below < parts_.value[r_.child[i]]) below = parts_.value[r_.child[i]];
        const std::int64_t with =
            path ? saturating_add(own[n], below) : (own[n] > below ? own[n] : below);
        if (with < least) least = with;
      }
      parts_.value[k] = least;
    }
    std::int64_t total = 0;
    each_bit(s.needed.data(), r_.words, [&](std::uint32_t k) {
      if (total < parts_.value[k]) total = parts_.value[k];
    });
    return total;
  }

  constexpr std::int64_t bound_objective(partial_selection& s) {
    std::int64_t extra = 0;
    for (std::uint32_t m = 0; m < metrics_; ++m) {
      if (stage_.weight[m] == 0 || p_.metrics[m].kind == aggregation::sum) continue;
      const std::int64_t most = bound_peak(s, m);
      if (most == unbounded) return unbounded;
      extra += stage_.weight[m] * most;
    }
    bool dropped = false;  // nothing is dropped without a cutoff
    return bound_sum(s, metrics_, extra, unbounded, dropped);
  }

  const selection_problem& p_;
  const selection_stage& stage_;
  const reduced_selection& r_;
  std::size_t metrics_;
  bool is_flat_ = false;
  std::int64_t flat_total_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t over_metric_ = no_metric;
  std::int64_t over_least_ = 0;
  table<std::uint8_t> dropped_;
  table<std::int64_t> flat_least_;  ///< by class, if is_flat_: the cost of its cheapest candidate
  table<std::int64_t> scale_;       ///< by column
  selection_closure closure_;
  selection_survey survey_;
  bound_parts parts_;
  selection_tree_bound tree_;
  selection_split_bound split_;
};

}  // namespace wf::detail
