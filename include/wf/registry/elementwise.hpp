// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

namespace detail {
// Sums and differences of symmetric (triangular) matrices are symmetric (triangular).
constexpr properties common_structure(const rule_input& in) {
  properties both = in.operands[0].known & in.operands[1].known;
  return {both.bits & (wf::detail::symmetric_bit | wf::detail::lower_bit | wf::detail::upper_bit |
                       wf::detail::diagonal_bit)};
}
constexpr properties sum_structure(const rule_input& in) {
  const properties a = in.operands[0].known, b = in.operands[1].known;
  if (!a.has(psd) || !b.has(psd)) return common_structure(in);
  return common_structure(in) | (a.has(spd) || b.has(spd) ? properties(spd) : properties(psd));
}
// The product with a scalar keeps the structure; that with another shape keeps nothing for sure.
constexpr properties scaled_structure(const rule_input& in) {
  const bool left = in.operands[0].shape.rank == 0, right = in.operands[1].shape.rank == 0;
  if (left == right) return {};
  const properties p = in.operands[left ? 1 : 0].known;
  return {p.bits & (wf::detail::symmetric_bit | wf::detail::lower_bit | wf::detail::upper_bit |
                    wf::detail::diagonal_bit)};
}
}  // namespace detail

/// a + b, broadcasting.
inline constexpr kernel_spec add{.name = "add",
                                 .domain = "elementwise",
                                 .signature = "A[...], B[...] -> C[...]",
                                 .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                 .result_properties = &detail::sum_structure,
                                 .in_place = true,
                                 .commutative = true,
                                 .summary = "the sum of two values, broadcasting"};

/// a - b, broadcasting.
inline constexpr kernel_spec subtract{.name = "subtract",
                                      .domain = "elementwise",
                                      .signature = "A[...], B[...] -> C[...]",
                                      .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                      .result_properties = &detail::common_structure,
                                      .in_place = true,
                                      .summary = "the difference of two values, broadcasting"};

/// The elementwise (Hadamard) product, broadcasting; also the product with a scalar.
inline constexpr kernel_spec multiply{.name = "multiply",
                                      .domain = "elementwise",
                                      .signature = "A[...], B[...] -> C[...]",
                                      .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                      .result_properties = &detail::scaled_structure,
                                      .in_place = true,
                                      .commutative = true,
                                      .summary = "the elementwise product, broadcasting"};

/// The elementwise quotient, broadcasting.
inline constexpr kernel_spec divide{.name = "divide",
                                    .domain = "elementwise",
                                    .signature = "A[...], B[...] -> C[...]",
                                    .costs = {{"flops", "C"}, {"operations", "A + B"}},
                                    .in_place = true,
                                    .summary = "the elementwise quotient, broadcasting"};

/// -a.
inline constexpr kernel_spec negate{.name = "negate",
                                    .domain = "elementwise",
                                    .signature = "A[...] -> C[...]",
                                    .costs = {{"flops", "C"}, {"operations", "A"}},
                                    .in_place = true,
                                    .summary = "the negated value"};

/// A scalar constant, held in the attribute `value`.
inline constexpr kernel_spec constant{.name = "constant",
                                      .domain = "elementwise",
                                      .signature = "-> C[]",
                                      .costs = {{"flops", "0"}},
                                      .summary = "a scalar constant"};

/// Every kernel of the domain.
inline constexpr kernel_spec elementwise_domain[] = {add,    subtract, multiply,
                                                     divide, negate,   constant};

}  // namespace wf::kernels
