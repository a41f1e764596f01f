// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <wf/choice/growth/limits.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/cost/metric.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/registry/kernel.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/run/plan/options.hpp>
#include <wf/run/values/matrix_argument.hpp>
#include <wf/run/values/named_matrices.hpp>
#include <wf/search/control.hpp>

// Plans made at run time and what runs them, declared only: planner and executor take a compiler
// more than half a minute, which a program should pay once. Link `wf::compiled` of CMake, or
// include <wf/run/static/definitions.hpp> in one source file.
namespace wf {

struct plan;
struct transform;
template <class Real>
class basic_bound_graph;

namespace detail {
struct planned_workflow;
}

/// How `executable_plan::make` plans. What it refers to must live until `make` returns, but the
/// memory of `storage`.
struct planning_options {
  /// What is minimised.
  metric_spec minimised = execution_time;
  /// What the plan may take at most: `const wf::limit limits[] = {wf::peak_memory <= 8_MiB};`.
  view<limit> limits;
  /// True if the workflow is run as it is written, for instance as it was planned while compiling.
  bool as_written = false;
  /// The sizes of the symbols of a symbolic workflow.
  view<symbol_size> sizes;
  /// Kernels besides `timed_registry()`, or instead of some: times measured on this machine, and
  /// operators of the user's own, which are executed if `executable_kernels` made them.
  view<kernel_spec> kernels;
  /// The caches of the machine that these times hold for.
  host_caches caches;
  /// Transforms besides the built-in ones; they must name no unknown kernel.
  view<transform> transforms;
  /// How far the alternatives may grow.
  growth_limits growth;
  /// Where the search has to stop.
  search_limits search;
  /// Told of growth and search; returns whether to go on. None: it goes on.
  std::function<bool(const search_progress&)> progress;
  /// How the plan is executed.
  execution_options storage;
};

/// A plan on certain inputs and outputs: `bound_graph`, declared only. Copies are the same; one
/// thread at a time may call it.
class bound_plan {
 public:
  /// Nothing: it must not be called.
  bound_plan() = default;

  /// Computes the outputs anew from what the inputs are now, as `bound_graph::run` does, with
  /// its errors.
  result<nothing> run() const;

 private:
  friend class executable_plan;

  std::shared_ptr<const basic_bound_graph<double>> bound_;
};

/// A workflow planned at run time with a proof, and ready to run: `optimise` with
/// transforms, and `executable_graph` of what it chose. A handle: copies share the
/// plan and its workspaces; several threads may call it.
class executable_plan {
 public:
  /// Nothing: it must not be called.
  executable_plan() = default;
  /// Plans a workflow and prepares it. Errors: those of `bind_symbols`, `optimise`, `registry::add`
  /// and `executable_graph::prepare`.
  static result<executable_plan> make(const graph_view& workflow,
                                      const planning_options& options = {});

  /// Computes the outputs of these inputs, as `executable_graph` does, with its errors.
  result<named_matrices> operator()(const named_matrices& arguments) const;
  /// Computes the outputs of these inputs where the caller wants them, as `executable_graph::run`
  /// does, with its errors.
  result<nothing> run(view<input_matrix> inputs, view<output_matrix> outputs) const;
  /// Prepares runs on these matrices, which must stay where they are. Errors: those of
  /// `executable_graph::bind`.
  result<bound_plan> bind(view<input_matrix> inputs, view<output_matrix> outputs) const;

  /// The chosen workflow.
  graph_view chosen() const;
  /// The objective's value.
  std::int64_t value() const;
  /// The proven lower bound of the objective.
  std::int64_t bound() const;
  /// True if no selection from the alternatives within the limits is better.
  bool proven_optimal() const;
  /// The bytes of one workspace.
  std::size_t workspace_bytes() const;
  /// What was chosen and why, and what each step costs in these metrics: see `explain`. Errors:
  /// those of `tabulate_costs`.
  result<text> explain(view<metric_spec> metrics) const;
  /// The plan with its alternatives and its proof, declared in <wf/select/optimise.hpp>.
  const plan& details() const;

 private:
  std::shared_ptr<const detail::planned_workflow> made_;
};

}  // namespace wf
