// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <wf/choice/graph/extract.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/pareto/pareto.hpp>

namespace wf {

/// A multi-objective: metrics to be minimised at the same time.
struct trade_off_objective {
  /// Two or three different metrics.
  table<metric_spec> metrics;
};

/// Trades two or three metrics off against each other: `trade_off(flops, peak_memory)`.
template <std::convertible_to<metric_spec>... Metric>
  requires(sizeof...(Metric) == 2 || sizeof...(Metric) == 3)
constexpr trade_off_objective trade_off(const Metric&... metrics) {
  trade_off_objective out;
  (out.metrics.push_back(metric_spec(metrics)), ...);
  return out;
}

/// Options of `optimise`; the defaults are the built-in ones.
struct pareto_options {
  /// As for `optimise`, but the limits of the search apply to all searches together.
  optimise_options each;
  /// The maximum number of plans; at least 1.
  std::uint32_t max_points = 1'000;
};

/// The Pareto-optimal plans of a workflow: none is better in one metric without being worse in
/// another.
struct pareto_plans {
  /// The metrics, in the order of the values of a point.
  table<metric_spec> metrics;
  /// The points with their proof; its metric numbers are those of `from.problem`.
  pareto_front front;
  /// The workflow to run, by point of the front.
  table<graph> chosen;
  /// The alternatives and their prices.
  priced_choices from;
};

namespace detail {

constexpr result<nothing> extract_all(pareto_plans& plans) {
  for (const pareto_point& point : plans.front.points) {
    auto chosen = extract(plans.from.choices, plans.from.classes, point.best.chosen);
    if (!chosen) return chosen.error();
    plans.chosen.push_back(static_cast<graph&&>(*chosen));
  }
  return nothing{};
}

}  // namespace detail

/// Optimises a workflow in several metrics: grows its alternatives, prices them, and finds the
/// Pareto-optimal plans within the limits, with a proof that there are no more (see
/// `select_pareto`, also for the result of a stopped search). The callback may also stop the
/// growth. `plans.front.proven()` tells whether the front is complete.
///
/// Errors: those of `grow`, `price_choices` and `select_pareto` (`invalid_problem` for other than
/// two or three different metrics, `infeasible` names the limit at fault).
template <class Callback = keep_going>
constexpr result<pareto_plans> optimise(const graph_view& workflow, const trade_off_objective& o,
                                        view<limit> limits, const registry& kernels,
                                        const pareto_options& options = {},
                                        Callback&& callback = {}) {
  auto grown = grow_choices(workflow, kernels, options.each, callback);
  if (!grown) return grown.error();
  pareto_plans out;
  out.metrics = o.metrics;
  out.from = static_cast<priced_choices&&>(*grown);
  const table<metric_spec> metrics = detail::metrics_of(o.metrics, limits);
  if (auto priced = detail::price_metrics(out.from, metrics, limits, kernels); !priced)
    return priced.error();
  table<std::uint32_t> numbers;
  for (const metric_spec& m : o.metrics) numbers.push_back(detail::metric_number(metrics, m));
  const pareto_limits stops{options.each.search, options.max_points};
  auto front = select_pareto(
      out.from.problem, numbers, stops, callback,
      detail::graph_measure{out.from.choices.view(), out.from.classes, kernels, metrics});
  if (!front) return front.error();
  out.front = static_cast<pareto_front&&>(*front);
  if (auto done = detail::extract_all(out); !done) return done.error();
  return out;
}

/// The same with the built-in registry: `optimise(w.graph(), trade_off(flops, peak_memory),
/// peak_memory <= 8_MiB)`.
template <std::same_as<limit>... Limit>
constexpr result<pareto_plans> optimise(const graph_view& workflow, const trade_off_objective& o,
                                        const Limit&... limits) {
  const limit list[] = {limits..., limit{}};
  return optimise(workflow, o, {list, sizeof...(Limit)}, builtin_registry());
}

}  // namespace wf
