// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/workflow.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/select/optimise.hpp>
#include <wf/simulate/trace.hpp>
#include <wf/toolchain/step.hpp>

namespace wf {

/// Captures a graph.
using capture_function = result<graph> (*)();

/// A workflow before it is captured: how its graph is got.
struct workflow_definition {
  /// The workflow's name.
  text_view name;
  /// Captures the graph. Errors: those of `capture`.
  capture_function capture = nullptr;
};

/// The definition of a workflow that was captured while compiling.
template <static_workflow_type Workflow>
constexpr workflow_definition define(const Workflow&) {
  return {Workflow::name(), []() -> result<graph> { return graph(Workflow::graph()); }};
}
/// The definition of a workflow whose body captures no variables and runs when it is needed.
template <fixed_string Name, class Body>
  requires std::invocable<Body&, scope&> && std::is_empty_v<Body>
constexpr workflow_definition define(Body) {
  return {Name.view(), []() { return capture(Name.view(), Body()); }};
}

/// A workflow and what it costs before anything is decided.
struct priced_graph {
  /// The graph as it was captured or read.
  graph workflow;
  /// Its costs, node by node and in all.
  cost_table costs;
};

/// A plan on a PE array.
struct mapped_plan {
  /// What was selected.
  plan selected;
  /// The plan as the mapper sees it.
  workload work;
  /// The processing elements it runs on.
  pe_array array;
  /// Where and when each operator runs.
  mapping placed;
};

/// A plan on a PE array with the replay of its events.
struct simulated_plan {
  /// The plan and its mapping.
  mapped_plan mapped;
  /// What happened in which cycle.
  execution_trace replay;
};

/// The workflow's text form, and its totals, a line a metric: for dumps and golden files.
constexpr text to_text(const priced_graph& p) {
  text out = to_text(p.workflow.view());
  for (std::size_t m = 0; m < p.costs.metrics.size(); ++m)
    out << "# " << p.costs.metrics[m].name << ": " << to_text(p.costs.totals[m]).view() << '\n';
  return out;
}
/// The alternatives as a graph in its text form.
constexpr text to_text(const priced_choices& c) { return to_text(c.choices.view()); }
/// The chosen workflow's text form, and what it costs.
constexpr text to_text(const plan& p) {
  return to_text(p.chosen.view()) << "# value " << p.value << ", bound " << p.bound
                                  << (p.proven_optimal ? ", proven\n" : "\n");
}
/// The text forms of the plan and, below it, of its mapping.
constexpr text to_text(const mapped_plan& m) {
  return to_text(m.selected) << to_text(m.placed, m.work).view();
}
/// The mapped plan and its replay.
constexpr text to_text(const simulated_plan& s) {
  return to_text(s.mapped) << to_text(s.replay).view();
}

template <>
inline constexpr text_view stage_name<workflow_definition> = "definition";
template <>
inline constexpr text_view stage_name<graph> = "graph";
template <>
inline constexpr text_view stage_name<priced_graph> = "priced graph";
template <>
inline constexpr text_view stage_name<priced_choices> = "choices";
template <>
inline constexpr text_view stage_name<plan> = "plan";
template <>
inline constexpr text_view stage_name<mapped_plan> = "mapped plan";
template <>
inline constexpr text_view stage_name<simulated_plan> = "simulated plan";

}  // namespace wf
