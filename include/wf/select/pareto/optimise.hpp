// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <wf/choice/graph/extract.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/pareto/pareto.hpp>

namespace wf {

/// What is minimised at the same time.
struct trade_off_objective {
  /// Two or three different metrics.
  table<metric_spec> metrics;
};

/// Two or three metrics against each other: `trade_off(flops, peak_memory)`.
template <std::convertible_to<metric_spec>... Metric>
  requires(sizeof...(Metric) == 2 || sizeof...(Metric) == 3)
constexpr trade_off_objective trade_off(const Metric&... metrics) {
  trade_off_objective out;
  (out.metrics.push_back(metric_spec(metrics)), ...);
  return out;
}

/// What `optimise_pareto` works with; the defaults are the built-in ones.
struct pareto_options {
  /// As `optimise` takes them; the limits of the search are those of all searches together.
  optimise_options each;
  /// The most plans; at least 1.
  std::uint32_t max_points = 1'000;
};

/// The plans of a workflow of which none is better in one metric without being worse in another.
struct pareto_plans {
  /// The metrics, in the order of the points' values.
  table<metric_spec> metrics;
  /// The values with their proof; its numbers of metrics are those of `from.problem`.
  pareto_front front;
  /// The workflow to run, of each point.
  table<graph> chosen;
  /// The alternatives.
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
/// plans within the limits that no other plan betters, with a proof that there are no more (see
/// `select_pareto`, also for what is there when a search is stopped). `plans.front.proven()` says
/// whether that is all.
///
/// Errors: those of `grow`, `price_choices` and `select_pareto` (`invalid_problem` for other than
/// two or three different metrics, `infeasible` names the limit at fault).
template <class Callback = keep_going>
constexpr result<pareto_plans> optimise_pareto(const graph_view& workflow,
                                               const trade_off_objective& o, view<limit> limits,
                                               const registry& kernels,
                                               const pareto_options& options = {},
                                               Callback&& callback = {}) {
  auto grown = grow_choices(workflow, options.each, kernels);
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

/// The same with the built-in registry: `optimise_pareto(w.graph(), trade_off(flops, peak_memory),
/// peak_memory <= 8_MiB)`.
template <std::same_as<limit>... Limit>
constexpr result<pareto_plans> optimise_pareto(const graph_view& workflow,
                                               const trade_off_objective& o,
                                               const Limit&... limits) {
  const limit list[] = {limits..., limit{}};
  return optimise_pareto(workflow, o, {list, sizeof...(Limit)}, builtin_registry());
}

}  // namespace wf
