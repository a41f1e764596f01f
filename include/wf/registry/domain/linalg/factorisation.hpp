// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties cholesky_structure(const rule_input&) {
  return lower_triangular | nonsingular;
}

}  // namespace detail

/// The Cholesky factor L with L·Lᵀ = A for a symmetric positive definite A. Source: LAPACK Working
/// Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M.
inline constexpr kernel_spec cholesky{
    .name = "cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M] -> L[M, M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M"}, detail::factorise_scratch},
    .result_properties = &detail::cholesky_structure,
    .in_place = true,
    .adjoint =
        "I = positions(A, axis = 0); "
        "below = less(reshape(I, d0 = 1, d1 = M), reshape(I, d0 = M, d1 = 1)); "
        "P = trans(L) dL; H = where(below, P, 0.5 multiply(identity_like(P), P)); "
        "Y = solve_triangular(trans(L), H); Z = solve_triangular(trans(L), trans(Y)); "
        "dA = 0.5 (Z + trans(Z))",
    .summary = "the Cholesky factor of a symmetric positive definite matrix"};

/// The factors of P·A = L·U in one matrix, without the unit diagonal of L, and the permutation.
/// Source: LAPACK Working Note 41: getrf 2/3·M³ - 1/2·M² + 5/6·M.
inline constexpr kernel_spec lu{
    .name = "lu",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M"},
              detail::factorise_scratch,
              {"scratch(complex)", "16*M"}},
    .in_place = true,
    .summary = "the LU factors of a matrix, and the permutation of its rows"};

/// `lu` for solving: it fails for a matrix that is singular to working precision, so that solutions
/// by its factors fail where `solve` does. Source: LAPACK Working Note 41: getrf.
inline constexpr kernel_spec lu_factor{
    .name = "lu_factor",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M"},
              detail::factorise_regular_scratch,
              {"scratch(complex)", "32*M"}},
    .in_place = true,
    .summary = "the LU factors of a nonsingular matrix, and the permutation of its rows"};

/// The factors of P·A·Pᵀ = L·D·Lᵀ of a symmetric matrix in one matrix, and the permutation. Below
/// the diagonal is L, whose unit diagonal is not stored; on the diagonal that of D; right of the
/// diagonal the off-diagonal elements of D, nonzero in blocks of two rows; zeros above. It fails
/// for a matrix that is singular to working precision, like `solve_symmetric`, which is this and
/// `solve_ldl` in one. Source: as there: sytrf 1/3·M³ + 1/2·M² + 19/6·M.
inline constexpr kernel_spec ldl_factor{
    .name = "ldl_factor",
    .domain = "linalg",
    .signature = "A: field [M, M] -> F[M, M], p: i64 [M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 19/6*M"},
              {"flops(complex)", "4/3*M**3 + 3*M**2 + 59/3*M"},
              detail::factorise_symmetric_scratch,
              detail::complex_factorise_symmetric_scratch},
    .summary =
        "the factors L D Lᵀ of a nonsingular symmetric matrix, of which one triangle is "
        "read, and the permutation of its rows"};

}  // namespace wf::kernels
