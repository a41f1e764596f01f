// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/builtin.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/core/compiled.hpp>
#include <wf/select/select.hpp>

namespace wf {

/// An objective for `optimise`: one metric, to be minimised.
struct objective {
  /// The metric to minimise.
  metric_spec metric;
};

/// Minimise a metric: `minimise(flops)`.
constexpr objective minimise(const metric_spec& m) { return {m}; }

/// Options of `optimise`; the defaults are the built-in transforms and limits.
struct optimise_options {
  /// The rewrite rules that add alternatives.
  view<transform> transforms = builtin_transforms();
  /// Limits on the growth of the choice graph.
  growth_limits growth;
  /// Limits of the search for a selection.
  search_limits search;
};

/// A workflow with its alternatives and their prices: the input of a selection.
struct priced_choices {
  /// The choice graph with all alternatives.
  choice_graph choices;
  /// The class numbers of `choices`.
  class_numbers classes;
  selection_problem problem;  ///< prices, objective and limits; its candidates are those of
                              ///< `class_numbers`
};

/// The chosen workflow with the alternatives and the selection behind it.
struct plan {
  graph chosen;               ///< the workflow to run
  priced_choices from;        ///< the alternatives and their prices
  selection_result selected;  ///< the selection, its bound, and the reasons for the rejected
                              ///< candidates
  /// True if no selection from the alternatives within the limits is better.
  bool proven_optimal = false;
  /// The objective value of the plan, in the unit of the metric.
  std::int64_t value = 0;
  /// The proven lower bound of the objective, in the same unit.
  std::int64_t bound = 0;
};

namespace detail {

constexpr bool is_declared(const table<metric_spec>& metrics, const metric_spec& m) {
  for (const metric_spec& known : metrics)
    if (known == m) return true;
  return false;
}

constexpr std::uint32_t metric_number(const table<metric_spec>& metrics, const metric_spec& m) {
  std::uint32_t i = 0;
  while (!(metrics[i] == m)) ++i;
  return i;
}

constexpr aggregation aggregation_of(const metric_spec& m) {
  return m.rule == combination::sum       ? aggregation::sum
         : m.rule == combination::maximum ? aggregation::maximum
                                          : aggregation::measured;
}

// Measures a complete selection by extracting and pricing it: peaks, critical paths, and metrics
// given by a function.
struct graph_measure {
  graph_view candidates;
  const class_numbers& classes;
  const registry& kernels;
  const table<metric_spec>& metrics;

  constexpr std::int64_t operator()(const selection_problem&, const selection& s,
                                    std::uint32_t metric) const {
    const auto chosen = extractor(candidates, classes, s.chosen).run();
    if (!chosen) return -1;
    const auto measured = price(chosen->view(), metrics[metric], kernels);
    return measured ? *measured : -1;
  }
};

// The minimised and the limited metrics, each once.
constexpr table<metric_spec> metrics_of(view<metric_spec> minimised, view<limit> limits) {
  table<metric_spec> metrics;
  for (const metric_spec& m : minimised)
    if (!is_declared(metrics, m)) metrics.push_back(m);
  for (const limit& l : limits)
    if (!is_declared(metrics, l.metric)) metrics.push_back(l.metric);
  return metrics;
}
constexpr table<metric_spec> metrics_of(const objective& o, view<limit> limits) {
  return metrics_of({&o.metric, 1}, limits);
}

}  // namespace detail

/// Grows the alternatives of a workflow; `kernels` declares the operators that guards name.
/// `callback` may stop the growth; its progress has the waiting nodes, but neither incumbent nor
/// bound. Errors: those of `grow`.
template <class Callback = keep_going>
constexpr result<priced_choices> grow_choices(const graph_view& workflow,
                                              const registry& kernels = builtin_registry(),
                                              const optimise_options& options = {},
                                              Callback&& callback = {}) {
  const auto watch = [&callback](const growth_progress& grown) {
    search_progress now;
    now.open = grown.waiting;
    return static_cast<bool>(callback(now));
  };
  auto grown = grow(workflow, options.transforms, kernels, options.growth, watch);
  if (!grown) return grown.error();
  priced_choices out;
  out.choices = static_cast<choice_graph&&>(*grown);
  out.classes = number_classes(out.choices);
  return out;
}

namespace detail {

// Makes the selection problem of alternatives with the given costs, row-major: a row of
// `metrics.size()` for each node. O(nodes · metrics).
constexpr selection_problem make_problem(const graph_view& g, const class_numbers& classes,
                                         const table<metric_spec>& metrics, view<limit> limits,
                                         const table<std::int64_t>& costs) {
  selection_problem p;
  // Critical paths also run along control edges, which a selection problem does not have.
  for (const metric_spec& m : metrics)
    p.add_metric(m.name, m.rule == combination::critical_path && g.edges.empty()
                             ? aggregation::critical_path
                             : aggregation_of(m));
  for (std::uint32_t i = 0; i < classes.count; ++i) p.add_class();
  table<std::uint32_t> owners(g.nodes.size());
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    table<std::uint32_t> children;
    for (value_id operand : g.inputs_of(g.nodes[i]))
      if (classes.of_value[index_of(operand)] != class_numbers::none)
        children.push_back(classes.of_value[index_of(operand)]);
    // A node that is no value's only source has a class of its own: one with several results, with
    // none, or one whose result is always an input and never needed.
    std::uint32_t owner = class_numbers::none;
    if (g.nodes[i].outputs.count == 1)
      owner = classes.of_value[index_of(graph_view::output_of(g.nodes[i]))];
    owners[i] = owner == class_numbers::none ? p.add_class() : owner;
    p.add_candidate(owners[i], children, {costs.data() + i * metrics.size(), metrics.size()});
  }
  const table<std::int64_t> free(metrics.size());
  for (const node_result& r : classes.results)
    p.add_candidate(classes.of_value[g.nodes[r.node].outputs.first + r.output],
                    {&owners[r.node], 1}, free);
  for (const output& o : g.outputs)
    if (classes.of_value[index_of(o.source)] != class_numbers::none)
      p.add_root(classes.of_value[index_of(o.source)]);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].effects != effect::pure) p.add_root(owners[i]);
  if (p.roots.empty()) {  // all outputs are inputs; a problem needs a root all the same
    p.add_root(p.add_class());
    p.add_candidate(p.roots[0], {}, free);
  }
  p.objective = minimise_metric(0);
  for (const limit& l : limits) p.add_limit(metric_number(metrics, l.metric), l.maximum);
  return p;
}

// Prices candidates in metrics, the first of which is the objective.
constexpr result<selection_problem> price_candidates(const graph_view& g,
                                                     const class_numbers& classes,
                                                     const table<metric_spec>& metrics,
                                                     view<limit> limits, const registry& kernels) {
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "optimise needs static shapes: bind the symbols, or see optimise_piecewise");
  table<std::int64_t> costs(g.nodes.size() * metrics.size());
  for (std::size_t m = 0; m < metrics.size(); ++m)
    if (auto done = add_costs(costs, g, metrics[m], m, metrics.size(), kernels); !done)
      return done.error();
  return make_problem(g, classes, metrics, limits, costs);
}
constexpr result<nothing> price_metrics(priced_choices& c, const table<metric_spec>& metrics,
                                        view<limit> limits, const registry& kernels) {
  if (error e = check_numbers(c.choices, c.classes); e.code != errc::none) return e;
  auto priced = price_candidates(c.choices.view(), c.classes, metrics, limits, kernels);
  if (!priced) return priced.error();
  c.problem = static_cast<selection_problem&&>(*priced);
  return nothing{};
}

#ifdef WF_COMPILED
extern template struct compiled<&price_metrics>;
#endif

// Selects on priced candidates.
template <class Callback>
constexpr result<selection_result> select_candidates(const selection_problem& problem,
                                                     const graph_measure& measure,
                                                     const search_limits& search,
                                                     Callback&& callback) {
  bool measured = false;
  for (const selection_metric& m : problem.metrics)
    measured = measured || m.kind == aggregation::measured;
  if (!measured) return select(problem, search, callback);
  return select(problem, search, callback, measure);
}

template <class Callback>
constexpr result<selection_result> select_priced(const priced_choices& c, const objective& o,
                                                 view<limit> limits, const registry& kernels,
                                                 const search_limits& search, Callback& callback) {
  if (error e = check_numbers(c.choices, c.classes); e.code != errc::none) return e;
  const table<metric_spec> metrics = metrics_of(o, limits);
  const graph_measure measure{c.choices.view(), c.classes, kernels, metrics};
  return select_candidates(c.problem, measure, search, callback);
}

template <class Callback>
constexpr result<plan> plan_from(priced_choices& from, const objective& o, view<limit> limits,
                                 const registry& kernels, const search_limits& search,
                                 Callback& callback) {
  auto selected = select_priced(from, o, limits, kernels, search, callback);
  if (!selected) return selected.error();
  auto chosen = extract(from.choices, from.classes, selected->best.chosen);
  if (!chosen) return chosen.error();
  plan out;
  out.chosen = static_cast<graph&&>(*chosen);
  out.from = static_cast<priced_choices&&>(from);
  out.proven_optimal = selected->proven();
  out.value = selected->objective[0];
  out.bound = selected->bound[0];
  out.selected = static_cast<selection_result&&>(*selected);
  return out;
}
#if defined(WF_COMPILED) && !defined(WF_CERTIFY)  // see <wf/select/select.hpp>
extern template struct compiled<&select_priced<const any_progress_callback>>;
extern template struct compiled<&plan_from<const any_progress_callback>>;
#endif

}  // namespace detail

/// Prices alternatives: fills in the selection problem of an objective and limits. Errors: those of
/// `pricer::price`; `workflow_not_static` for symbolic shapes; `invalid_problem` for class numbers
/// of other alternatives. O(nodes · metrics).
constexpr result<nothing> price_choices(priced_choices& c, const objective& o, view<limit> limits,
                                        const registry& kernels) {
  return detail::call_compiled<&detail::price_metrics>(c, detail::metrics_of(o, limits), limits,
                                                       kernels);
}

/// Selects on priced alternatives. Errors: those of `select`; `invalid_problem` for a problem of
/// other alternatives.
template <class Callback = keep_going>
constexpr result<selection_result> select_choices(const priced_choices& c, const objective& o,
                                                  view<limit> limits, const registry& kernels,
                                                  const search_limits& search = {},
                                                  Callback&& callback = {}) {
  const progress_callback_to<std::remove_reference_t<Callback>> asked(callback);
  return detail::call_compiled<&detail::select_priced<const any_progress_callback>>(
      c, o, limits, kernels, search, asked);
}

/// Selects on priced alternatives and extracts the plan. Errors: those of `select`, and
/// `cyclic_graph` if the edges of the workflow contradict the chosen candidates.
template <class Callback = keep_going>
constexpr result<plan> select_plan(priced_choices from, const objective& o, view<limit> limits,
                                   const registry& kernels, const search_limits& search = {},
                                   Callback&& callback = {}) {
  const progress_callback_to<std::remove_reference_t<Callback>> asked(callback);
  return detail::call_compiled<&detail::plan_from<const any_progress_callback>>(
      from, o, limits, kernels, search, asked);
}

/// Optimises a workflow: grows its alternatives, prices them and selects the cheapest plan within
/// the limits, with a proof. Anytime: `callback` sees incumbent and bound and may stop the growth
/// and the search. The proof covers the alternatives in `plan::from`, whose `growth` tells whether
/// they are all that the transforms lead to. Errors: those of `grow`, `price_choices` and
/// `select_plan` (`infeasible` names the limit at fault).
template <class Callback = keep_going>
constexpr result<plan> optimise(const graph_view& workflow, const objective& o,
                                view<limit> limits = {},
                                const registry& kernels = builtin_registry(),
                                const optimise_options& options = {}, Callback&& callback = {}) {
  optimise_options known = options;
  if (known.growth.beam.metric.name.empty()) known.growth.beam.metric = o.metric;
  auto grown = grow_choices(workflow, kernels, known, callback);
  if (!grown) return grown.error();
  if (auto priced = price_choices(*grown, o, limits, kernels); !priced) return priced.error();
  return select_plan(static_cast<priced_choices&&>(*grown), o, limits, kernels, options.search,
                     callback);
}

}  // namespace wf
