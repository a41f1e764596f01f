// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

#include <wf/select/problem.hpp>

// Random selection problems, and their optima by enumeration from the definition alone, without
// code of the engine.
namespace enumerated {

inline std::uint32_t below(std::mt19937& random, std::uint32_t end) {
  return static_cast<std::uint32_t>(random() % end);
}

// Mostly sums; the first metric always is one.
inline wf::aggregation random_kind(std::mt19937& random, std::uint32_t metric) {
  const std::uint32_t kind = below(random, 8);
  return metric == 0 || kind > 2 ? wf::aggregation::sum
         : kind == 0             ? wf::aggregation::maximum
                                 : wf::aggregation::critical_path;
}

inline wf::selection_problem random_problem(std::mt19937& random) {
  wf::selection_problem p;
  const std::uint32_t metrics = 1 + below(random, 3);
  for (std::uint32_t m = 0; m < metrics; ++m) p.add_metric("m", random_kind(random, m));
  const std::uint32_t classes = 1 + below(random, 6);
  for (std::uint32_t k = 0; k < classes; ++k) p.add_class();
  for (std::uint32_t k = 0; k < classes; ++k)
    for (std::size_t c = 1 + random() % 3; c > 0; --c) {
      wf::table<std::uint32_t> children;
      for (std::size_t n = random() % 3; n > 0; --n)
        children.push_back(random() % 5 == 0 ? below(random, classes)
                                             : (k == 0 ? 0U : below(random, k)));
      if (k == 0 && random() % 4 != 0) children.clear();
      wf::table<std::int64_t> costs;
      for (std::uint32_t m = 0; m < metrics; ++m)
        costs.push_back(static_cast<std::int64_t>(random() % 10));
      p.add_candidate(k, children, costs);
    }
  p.add_root(static_cast<std::uint32_t>(classes - 1));
  if (random() % 3 == 0) p.add_root(below(random, classes));
  p.objective = wf::minimise_metric(0);
  if (metrics > 1 && random() % 4 == 0) {
    const wf::objective_term terms[] = {{0, 2}, {1, 3}};
    p.objective = wf::minimise_weighted(terms);
  } else if (metrics > 1 && random() % 4 == 0) {
    const std::uint32_t order[] = {1, 0};
    p.objective = wf::minimise_lexicographic(order);
  }
  for (std::uint32_t m = 1; m < metrics; ++m)
    if (random() % 2 == 0) p.add_limit(m, static_cast<std::int64_t>(random() % 25));
  return p;
}

// A problem with the features that the packing search distinguishes: shared and cyclic classes,
// several roots, limits, maxima, critical paths, pairs with costs and excluded pairs; often
// infeasible.
inline wf::selection_problem random_packing(std::mt19937& random) {
  wf::selection_problem p;
  const std::uint32_t metrics = 1 + below(random, 3);
  for (std::uint32_t m = 0; m < metrics; ++m) p.add_metric("m", random_kind(random, m));
  const bool flat = random() % 3 == 0;  // only roots, no children: knapsacks and colourings
  const std::uint32_t classes = 2 + below(random, 5);
  for (std::uint32_t k = 0; k < classes; ++k) p.add_class();
  for (std::uint32_t k = 0; k < classes; ++k)
    for (std::uint32_t c = 1 + below(random, 4); c > 0; --c) {
      wf::table<std::uint32_t> children;
      for (std::uint32_t n = flat ? 0 : below(random, 4); n > 0; --n)
        children.push_back(below(random, random() % 3 == 0 ? classes : k + 1));
      wf::table<std::int64_t> costs;
      for (std::uint32_t m = 0; m < metrics; ++m)
        costs.push_back(static_cast<std::int64_t>(random() % 12));
      p.add_candidate(k, children, costs);
    }
  for (std::uint32_t k = 0; k < classes; ++k)
    if (flat || k + 1 == classes || random() % 4 == 0) p.add_root(k);
  const std::uint32_t count = static_cast<std::uint32_t>(p.candidates.size());
  const std::uint32_t pairs = random() % 3 == 0 ? 0 : below(random, 2 * count);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const std::uint32_t a = below(random, count), b = below(random, count);
    if (p.candidates[a].owner == p.candidates[b].owner) continue;
    if (random() % 3 != 0) {
      p.exclude_pair(a, b);
      continue;
    }
    wf::table<std::int64_t> costs;
    for (std::uint32_t m = 0; m < metrics; ++m)
      costs.push_back(
          p.metrics[m].kind == wf::aggregation::sum ? static_cast<std::int64_t>(random() % 6) : 0);
    p.add_pair(a, b, costs);
  }
  p.objective = wf::minimise_metric(0);
  if (metrics > 1 && random() % 4 == 0) {
    const wf::objective_term terms[] = {{0, 2}, {1, 3}};
    p.objective = wf::minimise_weighted(terms);
  }
  for (std::uint32_t m = 1; m < metrics; ++m)
    if (random() % 2 == 0) p.add_limit(m, static_cast<std::int64_t>(random() % 40));
  return p;
}

// The options of each class, at least one.
using class_options = std::vector<std::vector<std::uint32_t>>;

// Calls f with every choice of one option per class.
template <class F>
void for_each_choice(const class_options& options, F f) {
  std::vector<std::size_t> at(options.size(), 0);
  std::vector<std::uint32_t> choice;
  for (const auto& of_class : options) choice.push_back(of_class[0]);
  for (;;) {
    f(std::as_const(choice));
    std::size_t k = 0;
    for (; k < at.size() && ++at[k] == options[k].size(); ++k) choice[k] = options[k][at[k] = 0];
    if (k == at.size()) return;
    choice[k] = options[k][at[k]];
  }
}

inline class_options options_of(const wf::selection_problem& p) {
  class_options options(p.classes);
  for (std::uint32_t c = 0; c < p.candidates.size(); ++c)
    options[p.candidates[c].owner].push_back(c);
  return options;
}

// Calls f with every choice of one candidate per class.
template <class F>
void for_each_choice(const wf::selection_problem& p, F f) {
  for_each_choice(options_of(p), f);
}

// Evaluates a choice of one candidate per class by definition, ignoring limits; a measured metric
// counts as the largest own cost. False if it is not a selection.
inline bool evaluate_unlimited(const wf::selection_problem& p,
                               const std::vector<std::uint32_t>& choice,
                               std::vector<std::int64_t>& totals, std::vector<bool>& used) {
  used.assign(p.classes, false);
  std::vector<int> state(p.classes, 0);  // 1: open, 2: closed
  bool cyclic = false;
  const std::function<void(std::uint32_t)> visit = [&](std::uint32_t k) {
    if (state[k] == 1) cyclic = true;
    if (state[k] != 0) return;
    state[k] = 1;
    used[k] = true;
    for (std::uint32_t child : p.children_of(choice[k])) visit(child);
    state[k] = 2;
  };
  for (std::uint32_t root : p.roots) visit(root);
  if (cyclic) return false;
  const std::function<std::int64_t(std::uint32_t, std::uint32_t)> length = [&](std::uint32_t k,
                                                                               std::uint32_t m) {
    std::int64_t most = 0;
    for (std::uint32_t child : p.children_of(choice[k])) most = std::max(most, length(child, m));
    return p.cost(choice[k], m) + most;
  };
  totals.assign(p.metrics.size(), 0);
  for (std::uint32_t k = 0; k < p.classes; ++k) {
    if (!used[k]) continue;
    for (std::uint32_t m = 0; m < p.metrics.size(); ++m)
      totals[m] = p.metrics[m].kind == wf::aggregation::sum ? totals[m] + p.cost(choice[k], m)
                  : p.metrics[m].kind == wf::aggregation::critical_path
                      ? std::max(totals[m], length(k, m))
                      : std::max(totals[m], p.cost(choice[k], m));
  }
  for (std::size_t i = 0; i < p.pairs.size(); ++i) {
    const wf::selection_pair& pair = p.pairs[i];
    const std::uint32_t a = p.candidates[pair.first].owner, b = p.candidates[pair.second].owner;
    if (!used[a] || !used[b] || choice[a] != pair.first || choice[b] != pair.second) continue;
    if (pair.excluded) return false;
    for (std::uint32_t m = 0; m < p.metrics.size(); ++m)
      totals[m] += p.pair_costs[i * p.metrics.size() + m];
  }
  return true;
}

inline bool keeps_limits(const wf::selection_problem& p, const std::vector<std::int64_t>& totals) {
  for (const wf::selection_limit& l : p.limits)
    if (totals[l.metric] > l.maximum) return false;
  return true;
}

// Like `evaluate_unlimited`, but also false if a limit is violated.
inline bool evaluate(const wf::selection_problem& p, const std::vector<std::uint32_t>& choice,
                     std::vector<std::int64_t>& totals, std::vector<bool>& used) {
  return evaluate_unlimited(p, choice, totals, used) && keeps_limits(p, totals);
}

// A choice as a selection: candidates of unused classes are dropped.
inline wf::selection selection_of(const std::vector<std::uint32_t>& choice,
                                  const std::vector<bool>& used) {
  wf::selection s;
  for (std::size_t k = 0; k < choice.size(); ++k)
    s.chosen.push_back(used[k] ? choice[k] : wf::no_candidate);
  return s;
}

// A selection as a choice: classes without a candidate get an arbitrary one.
inline std::vector<std::uint32_t> choice_of(const wf::selection_problem& p,
                                            const wf::selection& s) {
  std::vector<std::uint32_t> choice(p.classes, 0);
  for (std::uint32_t c = 0; c < p.candidates.size(); ++c) choice[p.candidates[c].owner] = c;
  for (std::uint32_t k = 0; k < p.classes; ++k)
    if (s.chosen[k] != wf::no_candidate) choice[k] = s.chosen[k];
  return choice;
}

inline std::vector<std::int64_t> objective_of(const wf::selection_problem& p,
                                              const std::vector<std::int64_t>& totals) {
  std::vector<std::int64_t> out;
  if (p.objective.lexicographic) {
    for (const wf::objective_term& t : p.objective.terms) out.push_back(totals[t.metric]);
    return out;
  }
  out.push_back(0);
  for (const wf::objective_term& t : p.objective.terms) out[0] += t.weight * totals[t.metric];
  return out;
}

// Calls f with the totals of every selection, whose requested measured metrics a hook computes;
// selections for which it returns a negative value are rejected.
template <class Measure, class Asked, class F>
void for_each_measured(const wf::selection_problem& p, const Measure& measure, Asked asked, F f) {
  std::vector<std::int64_t> totals;
  std::vector<bool> used;
  for_each_choice(p, [&](const std::vector<std::uint32_t>& choice) {
    if (!evaluate_unlimited(p, choice, totals, used)) return;
    const wf::selection s = selection_of(choice, used);
    for (std::uint32_t m = 0; m < p.metrics.size(); ++m) {
      if (p.metrics[m].kind != wf::aggregation::measured || !asked(m)) continue;
      const std::int64_t told = measure(p, s, m);
      if (told < 0) return;
      totals[m] = std::max(totals[m], told);
    }
    if (keeps_limits(p, totals)) f(std::as_const(totals));
  });
}

// The best objective over all choices, and for each candidate the best of those that use it; empty:
// none.
struct brute {
  std::vector<std::int64_t> best;
  std::vector<std::vector<std::int64_t>> with;
};

inline brute enumerate(const wf::selection_problem& p) {
  brute out;
  out.with.resize(p.candidates.size());
  std::vector<std::int64_t> totals;
  std::vector<bool> used;
  for_each_choice(p, [&](const std::vector<std::uint32_t>& choice) {
    if (!evaluate(p, choice, totals, used)) return;
    const auto value = objective_of(p, totals);
    if (out.best.empty() || value < out.best) out.best = value;
    for (std::uint32_t k = 0; k < p.classes; ++k) {
      auto& w = out.with[choice[k]];
      if (used[k] && (w.empty() || value < w)) w = value;
    }
  });
  return out;
}

inline std::vector<std::int64_t> values_of(const wf::table<std::int64_t>& t) {
  return {t.begin(), t.end()};
}

}  // namespace enumerated
