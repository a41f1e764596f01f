// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <new>
#include <vector>

#include <wf/ir/copy.hpp>
#include <wf/ir/validate.hpp>
#include <wf/pass/in_place.hpp>
#include <wf/registry/builtin.hpp>
#include <wf/registry/infer.hpp>
#include <wf/run/named_matrices.hpp>
#include <wf/run/operation.hpp>
#include <wf/run/operators.hpp>

namespace wf {

/// How a workflow is executed again and again.
struct execution_options {
  /// Where its values lie; it must outlive what is executed.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
  /// True if values share storage when they are not alive at the same time, and results may be
  /// written over operands (`plan_in_place`); false: each value has its own.
  bool share_buffers = true;
};

namespace detail {

// What the registry infers for a node must be what the graph says, or executing it would go astray.
inline error type_fault(const graph_view& g, node_id id, const registry& r) {
  const node& n = g[id];
  const kernel_spec* k = r.find(g.op_name(n));
  if (k == nullptr) return {};  // refused later, as an operator without implementation
  table<value_type> operands;
  for (value_id operand : g.inputs_of(n)) operands.push_back(g[operand].type);
  const table<attribute_value> attributes = attribute_values(g, n);
  const auto inferred = infer(*k, {operands, attributes, &g});
  const text label = g.label(id);
  if (!inferred)
    return make_error(inferred.error().code, label.view(), inferred.error().message.view());
  bool same_shape = inferred->count == n.outputs.count, same_type = true;
  for (std::uint32_t i = 0; same_shape && i < n.outputs.count; ++i) {
    const value_type &wanted = inferred->results[i], &is = g.values[n.outputs.first + i].type;
    same_shape = wanted.shape == is.shape;
    same_type = same_type && (wanted.type == dtype::unknown || wanted.type == is.type);
  }
  if (!same_shape)
    return make_error(errc::shape_mismatch, label.view(),
                      "its result has another shape than its operands give");
  if (!same_type)
    return make_error(errc::dtype_mismatch, label.view(),
                      "its result has another element type than its operands give");
  return {};
}

// Why a node cannot be executed, if it cannot.
inline error execution_fault(const graph_view& g, node_id id,
                             const compute::executable_operator* known, const registry& kernels) {
  const node& n = g[id];
  const text label = g.label(id);
  if (is_rolled_loop(g, n))
    return make_error(errc::not_executable, label.view(), "a loop: unroll it first (wf::unroll)");
  for (std::uint32_t k = 0; k < n.inputs.count + n.outputs.count; ++k) {
    const value_id value = k < n.inputs.count
                               ? g.inputs_of(n)[k]
                               : static_cast<value_id>(n.outputs.first + k - n.inputs.count);
    const dtype d = g[value].type.type;
    if (!is_floating(d) && !is_integer(d) && d != dtype::boolean)
      return make_error(errc::not_executable, label.view(),
                        (text() << "the executor has no elements of type " << name_of(d)).view());
  }
  if (error e = type_fault(g, id, kernels); e.code != errc::none) return e;
  if (known == nullptr)
    return make_error(errc::not_executable, label.view(),
                      (text() << "the executor has no implementation of " << g.op_name(n)).view());
  if (known->fault != nullptr)
    if (const text_view fault = known->fault(g, n); !fault.empty())
      return make_error(errc::not_executable, label.view(), fault);
  return {};
}

// A static graph whose nodes are known to be executable, and where its values lie in a workspace of
// doubles.
class execution_plan {
 public:
  static result<execution_plan> make(graph g, bool share_buffers) {
    execution_plan out;
    out.graph_ = static_cast<graph&&>(g);
    const graph_view v = out.graph_.view();
    auto order = topological_order(v);
    if (!order) return order.error();
    out.order_ = *static_cast<decltype(order)&&>(order);
    const registry kernels = builtin_registry();
    for (const operation& o : v.operations)
      out.operators_.push_back(compute::find_operator(v.text_of(o.name)));
    for (node_id id : out.order_)
      if (error e = execution_fault(v, id, out.operators_[v[id].op], kernels); e.code != errc::none)
        return e;
    if (error e = out.place(share_buffers); e.code != errc::none) return e;
    return out;
  }

  graph_view view() const { return graph_.view(); }
  // How many doubles a workspace has.
  std::size_t elements() const { return elements_; }

  // The values of a workspace.
  std::vector<compute::tensor_ref> values_in(double* workspace) const {
    std::vector<compute::tensor_ref> values;
    values.reserve(offsets_.size());
    for (std::size_t i = 0; i < offsets_.size(); ++i)
      values.push_back({view().values[i].type.shape, workspace + offsets_[i]});
    return values;
  }

  result<named_matrices> run(const named_matrices& arguments,
                             const std::vector<compute::tensor_ref>& values) const {
    const graph_view g = view();
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      if (g.values[i].producer == node_id::none)
        if (error e = load(g, i, arguments, values); e.code != errc::none) return e;
    for (node_id id : order_)
      if (error e = run_node(g, id, values); e.code != errc::none) return e;
    named_matrices out;
    for (const output& o : g.outputs)
      store(values[index_of(o.source)].view(), out[std::string(g.text_of(o.name))]);
    return out;
  }

 private:
  // Every buffer begins at a cache line: how a sum is grouped, and so its last digit, depends on
  // the address in it.
  error place(bool share_buffers) {
    const graph_view g = view();
    table<std::int64_t> sizes;  // in elements, by buffer
    table<std::uint32_t> buffer_of;
    if (share_buffers) {
      buffer_options options;
      options.order = order_;
      options.overwrite_inputs = true;  // arguments are copied into the workspace
      options.share_views = false;      // the executor computes them
      auto plan = plan_in_place(g, options);
      if (!plan) return plan.error();
      buffer_of = static_cast<table<std::uint32_t>&&>(plan->buffer_of);
      sizes.resize(plan->bytes.size());
    } else {
      for (std::uint32_t i = 0; i < g.values.size(); ++i) buffer_of.push_back(i);
      sizes.resize(g.values.size());
    }
    for (std::uint32_t i = 0; i < g.values.size(); ++i) {
      const std::int64_t elements = g.values[i].type.shape.elements();
      if (elements < 0) return too_large();
      std::int64_t& size = sizes[buffer_of[i]];
      size = size < elements ? elements : size;
    }
    table<std::int64_t> first(sizes.size());
    std::int64_t total = 0;
    constexpr std::int64_t line = 8;  // doubles
    for (std::size_t b = 0; b < sizes.size(); ++b) {
      first[b] = total;
      if (sizes[b] > INT64_MAX / 32 - total) return too_large();
      total += (sizes[b] + line - 1) / line * line;
    }
    for (std::uint32_t buffer : buffer_of)
      offsets_.push_back(static_cast<std::size_t>(first[buffer]));
    elements_ = static_cast<std::size_t>(total);
    return {};
  }
  error too_large() const {
    return make_error(errc::not_executable, graph_.text_of(view().name),
                      "its values need more memory than there is");
  }

  // Matrices come in Eigen's order; tensors as a row or a column in row-major order.
  static error load(const graph_view& g, std::uint32_t i, const named_matrices& arguments,
                    const std::vector<compute::tensor_ref>& values) {
    const value& v = g.values[i];
    const text_view name = g.text_of(v.name);
    const dynamic_matrix& given = arguments.find(std::string(name))->second;
    if (v.type.shape.rank == 2)
      compute::detail::transpose_matrix(values[i].elements, given.data(), given.cols(),
                                        given.rows());
    else
      std::copy_n(given.data(), given.size(), values[i].elements);
    if (compute::settle(v.type.type, values[i].elements, given.size())) return {};
    return make_error(
        errc::argument_shape, name,
        (text() << "its elements are not all of type " << name_of(v.type.type)).view());
  }
  static void store(const compute::tensor_view& t, dynamic_matrix& out) {
    if (t.shape.rank == 2) {
      out.resize(t.extent(0), t.extent(1));
      compute::detail::transpose_matrix(out.data(), t.elements, t.extent(0), t.extent(1));
    } else {
      out.resize(t.shape.rank == 1 ? t.size() : 1, t.shape.rank == 1 ? 1 : t.size());
      std::copy_n(t.elements, t.size(), out.data());
    }
  }

  error run_node(const graph_view& g, node_id id,
                 const std::vector<compute::tensor_ref>& values) const {
    const node& n = g[id];
    text why = operators_[n.op]->run({g, n, values.data()});
    for (std::uint32_t k = n.outputs.first; why.empty() && k < n.outputs.first + n.outputs.count;
         ++k) {
      const dtype d = g.values[k].type.type;
      if (!compute::settle(d, values[k].elements, values[k].view().size()))
        why << "an element of the result does not exist or does not fit " << name_of(d);
    }
    if (why.empty()) return {};
    return make_error(errc::numerical_failure, g.label(id).view(),
                      (text() << g.op_name(n) << " failed: " << why.view()).view());
  }

  graph graph_;
  table<node_id> order_;
  std::vector<const compute::executable_operator*> operators_;  // by operation
  std::vector<std::size_t> offsets_;                            // by value
  std::size_t elements_ = 0;
};

}  // namespace detail

/// A static workflow that is ready to run, again and again: checked, ordered, its operators found
/// and its storage planned. The first run allocates one workspace; later ones use it again, and as
/// many more exist as runs ever went on at the same time, so several threads may call it. A handle:
/// copies share the workspaces.
class executable_graph {
 public:
  /// Nothing: it must not be called.
  executable_graph() = default;
  /// Prepares a workflow. Errors: those of `validate`; `workflow_not_static` for symbolic shapes,
  /// `not_executable` for an operator without implementation, a loop that was not unrolled, or
  /// values larger than memory; `shape_mismatch`, `dtype_mismatch` and others of `infer`.
  static result<executable_graph> prepare(const graph_view& g,
                                          const execution_options& options = {}) {
    if (auto valid = validate(g); !valid) return valid.error();
    if (!g.is_static())
      return make_error(errc::workflow_not_static, g.text_of(g.name),
                        "a symbol occurs in no argument, so its size is unknown");
    auto plan = detail::execution_plan::make(graph(g), options.share_buffers);
    if (!plan) return plan.error();
    executable_graph out;
    out.state_ = std::make_shared<state>(*static_cast<decltype(plan)&&>(plan), options.memory);
    return out;
  }

  /// Computes the outputs of these inputs. Nothing is returned in part. Errors: `missing_argument`,
  /// `unknown_argument`, `argument_shape`, `not_executable` if there is not enough memory,
  /// `numerical_failure` naming the node.
  result<named_matrices> operator()(const named_matrices& arguments) const {
    if (error e = detail::check_arguments(workflow(), arguments); e.code != errc::none) return e;
    const lease borrowed(*state_);
    if (borrowed.space.memory == nullptr)
      return make_error(errc::not_executable, workflow().text_of(workflow().name),
                        "its values need more memory than there is");
    return state_->plan.run(arguments, borrowed.space.values);
  }

  /// The workflow.
  graph_view workflow() const { return state_->plan.view(); }
  /// The bytes of one workspace.
  std::size_t workspace_bytes() const { return state_->plan.elements() * sizeof(double); }
  /// How many workspaces there are.
  std::size_t workspaces() const {
    const std::lock_guard lock(state_->mutex);
    return state_->made;
  }

 private:
  struct workspace {
    double* memory = nullptr;
    std::vector<compute::tensor_ref> values;
  };
  struct state {
    state(detail::execution_plan p, std::pmr::memory_resource* m)
        : plan(static_cast<detail::execution_plan&&>(p)), memory(m) {}
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
      for (const workspace& w : idle) memory->deallocate(w.memory, bytes(), alignment);
    }

    static constexpr std::size_t alignment = 64;
    std::size_t bytes() const { return (plan.elements() + 1) * sizeof(double); }

    detail::execution_plan plan;
    std::pmr::memory_resource* memory;
    std::mutex mutex;
    std::vector<workspace> idle;
    std::size_t made = 0;
  };

  // A workspace that nobody else uses while this lives; without memory if there is none.
  struct lease {
    explicit lease(state& s) : owner(s) {
      {
        const std::lock_guard lock(owner.mutex);
        if (!owner.idle.empty()) {
          space = static_cast<workspace&&>(owner.idle.back());
          owner.idle.pop_back();
          return;
        }
      }
      try {
        space.memory =
            static_cast<double*>(owner.memory->allocate(owner.bytes(), state::alignment));
        space.values = owner.plan.values_in(space.memory);
        const std::lock_guard lock(owner.mutex);
        owner.idle.reserve(owner.made + 1);  // so that giving back needs no memory
        ++owner.made;
      } catch (const std::bad_alloc&) {
        if (space.memory != nullptr)
          owner.memory->deallocate(space.memory, owner.bytes(), state::alignment);
        space.memory = nullptr;
      }
    }
    lease(const lease&) = delete;
    lease& operator=(const lease&) = delete;
    ~lease() {
      if (space.memory == nullptr) return;
      const std::lock_guard lock(owner.mutex);
      owner.idle.push_back(static_cast<workspace&&>(space));
    }

    state& owner;
    workspace space;
  };

  std::shared_ptr<state> state_;
};

}  // namespace wf
