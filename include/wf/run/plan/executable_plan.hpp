// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include <wf/choice/growth/control.hpp>
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

// Plans made at run time and their execution, declarations only: the definitions take a compiler
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

/// Options of `executable_plan::make`. Referenced objects must live until `make` returns, the
/// memory of `storage` as long as the plan.
struct planning_options {
  /// The metric to minimise. With several cores `execution_time` is that on all of them
  /// (`optimise_on_cores`).
  metric_spec minimised = execution_time;
  /// Upper bounds on metrics: `const wf::limit limits[] = {wf::peak_memory <= 8_MiB};`.
  view<limit> limits;
  /// True if the workflow is run as written, for instance if it was planned at compile time.
  bool as_written = false;
  /// Sizes of the symbols of a symbolic workflow; empty for a static one.
  view<symbol_size> sizes;
  /// Kernels that add to or replace those of `host_registry()`: times measured on this machine,
  /// those of a library among them, and operators of the user's own, which are executable if
  /// `executable_kernels` made them.
  view<kernel_spec> kernels;
  /// The machine's caches that these times assume.
  host_caches caches;
  /// Transforms besides the built-in ones; they must name no unknown kernel.
  view<transform> transforms;
  /// Limits on the growth of the alternatives.
  growth_limits growth;
  /// Limits on the search.
  search_limits search;
  /// Called with the progress of growth and search; returning false stops. Null: never stops.
  std::function<bool(const search_progress&)> progress;
  /// Storage of the execution; its `kernels` is ignored.
  execution_options storage;
};

/// A plan bound to fixed inputs and outputs: `bound_graph`, declared only. Copies share it; one
/// thread at a time may call it.
class bound_plan {
 public:
  /// An empty handle, which must not be called.
  bound_plan() = default;

  /// Computes the outputs from the current elements of the inputs, as `bound_graph::run` does, with
  /// its errors.
  result<nothing> run(const std::stop_token& stop = {}) const;

 private:
  friend class executable_plan;

  std::shared_ptr<const basic_bound_graph<double>> bound_;
};

/// A workflow planned at run time with a proof and prepared for execution: `optimise` with
/// transforms, then `executable_graph` of the chosen workflow. A handle: copies share the plan and
/// its workspaces; several threads may call it.
class executable_plan {
 public:
  /// An empty handle, which must not be called.
  executable_plan() = default;
  /// Plans a workflow and prepares it. Errors: those of `bind_symbols`, `optimise`, `registry::add`
  /// and `executable_graph::prepare`.
  static result<executable_plan> make(const graph_view& workflow,
                                      const planning_options& options = {});

  /// Computes the outputs by name, as `executable_graph` does, with its errors.
  result<named_matrices> operator()(const named_matrices& arguments) const;
  /// Computes the outputs in the caller's matrices, as `executable_graph::run` does, with its
  /// errors.
  result<nothing> run(view<input_matrix> inputs, view<output_matrix> outputs,
                      const std::stop_token& stop = {}) const;
  /// Prepares runs on these matrices, whose addresses must stay valid. Errors: those of
  /// `executable_graph::bind`.
  result<bound_plan> bind(view<input_matrix> inputs, view<output_matrix> outputs) const;

  /// The chosen workflow, owned by the plan.
  graph_view chosen() const;
  /// Value of the objective, in the unit of the minimised metric.
  std::int64_t value() const;
  /// Proven lower bound of the objective, in the same unit.
  std::int64_t bound() const;
  /// True if no selection from the alternatives within the limits is better.
  bool proven_optimal() const;
  /// Bytes of one workspace.
  std::size_t workspace_bytes() const;
  /// Number of threads that run its steps: 1 if it is too small to be shared.
  std::size_t threads() const;
  /// The choice, its reasons, and the cost of each step in these metrics: see `explain`. For
  /// several cores first what they are used for: see `explain_cores`. Where a library implements
  /// nodes, last which of them go to it: see `explain_library`. Errors: those of `tabulate_costs`
  /// and of `explain_library`.
  result<text> explain(view<metric_spec> metrics) const;
  /// The plan with its alternatives and its proof, declared in <wf/select/optimise.hpp>.
  const plan& details() const;

 private:
  std::shared_ptr<const detail::planned_workflow> made_;
};

}  // namespace wf
