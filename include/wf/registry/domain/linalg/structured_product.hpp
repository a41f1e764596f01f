// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/linalg/adjoints.hpp>
#include <wf/registry/property_rules.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties symmetric_product_structure(const rule_input& in) {
  return symmetric | wf::detail::infer_by<product_rules>(in);
}

constexpr properties symmetric_structure(const rule_input&) { return symmetric; }

}  // namespace detail

/// A product of two matrices that is known to be symmetric: computes one triangle and mirrors it.
/// Source: gemmt of Intel's MKL and of the BLAS since 3.12; syrk for B = Aᵀ.
inline constexpr kernel_spec gemmt{
    .name = "gemmt",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, M] -> C[M, M]",
    .costs = {{"flops", "(M + 1)*M*K"},
              {"flops(complex)", "4*(M + 1)*M*K"},
              {"macs", "(M + 1)*M*K/2"},
              {"operations", "(M + 1)*M*K/2"},
              detail::square_product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &detail::symmetric_product_structure,
    .adjoint = "dA = dC trans(B); dB = trans(A) dC",
    .summary = "one triangle of a symmetric matrix product, mirrored"};

/// A·B + (A·B)ᵀ: one product; the sums of one triangle, mirrored. Source: BLAS syr2k, with its
/// second matrix transposed.
inline constexpr kernel_spec syr2k{.name = "syr2k",
                                   .domain = "linalg",
                                   .signature = "A: number [M, K], B: number [K, M] -> C[M, M]",
                                   .costs = {{"flops", "2*C*K + (M + 1)*M/2"},
                                             {"flops(complex)", "8*C*K + (M + 1)*M"},
                                             {"macs", "C*K"},
                                             {"operations", "C*K + (M + 1)*M/2"},
                                             detail::square_product_scratch,
                                             {"scratch(complex)", "0"}},
                                   .result_properties = &detail::symmetric_structure,
                                   .adjoint =
                                       "T = dC + trans(dC); "
                                       "dA = T trans(B); dB = trans(A) T",
                                   .summary = "a matrix product and its transpose, added"};

/// T·B for the lower triangular T with P = T + Tᵀ, where P is symmetric: T is the lower triangle of
/// P with half its diagonal. Xᵀ·P·X is F + Fᵀ for F = Xᵀ·(T·X), at half the products with P.
inline constexpr kernel_spec matmul_half{
    .name = "matmul_half",
    .domain = "linalg",
    .signature = "P: floating [M, M], B: floating [M, N] -> C[M, N]",
    .costs = {{"flops", "(M + 1)*C + M"},
              {"macs", "(M + 1)*C/2"},
              {"operations", "(M + 1)*C/2 + M"},
              detail::half_product_scratch},
    .adjoint =
        "I = positions(P, axis = 0); "
        "below = less(reshape(I, d0 = 1, d1 = M), reshape(I, d0 = M, d1 = 1)); "
        "E = identity_like(P); T = where(below, P, 0.5 multiply(E, P)); "
        "dT = dC trans(B); dP = where(below, dT, 0.5 multiply(E, dT)); dB = trans(T) dC",
    .cuts = "-c",
    .summary = "half of a symmetric matrix, as T of P = T + Tᵀ, by a matrix"};

/// The product of a symmetric matrix, of which one triangle is read, and a few columns. Source:
/// BLAS symm.
inline constexpr kernel_spec matmul_symmetric{
    .name = "matmul_symmetric",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "2*C*M"},
              {"flops(complex)", "8*C*M"},
              {"macs", "C*M"},
              {"operations", "C*M"},
              detail::symmetric_product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .adjoint = "dA = dC trans(B); dB = matmul_symmetric(A, dC)",
    .cuts = "-c",
    .summary = "the product of a symmetric matrix and a matrix"};

/// The product of a triangular matrix and a matrix: M·(M + 1)/2 multiply-adds for each of N
/// columns. Source: BLAS trmm.
inline constexpr kernel_spec matmul_triangular{
    .name = "matmul_triangular",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "(M + 1)*C"},
              {"flops(complex)", "4*(M + 1)*C"},
              {"macs", "(M + 1)*C/2"},
              {"operations", "(M + 1)*C/2"},
              detail::triangular_product_scratch,
              {"scratch(complex)", "16*min(M, 48)**2"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .write_adjoint = &detail::product_triangular_adjoint,
    .cuts = "-c",
    .summary = "the product of a triangular matrix and a matrix"};

/// The product of a diagonal matrix and a matrix: scales the rows.
inline constexpr kernel_spec matmul_diagonal{
    .name = "matmul_diagonal",
    .domain = "linalg",
    .signature = "A: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "C"},
              {"flops(complex)", "6*C"},
              {"macs", "C"},
              {"operations", "C"},
              detail::scaling_scratch},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .adjoint =
        "dA = multiply(identity_like(A), sum(multiply(dC, B), axis = 1)); "
        "dB = matmul_diagonal(A, dC)",
    .cuts = "-c",
    .summary = "the product of a diagonal matrix and a matrix"};

/// The product of a permutation matrix (one 1 in each row and column, zeros elsewhere) and a
/// matrix: permutes rows.
inline constexpr kernel_spec matmul_permutation{
    .name = "matmul_permutation",
    .domain = "linalg",
    .signature = "P: number [M, M], B: number [M, N] -> C[M, N]",
    .costs = {{"flops", "0"},
              {"macs", "0"},
              {"operations", "C"},
              {"scratch", "16*M"},
              {"scratch(complex)", "32*M"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .adjoint = "dP = 0; dB = matmul_permutation(trans(P), dC)",
    .cuts = "-c",
    .summary = "the product of a permutation matrix and a matrix"};

/// The product of a permutation matrix and a vector: `matmul_permutation` with one column.
inline constexpr kernel_spec matvec_permutation{
    .name = "matvec_permutation",
    .domain = "linalg",
    .signature = "P: number [M, M], x: number [M] -> y[M]",
    .costs = {{"flops", "0"},
              {"macs", "0"},
              {"operations", "M"},
              {"scratch", "16*M"},
              {"scratch(complex)", "32*M"}},
    .adjoint = "dP = 0; dx = matvec_permutation(trans(P), dy)",
    .summary = "the product of a permutation matrix and a vector"};

/// The product of a symmetric matrix, of which one triangle is read, and a vector. Source: BLAS
/// symv.
inline constexpr kernel_spec matvec_symmetric{
    .name = "matvec_symmetric",
    .domain = "linalg",
    .signature = "A: number [M, M], x: number [M] -> y[M]",
    .costs = {{"flops", "2*M**2"},
              {"flops(complex)", "8*M**2"},
              {"macs", "M**2"},
              {"operations", "M**2"},
              detail::matvec_scratch},
    .adjoint = "dA = outer(dy, x); dx = matvec_symmetric(A, dy)",
    .summary = "the product of a symmetric matrix and a vector"};

}  // namespace wf::kernels
