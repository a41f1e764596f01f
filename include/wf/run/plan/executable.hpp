// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <stop_token>
#include <vector>

#include <wf/core/compiled.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/run/plan/body_run.hpp>
#include <wf/run/plan/options.hpp>
#include <wf/run/values/named_arguments.hpp>

namespace wf {

namespace detail {

// Size of a value as an argument or result matrix.
inline Eigen::Index given_rows(const shape& s) {
  return s.rank == 1 || s.rank == 2 ? static_cast<Eigen::Index>(s[0].size()) : 1;
}
inline Eigen::Index given_columns(const shape& s) {
  return s.rank == 1   ? 1
         : s.rank == 2 ? static_cast<Eigen::Index>(s[1].size())
                       : static_cast<Eigen::Index>(s.elements());
}

// The mismatch between a value and the caller's matrix, if any.
template <class Real>
error matrix_fault(const graph_view& g, text_view name, value_id id,
                   const compute::matrix_view<Real>& m) {
  const shape& s = g[id].type.shape;
  const bool flat = s.rank > 2 && (m.rows == 1 || m.columns == 1 || s.elements() == 0) &&
                    m.rows * m.columns == given_rows(s) * given_columns(s);
  if (!flat && (m.rows != given_rows(s) || m.columns != given_columns(s)))
    return make_error(
        errc::argument_shape, name,
        (text() << "it is " << to_text(s).view() << ", not " << m.rows << 'x' << m.columns).view());
  const bool consecutive = m.columns <= 1 || m.stride == m.rows;
  if (m.columns > 1 && m.rows != 0 && (m.stride < m.rows || (s.rank != 2 && !consecutive)))
    return make_error(errc::argument_shape, name,
                      "its elements overlap, or those of a tensor do not follow each other");
  return {};
}

inline error count_fault(const graph_view& g, std::size_t wanted, std::size_t given,
                         const char* what) {
  if (wanted == given) return {};
  return make_error(given < wanted ? errc::missing_argument : errc::unknown_argument,
                    g.text_of(g.name),
                    (text() << "it has " << wanted << ' ' << what << ", not " << given).view());
}

// The first fault of the matrices of a run, if any.
template <class Real>
error argument_fault(const graph_view& g, view<basic_input_matrix<Real>> inputs,
                     view<basic_output_matrix<Real>> outputs) {
  std::size_t count = 0;
  for (const value& v : g.values) count += v.producer == node_id::none ? 1 : 0;
  if (error e = count_fault(g, count, inputs.size(), "inputs"); e.code != errc::none) return e;
  if (error e = count_fault(g, g.outputs.size(), outputs.size(), "outputs"); e.code != errc::none)
    return e;
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < g.values.size(); ++i) {
    if (g.values[i].producer != node_id::none) continue;
    if (error e = matrix_fault(g, g.text_of(g.values[i].name), static_cast<value_id>(i),
                               inputs[at++].where());
        e.code != errc::none)
      return e;
  }
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const text_view name = g.text_of(g.outputs[k].name);
    const compute::matrix_view<Real> m = outputs[k].where();
    if (error e = matrix_fault(g, name, g.outputs[k].source, m); e.code != errc::none) return e;
    bool shared = false;
    for (const basic_input_matrix<Real>& input : inputs)
      shared = shared || overlap(m, input.where());
    for (std::size_t other = 0; other < k; ++other)
      shared = shared || overlap(m, outputs[other].where());
    if (shared)
      return make_error(errc::argument_overlap, name,
                        "it has elements in common with an input or another output");
  }
  return {};
}

// The storage of one run, 64-byte aligned.
template <class Real>
struct workspace {
  Real* memory = nullptr;
  std::vector<compute::tensor_ref<Real>> values;
  std::unique_ptr<std::atomic<std::uint32_t>[]> waits;  // by step, for several threads
};
template <class Real>
result<placed_executable<Real>> make_placed_executable(const graph& g, const registry& kernels,
                                                       const execution_options& options) {
  storage_request request;
  request.share_buffers = options.share_buffers;
  request.most_bytes = options.most_bytes;
  return placed_executable<Real>::make(g, kernels, request, options.cores, options.least_shared_ns);
}
template <class Real>
error run_placed(const placed_executable<Real>& placed, view<basic_input_matrix<Real>> inputs,
                 view<basic_output_matrix<Real>> outputs, workspace<Real>& space,
                 const std::stop_token& stop) {
  return placed.run(inputs, outputs, space.memory, space.values, space.waits.get(), stop);
}
template <class Real>
std::vector<bound_step<Real>> bind_placed(const placed_executable<Real>& placed,
                                          view<basic_input_matrix<Real>> inputs,
                                          view<basic_output_matrix<Real>> outputs,
                                          workspace<Real>& space) {
  return placed.bind(inputs, outputs, space.memory, space.values);
}
#ifdef WF_COMPILED
extern template struct compiled<&make_placed_executable<double>>;
extern template struct compiled<&run_placed<double>>;
extern template struct compiled<&bind_placed<double>>;
#endif

// A placed executable, and the workspaces that no run uses.
template <class Real>
struct execution_state {
  execution_state(placed_executable<Real> p, std::pmr::memory_resource* m)
      : placed(static_cast<placed_executable<Real>&&>(p)), memory(m) {}
  execution_state(const execution_state&) = delete;
  execution_state<Real>& operator=(const execution_state<Real>&) = delete;
  ~execution_state() {
    for (const workspace<Real>& w : idle) memory->deallocate(w.memory, bytes(), alignment);
  }

  static constexpr std::size_t alignment = 64;
  std::size_t bytes() const { return (placed.elements() + 1) * sizeof(Real); }

  placed_executable<Real> placed;
  std::pmr::memory_resource* memory;
  std::mutex mutex;
  std::vector<workspace<Real>> idle;
  std::size_t made = 0;
};

// A workspace for exclusive use during the lifetime of the lease; null memory if allocation failed.
template <class Real>
struct workspace_lease {
  explicit workspace_lease(execution_state<Real>& s) : owner(s) {
    {
      const std::lock_guard lock(owner.mutex);
      if (!owner.idle.empty()) {
        space = static_cast<workspace<Real>&&>(owner.idle.back());
        owner.idle.pop_back();
        return;
      }
    }
    try {
      space.memory = static_cast<Real*>(
          owner.memory->allocate(owner.bytes(), execution_state<Real>::alignment));
      space.values = owner.placed.values_in(space.memory);
      if (const std::size_t count = owner.placed.counters(); count != 0)
        space.waits = std::make_unique<std::atomic<std::uint32_t>[]>(count);
      const std::lock_guard lock(owner.mutex);
      owner.idle.reserve(owner.made + 1);  // returning a workspace must not allocate
      ++owner.made;
    } catch (const std::bad_alloc&) {
      if (space.memory != nullptr)
        owner.memory->deallocate(space.memory, owner.bytes(), execution_state<Real>::alignment);
      space.memory = nullptr;
    }
  }
  workspace_lease(const workspace_lease&) = delete;
  workspace_lease<Real>& operator=(const workspace_lease<Real>&) = delete;
  ~workspace_lease() {
    if (space.memory == nullptr) return;
    const std::lock_guard lock(owner.mutex);
    owner.idle.push_back(static_cast<workspace<Real>&&>(space));
  }

  execution_state<Real>& owner;
  workspace<Real> space;
};

}  // namespace detail

/// A static workflow bound to fixed inputs and outputs, with its own workspace: the checks and
/// lookups of a run are done once. For workflows with little work, where they would matter, such as
/// the step of a control loop. Made by `executable_graph::bind`; moved, not copied. One thread at a
/// time may call it.
template <class Real>
class basic_bound_graph {
 public:
  /// An empty handle, which must not be called.
  basic_bound_graph() = default;

  /// Computes the outputs from the current elements of the inputs. Allocates nothing, as
  /// `executable_graph::run`. Errors: `numerical_failure` naming the node, `execution_stopped`; the
  /// outputs are then unspecified.
  result<nothing> run(const std::stop_token& stop = {}) const {
    error e = bound_->state->placed.run_bound(
        bound_->steps, {bound_->outputs.data(), bound_->outputs.size()}, bound_->lease.space.values,
        bound_->lease.space.waits.get(), stop);
    if (e.code != errc::none) return e;
    return nothing{};
  }

 private:
  template <class>
  friend class basic_executable_graph;

  struct parts {
    explicit parts(const std::shared_ptr<detail::execution_state<Real>>& s) : state(s), lease(*s) {}

    std::shared_ptr<detail::execution_state<Real>> state;
    detail::workspace_lease<Real> lease;
    std::vector<basic_output_matrix<Real>> outputs;
    std::vector<detail::bound_step<Real>> steps;
  };
  std::unique_ptr<parts> bound_;
};

/// A static workflow prepared for repeated runs: validated, ordered, with its operators looked up
/// and its storage planned. The first run allocates one workspace, which later runs reuse; there
/// are as many as runs ever overlapped, so several threads may call it. A handle: copies share the
/// workspaces.
///
/// Operators choose row-major or column-major order for their matrices. Arguments of the executor's
/// element type are read in place. Results are computed in the caller's matrices, unless they are
/// also inputs, other outputs, or results of operators that write rows only. A transpose is a view
/// of the same matrix. Consecutive elementwise operators are fused, so that intermediate results
/// are never stored.
template <class Real>
class basic_executable_graph {
 public:
  /// An empty handle, which must not be called.
  basic_executable_graph() = default;
  /// Prepares a workflow. Errors: those of `validate`; `workflow_not_static` for symbolic shapes,
  /// `not_executable` for an operator without implementation, a rolled loop, or values larger than
  /// memory; `shape_mismatch`, `dtype_mismatch` and others of `infer`.
  static result<basic_executable_graph<Real>> prepare(const graph_view& workflow,
                                                      const execution_options& options = {}) {
    const auto valid = validated(workflow);
    if (!valid) return valid.error();
    const graph_view& g = *valid;
    if (!g.is_static())
      return make_error(errc::workflow_not_static, g.text_of(g.name),
                        "a symbol occurs in no argument, so its size is unknown");
    const registry& kernels = options.kernels != nullptr ? *options.kernels : builtin_registry();
    auto placed =
        detail::compiled<&detail::make_placed_executable<Real>>::call(graph(g), kernels, options);
    if (!placed) return placed.error();
    basic_executable_graph<Real> out;
    out.state_ = std::make_shared<detail::execution_state<Real>>(
        *static_cast<decltype(placed)&&>(placed), options.memory);
    return out;
  }

  /// Computes all outputs, or returns an error. Errors: `missing_argument`, `unknown_argument`,
  /// `argument_shape`, `not_executable` if memory is short, `numerical_failure` naming the node.
  result<basic_named_matrices<Real>> operator()(const basic_named_matrices<Real>& arguments) const {
    const graph_view g = workflow();
    if (error e = detail::check_arguments(g, arguments); e.code != errc::none) return e;
    std::vector<basic_input_matrix<Real>> inputs;
    for (const value& v : detail::inputs_of(g))
      inputs.push_back(arguments.find(std::string(g.text_of(v.name)))->second);
    basic_named_matrices<Real> made;
    std::vector<basic_output_matrix<Real>> outputs;
    for (const output& o : g.outputs) {
      const shape& s = g[o.source].type.shape;
      basic_dynamic_matrix<Real>& m = made[std::string(g.text_of(o.name))];
      m.resize(detail::given_rows(s), detail::given_columns(s));
      outputs.push_back(m);
    }
    const auto done = run(inputs, outputs);
    if (!done) return done.error();
    return made;
  }

  /// Computes the outputs in matrices of the caller; inputs and outputs are in the order of the
  /// workflow. A vector is a column, a scalar 1x1, a tensor of higher rank a row or a column of its
  /// elements in row-major order. After the first run nothing is allocated except the blocks that
  /// Eigen packs large products into (`compute::add_product`).
  ///
  /// Errors: `missing_argument` and `unknown_argument` for a wrong number of matrices,
  /// `argument_shape`; `argument_overlap` for an output that shares an element with an input or
  /// another output; `not_executable` if memory is short; `numerical_failure` naming the node, of
  /// several the first one in the order of a serial run; `execution_stopped` if a stop was
  /// requested, which is seen between steps. After an error the outputs are unspecified. Exceptions
  /// of operators are rethrown in this thread.
  result<nothing> run(view<basic_input_matrix<Real>> inputs,
                      view<basic_output_matrix<Real>> outputs,
                      const std::stop_token& stop = {}) const {
    if (error e = detail::argument_fault(workflow(), inputs, outputs); e.code != errc::none)
      return e;
    detail::workspace_lease<Real> borrowed(*state_);
    if (borrowed.space.memory == nullptr) return too_large();
    if (error e = detail::compiled<&detail::run_placed<Real>>::call(state_->placed, inputs, outputs,
                                                                    borrowed.space, stop);
        e.code != errc::none)
      return e;
    return nothing{};
  }

  /// Prepares runs on these matrices, whose addresses must stay valid; their elements may change.
  /// Errors: those of `run` except `numerical_failure`.
  result<basic_bound_graph<Real>> bind(view<basic_input_matrix<Real>> inputs,
                                       view<basic_output_matrix<Real>> outputs) const {
    if (error e = detail::argument_fault(workflow(), inputs, outputs); e.code != errc::none)
      return e;
    basic_bound_graph<Real> out;
    out.bound_ = std::make_unique<typename basic_bound_graph<Real>::parts>(state_);
    detail::workspace<Real>& space = out.bound_->lease.space;
    if (space.memory == nullptr) return too_large();
    out.bound_->outputs.assign(outputs.begin(), outputs.end());
    out.bound_->steps =
        detail::compiled<&detail::bind_placed<Real>>::call(state_->placed, inputs, outputs, space);
    return out;
  }

  /// The original workflow, not the executed one with its copies; owned by this.
  graph_view workflow() const { return state_->placed.view(); }
  /// Bytes of one workspace.
  std::size_t workspace_bytes() const { return state_->placed.elements() * sizeof(Real); }
  /// Number of threads that run its steps: 1 if it is too small to be shared.
  std::size_t threads() const { return state_->placed.threads(); }
  /// Number of workspaces allocated so far.
  std::size_t workspaces() const {
    const std::lock_guard lock(state_->mutex);
    return state_->made;
  }

 private:
  error too_large() const {
    return make_error(errc::not_executable, workflow().text_of(workflow().name),
                      "its values need more memory than there is");
  }

  std::shared_ptr<detail::execution_state<Real>> state_;
};

/// A static workflow executed in double precision.
using executable_graph = basic_executable_graph<double>;
/// `executable_graph` bound to fixed inputs and outputs.
using bound_graph = basic_bound_graph<double>;

}  // namespace wf
