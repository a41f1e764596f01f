// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/workflow.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/ir/form/text.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/select/optimise.hpp>
#include <wf/simulate/trace.hpp>
#include <wf/toolchain/graph_stage.hpp>

namespace wf {

/// A function that captures a graph; stateless.
using capture_function = result<graph> (*)();

/// A workflow before its capture.
struct workflow_definition {
  /// The workflow's name.
  text_view name;
  /// Captures the graph; null: `missing_argument` when it is captured. Errors: those of `capture`.
  capture_function capture = nullptr;
};

/// The definition of a workflow captured at compile time.
template <static_workflow_type Workflow>
constexpr workflow_definition define(const Workflow&) {
  return {Workflow::name(), []() -> result<graph> { return graph(Workflow::graph()); }};
}
/// The definition of a workflow whose body captures no variables and runs on demand.
template <fixed_string Name, class Body>
  requires std::invocable<Body&, scope&> && std::is_empty_v<Body>
constexpr workflow_definition define(Body) {
  return {Name.view(), []() { return capture(Name.view(), Body()); }};
}

/// A workflow with its costs, before any selection.
struct priced_graph {
  /// The graph that was priced, in canonical form in the default toolchain.
  graph workflow;
  /// The costs per node and in total.
  cost_table costs;
};

/// A plan mapped onto a PE array.
struct mapped_plan {
  /// The plan that was mapped.
  plan selected;
  /// The operators and dependences of the plan in the mapper's form.
  workload work;
  /// The processing elements of the mapping.
  pe_array array;
  /// The placement and the start of each operator.
  mapping placed;
};

/// A mapped plan with the replay of its events.
struct simulated_plan {
  /// The plan and its mapping.
  mapped_plan mapped;
  /// The events in the order of their end cycles, and the totals of the run.
  execution_trace replay;
};

/// The workflow's text form and its totals, one line per metric: for dumps and golden files.
constexpr text to_text(const priced_graph& p) {
  text out = to_text(p.workflow.view());
  for (std::size_t m = 0; m < p.costs.metrics.size(); ++m)
    out << "# " << p.costs.metrics[m].name << ": " << to_text(p.costs.totals[m]).view() << '\n';
  return out;
}
/// The alternatives as a graph in text form.
constexpr text to_text(const priced_choices& c) { return to_text(c.choices.view()); }
/// The chosen workflow's text form and its cost.
constexpr text to_text(const plan& p) {
  return to_text(p.chosen.view()) << "# value " << p.value << ", bound " << p.bound
                                  << (p.proven_optimal ? ", proven\n" : "\n");
}
/// The text form of the plan, followed by that of its mapping.
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
