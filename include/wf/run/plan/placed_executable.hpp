// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <wf/core/text/text.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/tiles.hpp>
#include <wf/run/parallel/step_run.hpp>
#include <wf/run/plan/execution_step.hpp>
#include <wf/run/plan/layout.hpp>
#include <wf/run/plan/step_accesses.hpp>
#include <wf/run/plan/step_times.hpp>
#include <wf/run/plan/storage_placement.hpp>
#include <wf/run/values/element.hpp>
#include <wf/run/values/matrix_argument.hpp>
#include <wf/run/values/tensor.hpp>

// Runs of an executable static graph in a workspace.
namespace wf {

namespace detail {

// Prepares the body of a node: body_run.hpp, which whoever prepares executables includes.
template <class Real>
result<std::shared_ptr<const node_program<Real>>> make_body_run(const graph_view& g, node_id id,
                                                                const registry& kernels,
                                                                const storage_request& request);

// An executable static graph and the storage of its values.
template <class Real>
class placed_executable {
 public:
  using room = storage_place::room;

  // Without steps.
  placed_executable() = default;
  // As `storage_placement::make`, for these threads.
  static result<placed_executable<Real>> make(graph g, const registry& kernels,
                                              storage_request request, core_pool cores = {},
                                              std::int64_t least_shared_ns = 0) {
    // Kernels state the scratch storage that they need for this many threads.
    const compute::team_scope scope(cores.as_team());
    request.concurrent = cores.pool != nullptr;
    auto placed = storage_placement<Real>::make(static_cast<graph&&>(g), kernels, request,
                                                &make_body_run<Real>);
    if (!placed) return placed.error();
    placed_executable<Real> out(static_cast<storage_placement<Real>&&>(*placed));
    if (cores.is_parallel()) out.order_steps(kernels, cores, least_shared_ns);
    return out;
  }

  // The original workflow.
  graph_view view() const { return placed_.view(); }
  // The workflow as executed, with its copies.
  const stored_graph<Real>& stored() const { return placed_.stored(); }
  // Storage of a value, by its home.
  const storage_place& place_of(value_id id) const { return placed_.place_of(id); }
  // The steps, in order of execution.
  const std::vector<execution_step<Real>>& steps() const { return placed_.steps(); }
  // Size of a workspace in elements.
  std::size_t elements() const { return placed_.elements(); }
  // Number of threads that run the steps.
  std::size_t threads() const { return order_.size() == 0 ? 1 : cores_.size; }
  // Number of counters that a run needs.
  std::size_t counters() const { return order_.size(); }

  // The tensors of a workspace; those in the caller's matrices have no address yet.
  std::vector<compute::tensor_ref<Real>> values_in(Real* workspace) const {
    const graph_view g = stored().g.view();
    std::vector<compute::tensor_ref<Real>> values;
    values.reserve(g.values.size());
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const value_id home = home_of(static_cast<value_id>(i));
      const storage_place& at = place_of(home);
      Real* const elements =
          at.where == room::workspace ? workspace + placed_.offset_of(home) : nullptr;
      const Eigen::Index stride =
          elements != nullptr && is_matrix(home) ? placed_.stride_in_workspace(home) : 0;
      values.push_back({g.values[i].type.shape, elements, stored().by_columns[i] != 0, stride});
    }
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (const auto id = static_cast<value_id>(i); home_of(id) != id) see(id, values);
    return values;
  }

  // Computes the outputs from inputs whose shapes were checked. `values` and `waits` are those of
  // the workspace.
  error run(wf::view<basic_input_matrix<Real>> inputs, wf::view<basic_output_matrix<Real>> outputs,
            Real* workspace, std::vector<compute::tensor_ref<Real>>& values,
            std::atomic<std::uint32_t>* waits, const std::stop_token& stop) const {
    lay(inputs, outputs, values);
    error e = run_all(waits, stop, [&](std::size_t i) {
      const execution_step<Real>& s = steps()[i];
      return run_step(s, workspace + s.scratch_first, values.data(), stop);
    });
    if (e.code == errc::none) hand_out(outputs, values);
    return e;
  }

  // Binds the steps to checked inputs and outputs; both, and `values`, must keep their addresses.
  std::vector<bound_step<Real>> bind(wf::view<basic_input_matrix<Real>> inputs,
                                     wf::view<basic_output_matrix<Real>> outputs, Real* workspace,
                                     std::vector<compute::tensor_ref<Real>>& values) const {
    lay(inputs, outputs, values);
    const graph_view g = stored().g.view();
    std::vector<bound_step<Real>> out;
    for (const execution_step<Real>& s : steps()) {
      bound_step<Real>& b = out.emplace_back();
      b.last = s.last;
      if (s.program.empty()) {
        b.node.emplace(g, g[s.last], values.data(), workspace + s.scratch_first, s.scratch,
                       s.constants.get());
        b.program_of_node = s.program_of_node.get();
        continue;
      }
      b.nodes = s.nodes.data();
      for (value_id operand : s.operands) b.operands.push_back(values[index_of(operand)].view());
      b.tiles.emplace(values[g[s.last].outputs.first],
                      wf::view<compute::tensor_view<Real>>(b.operands.data(), b.operands.size()),
                      wf::view<compute::tile_instruction<Real>>(s.program),
                      workspace + s.scratch_first);
    }
    return out;
  }
  // The same as `run`, for bound steps.
  error run_bound(const std::vector<bound_step<Real>>& steps,
                  wf::view<basic_output_matrix<Real>> outputs,
                  const std::vector<compute::tensor_ref<Real>>& values,
                  std::atomic<std::uint32_t>* waits, const std::stop_token& stop) const {
    error e = run_all(waits, stop, [&](std::size_t i) {
      const bound_step<Real>& b = steps[i];
      return b.tiles ? tile_failure(b.tiles->run(), b.nodes)
                     : run_node(b.last, *b.node, b.program_of_node, stop);
    });
    if (e.code == errc::none) hand_out(outputs, values);
    return e;
  }

 private:
  explicit placed_executable(storage_placement<Real>&& placed)
      : placed_(static_cast<storage_placement<Real>&&>(placed)) {}

  void order_steps(const registry& kernels, const core_pool& cores, std::int64_t least_shared_ns) {
    step_graph order(step_times(stored(), steps(), kernels),
                     dependences_of(stored(), steps(), placed_.accesses()));
    if (order.work() < least_shared_ns) return;
    order_ = static_cast<step_graph&&>(order);
    cores_ = cores;
  }
  // Runs all steps, and returns the failure of the first one in order that fails.
  template <class Step>
  error run_all(std::atomic<std::uint32_t>* waits, const std::stop_token& stop,
                const Step& step) const {
    if (order_.size() != 0)
      return walk_steps(order_, cores_, waits, stop, view().text_of(view().name), step);
    // Within an operator of another executable, whose team is not for this one.
    if (compute::team::current().size() > 1) {
      const compute::team_scope alone{compute::team()};
      return run_in_order(stop, step);
    }
    return run_in_order(stop, step);
  }
  template <class Step>
  error run_in_order(const std::stop_token& stop, const Step& step) const {
    const bool may_stop = stop.stop_possible();
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (may_stop && stop.stop_requested()) return stopped_error(view().text_of(view().name));
      if (error e = step(i); e.code != errc::none) return e;
    }
    return {};
  }

  value_id home_of(value_id id) const { return stored().home[index_of(id)]; }
  bool is_matrix(value_id id) const { return stored().g[id].type.shape.rank == 2; }
  // Derives the address and stride of a view from its home.
  void see(value_id id, std::vector<compute::tensor_ref<Real>>& values) const {
    const compute::tensor_ref<Real>& home = values[index_of(home_of(id))];
    const storage_reading& r = stored().readings[index_of(id)];
    compute::tensor_ref<Real>& t = values[index_of(id)];
    if (home.elements == nullptr) return;
    if (r.of_matrix) {
      const compute::matrix_ref<Real> m = compute::matrix(home);
      t.elements = m.elements + static_cast<Eigen::Index>(r.start[0]) * m.row_step() +
                   static_cast<Eigen::Index>(r.start[1]) * m.column_step();
      t.stride = m.stride;
    } else {
      t.elements = home.elements + r.first;
      t.stride = is_matrix(id) ? static_cast<Eigen::Index>(r.step[t.by_columns ? 1 : 0]) : 0;
    }
  }

  // Sets the addresses of the values in the caller's matrices, and of views of them.
  void lay(wf::view<basic_input_matrix<Real>> inputs, wf::view<basic_output_matrix<Real>> outputs,
           std::vector<compute::tensor_ref<Real>>& values) const {
    for (const typename storage_placement<Real>::callers_value& v : placed_.callers()) {
      compute::tensor_ref<Real>& t = values[index_of(v.value)];
      if (v.place.where == room::output) {
        lay(t, outputs[v.place.index].where());
      } else {
        // No result is placed in an input, so nothing writes through this pointer.
        const compute::matrix_view<Real>& m = inputs[v.place.index].where();
        lay(t, {const_cast<Real*>(m.elements), m.rows, m.columns, m.stride, m.by_columns});
      }
    }
    for (value_id id : placed_.callers_views()) see(id, values);
  }
  // Only matrices have a stride: vectors are columns, other tensors were checked to be contiguous.
  static void lay(compute::tensor_ref<Real>& t, const compute::matrix_ref<Real>& m) {
    t.elements = m.elements;
    t.stride = t.shape.rank == 2 ? m.stride : 0;
  }

  error run_step(const execution_step<Real>& s, Real* scratch,
                 const compute::tensor_ref<Real>* values, const std::stop_token& stop) const {
    const graph_view g = stored().g.view();
    const node& n = g[s.last];
    if (s.program.empty())
      return run_node(s.last, {g, n, values, scratch, s.scratch, s.constants.get()},
                      s.program_of_node.get(), stop);
    compute::tensor_view<Real> operands[compute::max_tile_inputs];
    for (std::size_t k = 0; k < s.operands.size(); ++k)
      operands[k] = values[index_of(s.operands[k])].view();
    return tile_failure(compute::run_tiles(values[n.outputs.first], {operands, s.operands.size()},
                                           s.program, scratch),
                        s.nodes.data());
  }
  // The error of the instruction that failed, or none.
  error tile_failure(std::size_t failed, const node_id* nodes) const {
    if (failed == compute::all_computed) return {};
    const graph_view g = stored().g.view();
    return failure(g, g[nodes[failed]], nodes[failed], compute::detail::unfit<Real>());
  }
  error run_node(node_id id, const compute::application<Real>& a, const node_program<Real>* program,
                 const std::stop_token& stop) const {
    const graph_view& g = a.graph();
    const node& n = a.node();
    text why = program != nullptr ? program->run(a, stop) : stored().operator_of(n).run(a);
    if (stop.stop_requested() && program != nullptr)
      return stopped_error(view().text_of(view().name));
    for (std::uint32_t k = 0; why.empty() && k < a.results(); ++k)
      if (!compute::settle(a.result_type(k), a.out(k)))
        why << "an element of the result does not exist or does not fit "
            << name_of(a.result_type(k));
    return why.empty() ? error() : failure(g, n, id, why);
  }
  // Copies the outputs that were not computed in place.
  void hand_out(wf::view<basic_output_matrix<Real>> outputs,
                const std::vector<compute::tensor_ref<Real>>& values) const {
    for (std::uint32_t k : placed_.copied_outputs()) {
      const compute::tensor_ref<Real>& from = values[index_of(stored().outputs[k])];
      compute::copy(outputs[k].where(), as_given(from.view(), outputs[k].where()));
    }
  }
  error failure(const graph_view& g, const node& n, node_id id, const text& why) const {
    if (index_of(id) < view().nodes.size())
      return make_error(errc::numerical_failure, g.label(id).view(),
                        (text() << g.op_name(n) << " failed: " << why.view()).view());
    const value& input = g[g.inputs_of(n)[0]];
    return make_error(
        errc::argument_shape, g.text_of(input.name),
        (text() << "its elements are not all of type " << name_of(input.type.type)).view());
  }
  // A tensor as a matrix of the caller's shape: a vector as a column, others as a row or a column.
  static compute::matrix_view<Real> as_given(const compute::tensor_view<Real>& t,
                                             const compute::matrix_ref<Real>& to) {
    if (t.shape.rank == 2) return compute::matrix(t);
    return {t.elements, to.rows, to.columns, to.rows, true};
  }

  storage_placement<Real> placed_;
  step_graph order_;  // without steps: they run in their order
  core_pool cores_;
};

}  // namespace detail

}  // namespace wf
