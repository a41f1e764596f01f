// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include <wf/registry/domain/builtin.hpp>
#include <wf/run/operators/elementwise.hpp>
#include <wf/run/operators/linalg.hpp>
#include <wf/run/operators/movement.hpp>
#include <wf/run/operators/nn.hpp>
#include <wf/run/operators/reduction.hpp>
#include <wf/run/operators/signal.hpp>

namespace wf::compute {

namespace detail {

// Table row of a built-in operator, or null. O(operators).
template <class Real>
const operator_implementation<Real>* find_builtin(text_view name) {
  for (const view<operator_implementation<Real>>& family :
       {elementwise_operators<Real>(), linalg_operators<Real>(), movement_operators<Real>(),
        neural_operators<Real>()})
    for (const operator_implementation<Real>& o : family)
      if (o.name == name) return &o;
  if constexpr (!std::is_same_v<Real, bool>)
    for (const operator_implementation<Real>& o : reduction_operators<Real>())
      if (o.name == name) return &o;
  if constexpr (is_complex_scalar<Real>)
    for (const operator_implementation<Real>& o : signal_operators<Real>())
      if (o.name == name) return &o;
  return nullptr;
}

// The operator of a node that runs a body, which is column-major as the caller's matrices are.
template <class Real>
inline constexpr operator_implementation<Real> runs_body =
    operator_implementation<Real>{}.in_order(storage_order::columns, storage_order::columns);

// Instantiating the operators is most of the compile time of an executor. Programs that link
// `wf::compiled` and `wf::compiled_elements`, which define these, compile it once.
#ifdef WF_COMPILED
extern template const operator_implementation<double>* find_builtin(text_view);
#endif
#ifdef WF_COMPILED_ELEMENTS
extern template const operator_implementation<bool>* find_builtin(text_view);
extern template const operator_implementation<std::int32_t>* find_builtin(text_view);
extern template const operator_implementation<std::int64_t>* find_builtin(text_view);
extern template const operator_implementation<float>* find_builtin(text_view);
extern template const operator_implementation<std::complex<float>>* find_builtin(text_view);
extern template const operator_implementation<std::complex<double>>* find_builtin(text_view);
#endif

}  // namespace detail

/// Implementation of an operator, given the kernels of a program: the kernel's own, or the built-in
/// one of that name if the registry has that kernel or one that refines it (same signature); else
/// null. O(operators).
template <class Real>
const operator_implementation<Real>* find_operator(text_view name,
                                                   const registry& kernels = builtin_registry()) {
  const kernel_spec* k = kernels.find(name);
  if (k == nullptr) return nullptr;
  if (!k->repeats.empty()) return &detail::runs_body<Real>;
  if (k->implementation) return k->implementation.template of<Real>();
  const kernel_spec* built_in = builtin_registry().find(name);
  const bool refined = built_in != nullptr && built_in->signature == k->signature;
  return refined ? detail::find_builtin<Real>(name) : nullptr;
}

}  // namespace wf::compute
