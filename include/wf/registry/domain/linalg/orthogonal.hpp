// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties orthogonal_structure(const rule_input& in) {
  const shape& s = in.operands[0].shape;
  return s[0] == s[1] && !s[0].is_unknown() ? properties(orthogonal) : properties();
}

}  // namespace detail

/// The factors Q with orthonormal columns and R upper triangular of A = Q·R, by Householder
/// reflections, for M >= N. Source: LAPACK Working Note 41: geqrf 2·M·N² - 2/3·N³ + M·N + N² +
/// 14/3·N, orgqr 2·M·N² - 2/3·N³ - M·N + 2·N² - 4/3·N.
inline constexpr kernel_spec qr{
    .name = "qr",
    .domain = "linalg",
    .signature = "A: floating [M, N] -> Q[M, N], R[N, N]",
    .costs = {{"flops", "4*M*N**2 - 4/3*N**3 + 3*N**2 + 10/3*N"}, detail::qr_scratch},
    .result_properties = &detail::orthogonal_structure,
    .adjoint =
        "I = positions(R, axis = 0); "
        "below = less(reshape(I, d0 = 1, d1 = N), reshape(I, d0 = N, d1 = 1)); "
        "W = R trans(dR) - trans(dQ) Q; "
        "V = where(below, W, 0.5 multiply(identity_like(W), W)); "
        "dA = trans(solve_triangular(R, trans(dQ + Q (V + trans(V)))))",
    .summary = "the orthogonal and the triangular factor of a matrix"};

/// The X that minimizes ‖A·X - B‖ in each column, for M >= N and A of full rank, by Householder
/// reflections; never by the normal equations, which square the condition number. Source: LAPACK
/// Working Note 41: geqrf 2·M·N² - 2/3·N³ + M·N + N² + 14/3·N, ormqr 4·M·N·K - 2·N²·K + 3·N·K, and
/// trsm N²·K.
inline constexpr kernel_spec least_squares{
    .name = "least_squares",
    .domain = "linalg",
    .signature = "A: floating [M, N], B: floating [M, K?] -> X[N, K?]",
    .costs = {{"flops", "2*M*N**2 - 2/3*N**3 + M*N + N**2 + 14/3*N + K*(4*M*N - N**2 + 3*N)"},
              detail::least_squares_scratch},
    .adjoint =
        "Y = solve_cholesky(trans(A) A, dX); dB = A Y; "
        "R = reshape(B - A X, d0 = M, d1 = K); "
        "dA = R trans(reshape(Y, d0 = N, d1 = K)) - "
        "reshape(dB, d0 = M, d1 = K) trans(reshape(X, d0 = N, d1 = K))",
    .summary = "the least squares solution of A X = B by Householder QR"};

}  // namespace wf::kernels
