// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/text.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/registry/fit.hpp>
#include <wf/registry/registry.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/values/element.hpp>

// Why a node cannot be executed, or elements not be held, and which executor can.
namespace wf {

namespace detail {

// Advice naming the executor that can hold the elements of this workflow, one of which has this
// type: the integer executors if all values are integers or booleans.
inline text_view instead_for(const graph_view& g, dtype type) {
  bool all_whole = true;
  dtype widest = type;
  for (const value& v : g.values) {
    const dtype d = v.type.type;
    all_whole = all_whole && (is_integer(d) || d == dtype::boolean);
    if (size_of(d) > size_of(widest)) widest = d;
  }
  if (all_whole && is_integer(type))
    return size_of(widest) <= 4 ? ": use wf::executable_graph_i32 or wf::executable_graph_i64"
                                : ": use wf::executable_graph_i64";
  if (is_integer(type) && !is_complex(widest)) return ": use wf::executable_graph";
  if (is_integer(type)) type = widest;
  if (type == dtype::f64) return ": use wf::executable_graph";
  if (type == dtype::c64) return ": use wf::executable_graph_c64";
  if (type == dtype::c128) return ": use wf::executable_graph_c128";
  return "";
}
template <class Real>
error unheld(const graph_view& g, text_view subject, dtype type) {
  return make_error(
      errc::not_executable, subject,
      (text() << "this executor, of " << name_of(dtype_of<Real>) << ", has no elements of type "
              << name_of(type) << instead_for(g, type))
          .view());
}
// The reason why a node cannot be executed, or no error.
template <class Real>
error execution_fault(const graph_view& g, node_id id,
                      const compute::operator_implementation<Real>* known,
                      const registry& kernels) {
  const node& n = g[id];
  const text label = g.label(id);
  if (is_rolled_loop(g, n))
    return make_error(errc::not_executable, label.view(), "a loop: unroll it first (wf::unroll)");
  for (std::uint32_t k = 0; k < n.inputs.count + n.outputs.count; ++k) {
    const value_id value = k < n.inputs.count
                               ? g.inputs_of(n)[k]
                               : static_cast<value_id>(n.outputs.first + k - n.inputs.count);
    const dtype d = g[value].type.type;
    if (!compute::holds<Real>(d)) return unheld<Real>(g, label.view(), d);
  }
  if (const kernel_spec* k = kernels.find(g.op_name(n)); k != nullptr)
    if (error e = find_misfit(g, id, *k); e.code != errc::none) return e;
  if (known == nullptr)
    return make_error(errc::not_executable, label.view(),
                      (text() << "nobody implemented " << g.op_name(n)
                              << ": give `execution_options::kernels` a registry with "
                                 "wf::executable_kernels of what wf::implement makes")
                          .view());
  if (known->fault != nullptr)
    if (const text_view fault = known->fault(g, n); !fault.empty())
      return make_error(errc::not_executable, label.view(), fault);
  return {};
}

}  // namespace detail

}  // namespace wf
