// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/property_rules.hpp>

namespace wf::kernels {

namespace detail {

constexpr result<shape> transposed_shape(const rule_input& in) {
  shape s = in.operands[0].shape;
  if (s.rank < 2)
    return make_error(errc::shape_mismatch, "transpose",
                      (text() << "needs a matrix, not " << to_text(s).view()).view());
  const extent last = s.extents[s.rank - 1];
  s.extents[s.rank - 1] = s.extents[s.rank - 2];
  s.extents[s.rank - 2] = last;
  return s;
}

// The last two dimensions swapped.
constexpr view_reading read_transposed(const rule_input& in, std::uint32_t) {
  const std::uint32_t rank = in.operands[0].shape.rank;
  if (rank < 2) return {};
  view_reading out = view_reading::straight(rank);
  out.walker[rank - 2] = static_cast<std::uint8_t>(rank - 1);
  out.walker[rank - 1] = static_cast<std::uint8_t>(rank - 2);
  return out;
}

}  // namespace detail

/// The transpose of (a stack of) matrices. Executors read the operand with its dimensions
/// swapped, so it costs nothing.
inline constexpr kernel_spec transpose{
    .name = "transpose",
    .domain = "linalg",
    .meaning = meaning::transposition,
    .signature = "A[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .result_shape = &detail::transposed_shape,
    .result_properties = &wf::detail::infer_by<transpose_rules>,
    .is_view = true,
    .reading = &detail::read_transposed,
    .moves_elements = true,
    .adjoint = "dA = trans(dC)",
    .laws = {.involution = true, .linear = true, .never_rounds = true, .inverse = "transpose"},
    .summary = "the transpose"};

}  // namespace wf::kernels
