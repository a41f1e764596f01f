// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>

#include <wf/cost/time_on_cores.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/workers.hpp>

namespace wf {

/// A plan for several cores.
struct plan_on_cores {
  plan made;                 ///< its value and bound are of `time_on_cores::least_ns`
  time_on_cores time;        ///< of the plan
  time_on_cores least_work;  ///< of the plan of least work, which one core would take
};

/// Elementary steps (`search_limits::max_steps`) after which a search for a shorter path ends if
/// its caller sets no limit: a few seconds. The gain is mostly less than a thousandth then.
inline constexpr std::uint64_t most_path_steps = 50'000'000;

namespace detail {

// The selection problem whose first metrics are the path on some cores and the work.
constexpr result<selection_problem> price_for_cores(const priced_choices& c,
                                                    const table<metric_spec>& metrics,
                                                    std::uint32_t cores, view<limit> limits,
                                                    const registry& kernels) {
  const graph_view& g = c.choices.view();
  if (!g.is_static())
    return make_error(errc::workflow_not_static, g.text_of(g.name),
                      "optimise needs static shapes: bind the symbols");
  const std::size_t width = metrics.size();
  table<std::int64_t> costs(g.nodes.size() * width);
  implementation_pricer prices(g, cores, kernels);
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    const auto times = prices.price(static_cast<node_id>(i));
    if (!times) return times.error();
    costs[i * width] = times->chosen().divided;
    costs[i * width + 1] = times->chosen().alone;
  }
  for (std::size_t m = 2; m < width; ++m)
    if (auto done = add_costs(costs, g, metrics[m], m, width, kernels); !done) return done.error();
  return make_problem(g, c.classes, metrics, limits, costs);
}

template <class Callback>
constexpr result<plan_on_cores> plan_for_cores(priced_choices& from, std::uint32_t cores,
                                               view<limit> limits, const registry& kernels,
                                               const search_limits& search, Callback& callback) {
  if (error e = check_numbers(from.choices, from.classes); e.code != errc::none) return e;
  text name;
  name << "execution_time_on_" << cores;
  table<metric_spec> metrics;
  metrics.push_back({name.view(), "ns", combination::critical_path});
  metrics.push_back(execution_time);
  for (const limit& l : limits)
    if (!is_declared(metrics, l.metric)) metrics.push_back(l.metric);
  auto priced = price_for_cores(from, metrics, cores, limits, kernels);
  if (!priced) return priced.error();
  from.problem = static_cast<selection_problem&&>(*priced);
  const graph_measure measure{from.choices.view(), from.classes, kernels, metrics};
  search_limits of_paths = search;
  bool compiling = std::is_constant_evaluated();  // not const, which would be evaluated as such
  if (of_paths.max_steps == 0 && !compiling) of_paths.max_steps = most_path_steps;
  const auto find = [&](const selection_problem& p) {
    const bool is_path = p.objective.terms[0].metric == 0;
    return select_candidates(p, measure, is_path ? of_paths : search, callback);
  };
  // Paths along control edges are measured, so that only the work can be minimised.
  const bool has_path = from.problem.metrics[0].kind == aggregation::critical_path;
  shared_selection found;
  if (has_path) {
    auto shared = select_for_workers(from.problem, {1, 0, cores}, find);
    if (!shared) return shared.error();
    found = static_cast<shared_selection&&>(*shared);
  } else {
    from.problem.objective = minimise_metric(1);
    auto least = find(from.problem);
    if (!least) return least.error();
    found.best = static_cast<selection_result&&>(*least);
  }
  found.best.rejected.resize(0);  // they speak of work or path alone
  auto chosen = extract(from.choices, from.classes, found.best.best.chosen);
  if (!chosen) return chosen.error();
  const auto time = price_on_cores(chosen->view(), cores, kernels);
  if (!time) return time.error();
  plan_on_cores out;
  out.time = out.least_work = *time;
  if (has_path) {
    out.least_work.work_ns = found.least_work[1];
    out.least_work.path_ns = found.least_work[0];
    out.made.bound = found.best.bound[0];
  } else {
    out.made.bound = ceil_div(found.best.bound[0], cores);
  }
  out.made.value = time->least_ns();
  out.made.proven_optimal = out.made.bound >= out.made.value;
  if (!out.made.proven_optimal && found.best.status == search_status::proven)
    found.best.status = search_status::within_tolerance;
  out.made.chosen = static_cast<graph&&>(*chosen);
  out.made.from = static_cast<priced_choices&&>(from);
  out.made.selected = static_cast<selection_result&&>(found.best);
  return out;
}
#ifdef WF_COMPILED
extern template struct compiled<&plan_for_cores<const any_progress_callback>>;
#endif

}  // namespace detail

/// Optimises a workflow for a number of cores, at least 1: of its alternatives within the limits it
/// chooses the one of least `time_on_cores::least_ns`, with a proof. More work than one core would
/// do is chosen where it makes the longest path shorter. In workflows with control edges only the
/// work is minimised. Errors: those of `optimise`; `invalid_problem` for no cores.
template <class Callback = keep_going>
constexpr result<plan_on_cores> optimise_on_cores(const graph_view& workflow, std::uint32_t cores,
                                                  view<limit> limits = {},
                                                  const registry& kernels = builtin_registry(),
                                                  const optimise_options& options = {},
                                                  Callback&& callback = {}) {
  if (cores == 0)
    return make_error(errc::invalid_problem, workflow.text_of(workflow.name), "it has no core");
  optimise_options known = options;
  if (known.growth.beam.metric.name.empty()) known.growth.beam.metric = execution_time;
  auto grown = grow_choices(workflow, kernels, known, callback);
  if (!grown) return grown.error();
  const progress_callback_to<std::remove_reference_t<Callback>> asked(callback);
  return detail::call_compiled<&detail::plan_for_cores<const any_progress_callback>>(
      *grown, cores, limits, kernels, options.search, asked);
}

/// What the cores were used for, in sentences: work, longest path, and the plan of least work.
constexpr text explain_cores(const plan_on_cores& p) {
  text out;
  out << "on " << p.time.cores << " cores: work ";
  out.grouped(p.time.work_ns) << " ns, longest path ";
  out.grouped(p.time.path_ns) << " ns, so at least ";
  out.grouped(p.time.least_ns()) << " ns\n";
  if (p.least_work == p.time) {
    out << "it is also the plan of least work\n";
    return out;
  }
  out << "the plan of least work: work ";
  out.grouped(p.least_work.work_ns) << " ns, longest path ";
  out.grouped(p.least_work.path_ns) << " ns, so at least ";
  out.grouped(p.least_work.least_ns()) << " ns\n";
  if (p.least_work.work_ns < p.time.work_ns) {
    out << "traded: ";
    out.grouped(p.time.work_ns - p.least_work.work_ns) << " ns more work for a path shorter by ";
    out.grouped(p.least_work.path_ns - p.time.path_ns) << " ns\n";
  }
  return out;
}

}  // namespace wf
