// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf {

namespace detail {
inline constexpr value_type three_reals[3] = {
    {dtype::f64, {}, shape::of()}, {dtype::f64, {}, shape::of()}, {dtype::f64, {}, shape::of()}};
inline constexpr rule_input two_reals{{three_reals, 2}, {}};
}  // namespace detail

/// Computes an element of an operator by `kernel_spec::element`, in constant evaluation, or without
/// it, by `kernel_spec::constant`, which knows finite elements only. False if the operator states
/// neither, or there is no such element. O(1).
constexpr bool element_value(const kernel_spec& k, const constant_operands& operands, double& out) {
  if (k.element != nullptr && !__builtin_is_constant_evaluated())
    return out = k.element(operands), true;
  return k.constant != nullptr && k.constant(operands, out);
}

/// Computes the element of type f64 that an elementwise operator of at most three operands gives
/// for elements of that type; false as above. O(1).
constexpr bool element_value(const kernel_spec& k, view<double> operands,
                             view<attribute_value> attributes, double& out) {
  const rule_input node{{detail::three_reals, operands.size()}, attributes};
  return element_value(k, constant_operands{operands.data(), node, dtype::f64}, out);
}
/// Likewise of an operator of two operands without attributes.
constexpr bool element_value(const kernel_spec& k, double a, double b, double& out) {
  const double operands[2] = {a, b};
  return element_value(k, constant_operands{operands, detail::two_reals, dtype::f64}, out);
}

}  // namespace wf
