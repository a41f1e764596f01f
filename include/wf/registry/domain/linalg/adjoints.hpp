// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

// Adjoints of operators on triangles of matrices of M rows.
namespace wf::kernels::detail {

/// Defines `below`: true where the column of an element of A comes before its row.
inline constexpr text_view below_diagonal =
    "I = positions(A, axis = 0); "
    "below = less(reshape(I, d0 = 1, d1 = M), reshape(I, d0 = M, d1 = 1)); ";

/// `value`, of which the elements outside the known triangle of A are zero; all if none is known.
constexpr text triangle_text(text_view value, properties of) {
  const bool lower = of.has(lower_triangular);
  if (!lower && !of.has(upper_triangular)) return text(value);
  return text() << "where(" << (lower ? "below, " : "trans(below), ") << value
                << ", multiply(identity_like(A), " << value << "))";
}

/// The derivative of A in A X = B, which is that of B times -Xᵀ, on the triangle alone.
constexpr text solved_triangular_adjoint(const rule_input& in) {
  return text() << below_diagonal << "dB = solve_triangular(trans(A), dX); "
                << "P = -reshape(dB, d0 = M, d1 = N) trans(reshape(X, d0 = M, d1 = N)); dA = "
                << triangle_text("P", in.operands[0].known).view();
}
/// As of a general inverse, on the triangle alone.
constexpr text inverse_triangular_adjoint(const rule_input& in) {
  return text() << below_diagonal << "P = -trans(C) dC trans(C); dA = "
                << triangle_text("P", in.operands[0].known).view();
}
/// As of a general product, on the triangle alone.
constexpr text product_triangular_adjoint(const rule_input& in) {
  return text() << below_diagonal << "P = dC trans(B); dB = matmul_triangular(trans(A), dC); dA = "
                << triangle_text("P", in.operands[0].known).view();
}

}  // namespace wf::kernels::detail
