// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/callable.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>

namespace wf {

/// The null candidate: the choice of a class that is not needed.
inline constexpr std::uint32_t no_candidate = UINT32_MAX;
/// The null metric number.
inline constexpr std::uint32_t no_metric = UINT32_MAX;

/// The rule that combines the costs of the chosen candidates into the total of a metric.
enum class aggregation : std::uint8_t {
  sum,            ///< the sum: operations, bytes
  maximum,        ///< the largest cost: qubits of one operator
  critical_path,  ///< the sum along needs on the longest path from a root: latency, depth
  measured,       ///< the value of the measure hook for a complete selection (peak memory); the
                  ///< cost of a candidate is then a lower bound on every selection with it (its own
                  ///< working set), or 0
};

/// A metric of a selection problem: its name and its aggregation.
struct selection_metric {
  /// The name in messages.
  text name;
  /// The rule that aggregates costs.
  aggregation kind = aggregation::sum;
  friend constexpr bool operator==(const selection_metric&, const selection_metric&) = default;
};

/// A candidate: one way to compute a class.
struct selection_candidate {
  /// The class that it computes.
  std::uint32_t owner = 0;
  /// The classes that it needs: a run of `selection_problem::children`. Repetition is harmless.
  range children;
  friend constexpr bool operator==(const selection_candidate&,
                                   const selection_candidate&) = default;
};

/// Two candidates of different classes that cost more together, or exclude each other.
struct selection_pair {
  /// One candidate, by index.
  std::uint32_t first = 0;
  /// The other candidate, of another class than `first`.
  std::uint32_t second = 0;
  /// True if they exclude each other; the costs of the pair are then ignored.
  bool excluded = false;
  friend constexpr bool operator==(const selection_pair&, const selection_pair&) = default;
};

/// An upper limit on the total of a metric.
struct selection_limit {
  /// Index of the metric in `selection_problem::metrics`.
  std::uint32_t metric = 0;
  /// The largest allowed total, in the unit of the metric.
  std::int64_t maximum = 0;
  friend constexpr bool operator==(const selection_limit&, const selection_limit&) = default;
};

/// A metric with its weight in the objective.
struct objective_term {
  /// Index of the metric in the table of metrics.
  std::uint32_t metric = 0;
  /// The weight of the metric, not negative; ignored in a lexicographic objective.
  std::int64_t weight = 1;
  friend constexpr bool operator==(const objective_term&, const objective_term&) = default;
};

/// The objective, to be minimised: the weighted sum of the terms, or (lexicographic) the metric of
/// the first term, among its optima that of the second, and so on, where weights are ignored.
struct selection_objective {
  /// The metrics with their weights, or in order of priority.
  table<objective_term> terms;
  /// True: one metric after the other, instead of the weighted sum.
  bool lexicographic = false;
  friend constexpr bool operator==(const selection_objective&,
                                   const selection_objective&) = default;
};

/// The objective that minimises one metric.
constexpr selection_objective minimise_metric(std::uint32_t metric) {
  return {table<objective_term>{objective_term{metric, 1}}, false};
}
/// The objective that minimises a weighted sum; weights are at least 0.
constexpr selection_objective minimise_weighted(view<objective_term> terms) {
  return {table<objective_term>(terms), false};
}
/// The objective that minimises one metric after the other, in the given order.
constexpr selection_objective minimise_lexicographic(view<std::uint32_t> metrics) {
  selection_objective out{{}, true};
  for (const std::uint32_t metric : metrics) out.terms.push_back({metric, 1});
  return out;
}

/// The selection problem (DAG extraction with limits): choose one candidate for every needed class,
/// that is, for the roots and for the children of chosen candidates, without a cycle, so that every
/// limit holds and the objective is minimal. A class is paid once however many candidates need it;
/// a pair is paid if both its candidates are chosen.
///
/// A regular value of flat tables, built by pushes in any order; `validate` checks the invariants.
struct selection_problem {
  /// The metrics; rows of costs are in this order.
  table<selection_metric> metrics;
  /// Number of classes; they are numbered from 0.
  std::uint32_t classes = 0;
  /// All candidates, in any order.
  table<selection_candidate> candidates;
  /// The pool of child classes, into which candidates refer.
  table<std::uint32_t> children;
  /// The costs, row-major: a row of `metrics.size()` for each candidate, all at least 0.
  table<std::int64_t> costs;
  /// The pairs of interfering candidates; the costs of pairs listed twice add up.
  table<selection_pair> pairs;
  /// The costs of pairs beyond those of their candidates: a row of `metrics.size()` for each pair,
  /// all at least 0, and 0 for metrics that are not sums.
  table<std::int64_t> pair_costs;
  /// The classes that every selection needs.
  table<std::uint32_t> roots;
  /// The objective to minimise.
  selection_objective objective;
  /// The limits, all of which must hold.
  table<selection_limit> limits;

  friend constexpr bool operator==(const selection_problem&, const selection_problem&) = default;

  /// Adds a metric and returns its number. Metrics come before candidates.
  constexpr std::uint32_t add_metric(text_view name, aggregation kind = aggregation::sum) {
    metrics.push_back({text(name), kind});
    return static_cast<std::uint32_t>(metrics.size() - 1);
  }
  /// Adds a class and returns its number.
  constexpr std::uint32_t add_class() { return classes++; }
  /// Adds a candidate with one cost for each metric and returns its number. Children may be classes
  /// that are added later.
  constexpr std::uint32_t add_candidate(std::uint32_t owner, view<std::uint32_t> needs,
                                        view<std::int64_t> row) {
    candidates.push_back(
        {owner,
         {static_cast<std::uint32_t>(children.size()), static_cast<std::uint32_t>(needs.size())}});
    children.append(needs);
    costs.append(row);
    return static_cast<std::uint32_t>(candidates.size() - 1);
  }
  /// Adds the cost of two candidates together beyond their own costs (a conversion between two
  /// layouts, say): one cost for each metric.
  constexpr void add_pair(std::uint32_t first, std::uint32_t second, view<std::int64_t> row) {
    pairs.push_back({first, second, false});
    pair_costs.append(row);
  }
  /// Excludes two candidates from being chosen together.
  constexpr void exclude_pair(std::uint32_t first, std::uint32_t second) {
    pairs.push_back({first, second, true});
    for (std::size_t m = 0; m < metrics.size(); ++m) pair_costs.push_back(0);
  }
  /// Adds a class that every selection needs.
  constexpr void add_root(std::uint32_t root) { roots.push_back(root); }
  /// Adds an upper limit; several on one metric all hold.
  constexpr void add_limit(std::uint32_t metric, std::int64_t maximum) {
    limits.push_back({metric, maximum});
  }

  /// The classes that a candidate needs; valid until `children` changes.
  constexpr view<std::uint32_t> children_of(std::uint32_t candidate) const {
    const range r = candidates[candidate].children;
    return view<std::uint32_t>(children).part(r.first, r.count);
  }
  /// The cost of a candidate in a metric, in its unit.
  constexpr std::int64_t cost(std::uint32_t candidate, std::uint32_t metric) const {
    return costs[candidate * metrics.size() + metric];
  }
};

/// A selection: a value that can be priced, checked and stored without the engine.
struct selection {
  /// The candidate of each class; `no_candidate` for a class that is not needed.
  table<std::uint32_t> chosen;
  /// The total of each metric, in its unit.
  table<std::int64_t> totals;
  friend constexpr bool operator==(const selection&, const selection&) = default;
};

/// The measure hook of a problem without measured metrics.
struct no_measure {};

/// A measure hook: `measure(problem, selection, metric)` returns the value of a measured metric for
/// a complete selection, at least 0 (peak memory along the best order, say); a negative value
/// rejects the selection. It must be a pure function of its arguments.
template <class F>
concept selection_measure =
    requires(F& f, const selection_problem& p, const selection& s, std::uint32_t metric) {
      { f(p, s, metric) } -> std::same_as<std::int64_t>;
    };

/// A type-erased measure hook: engines that take it are compiled once.
using any_measure =
    callable<std::int64_t, const selection_problem&, const selection&, std::uint32_t>;

namespace detail {

/// Wraps a hook as an `any_measure`; null for `no_measure`.
template <class Measure>
class measure_to {
 public:
  constexpr explicit measure_to(Measure& measure) : measure_(measure) {}
  constexpr const any_measure* get() const { return &measure_; }

 private:
  callable_to<Measure, std::int64_t, const selection_problem&, const selection&, std::uint32_t>
      measure_;
};
template <class Measure>
  requires(!selection_measure<Measure>)
class measure_to<Measure> {
 public:
  constexpr explicit measure_to(Measure&) {}
  constexpr const any_measure* get() const { return nullptr; }
};

/// Measures a metric of a selection; its total is the larger of the measured value and the lower
/// bound of its candidates. False if the hook rejects the selection.
constexpr bool measure_total(const any_measure& measure, const selection_problem& p, selection& s,
                             std::uint32_t metric) {
  const std::int64_t measured = measure(p, s, metric);
  if (s.totals[metric] < measured) s.totals[metric] = measured;
  return measured >= 0;
}

/// The largest total that engines accept; it leaves room for the scaling of bounds.
inline constexpr std::int64_t largest_total = INT64_MAX / 8;

constexpr error invalid_problem(text_view subject, text_view message) {
  return make_error(errc::invalid_problem, subject, message);
}

constexpr text numbered(const char* what, std::size_t number) {
  text out;
  out << what << ' ' << number;
  return out;
}

/// `errc::invalid_problem` if the candidates refer to missing records or have bad costs.
constexpr error validate_candidates(const selection_problem& p) {
  const std::size_t metrics = p.metrics.size();
  if (p.costs.size() != metrics * p.candidates.size())
    return invalid_problem("", "the candidates do not have one cost for each metric");
  if (p.candidates.size() >= no_candidate || p.classes >= no_candidate)
    return invalid_problem("", "too many classes or candidates");
  // Engines allocate tables by class, so the number of classes alone must not make them large.
  if (p.classes > p.candidates.size() + p.children.size() + p.roots.size())
    return invalid_problem("", "it has classes that no candidate, child or root is of");
  for (std::size_t n = 0; n < p.candidates.size(); ++n) {
    const selection_candidate& c = p.candidates[n];
    if (c.owner >= p.classes)
      return invalid_problem(numbered("candidate", n), "its class does not exist");
    if (c.children.first > p.children.size() ||
        c.children.count > p.children.size() - c.children.first)
      return invalid_problem(numbered("candidate", n), "its children lie outside the pool");
  }
  for (const std::uint32_t child : p.children)
    if (child >= p.classes)
      return invalid_problem(numbered("class", child), "it is a child but does not exist");
  for (std::size_t i = 0; i < p.costs.size(); ++i)
    if (p.costs[i] < 0)
      return invalid_problem(numbered("candidate", i / metrics), "a cost is negative");
  return {};
}

/// `errc::invalid_problem` if a pair refers to missing candidates or has bad costs.
constexpr error validate_pairs(const selection_problem& p) {
  const std::size_t metrics = p.metrics.size();
  if (p.pair_costs.size() != metrics * p.pairs.size())
    return invalid_problem("", "the pairs do not have one cost for each metric");
  for (std::size_t i = 0; i < p.pairs.size(); ++i) {
    const selection_pair& pair = p.pairs[i];
    if (pair.first >= p.candidates.size() || pair.second >= p.candidates.size())
      return invalid_problem(numbered("pair", i), "one of its candidates does not exist");
    if (p.candidates[pair.first].owner == p.candidates[pair.second].owner)
      return invalid_problem(numbered("pair", i), "its candidates are of one class");
    for (std::uint32_t m = 0; m < metrics; ++m) {
      const std::int64_t cost = p.pair_costs[i * metrics + m];
      if (cost < 0) return invalid_problem(numbered("pair", i), "a cost is negative");
      if (cost != 0 && p.metrics[m].kind != aggregation::sum)
        return invalid_problem(numbered("pair", i), "it costs in a metric that is not a sum");
    }
  }
  return {};
}

/// `errc::invalid_problem` if roots, objective or limits are missing or refer to nothing.
constexpr error validate_goals(const selection_problem& p) {
  if (p.roots.empty()) return invalid_problem("", "no class is needed: there are no roots");
  for (const std::uint32_t root : p.roots)
    if (root >= p.classes)
      return invalid_problem(numbered("class", root), "it is a root but does not exist");
  if (p.objective.terms.empty()) return invalid_problem("", "the objective has no metric");
  for (const objective_term& term : p.objective.terms) {
    if (term.metric >= p.metrics.size())
      return invalid_problem(numbered("metric", term.metric), "the objective's metric is unknown");
    if (term.weight < 0)
      return invalid_problem(p.metrics[term.metric].name, "its weight is negative");
  }
  for (const selection_limit& l : p.limits)
    if (l.metric >= p.metrics.size())
      return invalid_problem(numbered("metric", l.metric), "a limit's metric is unknown");
  return {};
}

/// `errc::overflow` if a total or the weighted objective could leave the exact range.
constexpr error validate_range(const selection_problem& p) {
  const std::size_t metrics = p.metrics.size();
  table<std::int64_t> weight(metrics);
  for (const objective_term& t : p.objective.terms)
    if (!checked_add(weight[t.metric], p.objective.lexicographic ? 1 : t.weight, weight[t.metric]))
      return make_error(errc::overflow, p.metrics[t.metric].name, "its weights do not fit 64 bits");
  int128 weighted = 0;
  for (std::uint32_t m = 0; m < metrics; ++m) {
    table<std::int64_t> dearest(p.classes);
    for (std::uint32_t n = 0; n < p.candidates.size(); ++n) {
      std::int64_t& most = dearest[p.candidates[n].owner];
      if (most < p.cost(n, m)) most = p.cost(n, m);
    }
    int128 total = 0;
    for (const std::int64_t most : dearest) total += most;
    for (std::size_t i = 0; i < p.pairs.size(); ++i) total += p.pair_costs[i * metrics + m];
    if (total > largest_total)
      return make_error(errc::overflow, p.metrics[m].name, "a total may leave the exact range");
    const int128 part = total * weight[m];
    weighted = p.objective.lexicographic ? (part > weighted ? part : weighted) : weighted + part;
    if (weighted > largest_total)
      return make_error(errc::overflow, p.metrics[m].name,
                        "the objective may leave the exact range");
  }
  return {};
}

}  // namespace detail

/// Checks the invariants: `errc::invalid_problem` (a missing class, more classes than are named, a
/// negative cost, no root, …) or `errc::overflow` if totals could exceed an eighth of the 64-bit
/// range; an error with the code `errc::none` if all is well. O(size).
constexpr error validate(const selection_problem& problem) {
  error e = detail::validate_candidates(problem);
  if (e.code == errc::none) e = detail::validate_pairs(problem);
  if (e.code == errc::none) e = detail::validate_goals(problem);
  if (e.code == errc::none) e = detail::validate_range(problem);
  return e;
}

}  // namespace wf
