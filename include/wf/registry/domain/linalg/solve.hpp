// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/linalg/adjoints.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

/// The solution X of A·X = B by LU with partial pivoting. Source: LAPACK Working Note 41: getrf
/// 2/3·M³ - 1/2·M² + 5/6·M, getrs N·(2·M² - M).
inline constexpr kernel_spec solve{
    .name = "solve",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_scratch,
              detail::complex_solve_scratch},
    .adjoint =
        "dB = solve(trans(A), dX); "
        "dA = -reshape(dB, d0 = M, d1 = N) trans(reshape(X, d0 = M, d1 = N))",
    .summary = "the solution of A X = B by LU"};

/// The solution X of A·X = B for a symmetric positive definite A, by Cholesky. Source: LAPACK
/// Working Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M, potrs N·2·M².
inline constexpr kernel_spec solve_cholesky{
    .name = "solve_cholesky",
    .domain = "linalg",
    .signature = "A: floating [M, M], B: floating [M, N?] -> X[M, N?]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, detail::solve_scratch},
    .adjoint =
        "dB = solve_cholesky(A, dX); "
        "dA = -reshape(dB, d0 = M, d1 = N) trans(reshape(X, d0 = M, d1 = N))",
    .summary = "the solution of A X = B by Cholesky"};

/// The solution X of A·X = B for a symmetric A, definite or indefinite, by P·A·Pᵀ = L·D·Lᵀ with
/// blocks of one and two rows in D. Source: J. Bunch, L. Kaufman, Some stable methods for
/// calculating inertia and solving symmetric linear systems, 1977; flops as for
/// `inverse_symmetric`: sytrf, sytrs N·(2·M² - M).
inline constexpr kernel_spec solve_symmetric{
    .name = "solve_symmetric",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 19/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "4/3*M**3 + 3*M**2 + 59/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_symmetric_scratch,
              detail::complex_factorise_symmetric_scratch},
    .adjoint =
        "dB = solve_symmetric(A, dX); "
        "dA = -reshape(dB, d0 = M, d1 = N) trans(reshape(X, d0 = M, d1 = N))",
    .summary = "the solution of A X = B for a symmetric A, of which one triangle is read"};

/// The solution X of X·A = B by LU: the transposed `solve`.
inline constexpr kernel_spec solve_right{
    .name = "solve_right",
    .domain = "linalg",
    .signature = "B: field [N, M], A: field [M, M] -> X[N, M]",
    .costs = {{"flops", "2/3*M**3 - 1/2*M**2 + 5/6*M + N*(2*M**2 - M)"},
              {"flops(complex)", "8/3*M**3 - M**2 + 13/3*M + N*(8*M**2 - 2*M)"},
              detail::solve_scratch,
              detail::complex_solve_scratch},
    .adjoint = "dB = solve_right(dX, trans(A)); dA = -trans(X) dB",
    .summary = "the solution of X A = B by LU"};

/// The solution X of X·A = B for a symmetric positive definite A, by Cholesky: the transposed
/// `solve_cholesky`.
inline constexpr kernel_spec solve_right_cholesky{
    .name = "solve_right_cholesky",
    .domain = "linalg",
    .signature = "B: floating [N, M], A: floating [M, M] -> X[N, M]",
    .costs = {{"flops", "1/3*M**3 + 1/2*M**2 + 1/6*M + 2*N*M**2"}, detail::solve_scratch},
    .adjoint = "dB = solve_right_cholesky(dX, A); dA = -trans(X) dB",
    .summary = "the solution of X A = B by Cholesky"};

/// The solution X of A·X = B for a triangular A, by substitution: M·(M-1)/2 multiply-adds and M
/// divisions per column.
inline constexpr kernel_spec solve_triangular{
    .name = "solve_triangular",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "N*M**2"},
              {"flops(complex)", "N*(4*M**2 + 2*M)"},
              {"macs", "N*(M**2 - M)/2"},
              detail::triangle_scratch,
              {"scratch(complex)", "0"}},
    .write_adjoint = &detail::solved_triangular_adjoint,
    .cuts = "-c",
    .summary = "the solution of A X = B for a triangular A"};

/// The solution X of A·X = B for a diagonal A: one division per element.
inline constexpr kernel_spec solve_diagonal{
    .name = "solve_diagonal",
    .domain = "linalg",
    .signature = "A: field [M, M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "X"}, {"flops(complex)", "6*X"}},
    .adjoint =
        "dB = solve_diagonal(A, dX); "
        "P = multiply(reshape(dB, d0 = M, d1 = N), reshape(X, d0 = M, d1 = N)); "
        "dA = -multiply(identity_like(A), sum(P, axis = 1))",
    .summary = "the solution of A X = B for a diagonal A"};

}  // namespace wf::kernels
