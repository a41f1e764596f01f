// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/property_rules.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

/// The matrix product of (stacks of) matrices: 2·M·N·K flops each.
inline constexpr kernel_spec matmul{
    .name = "matmul",
    .domain = "linalg",
    .meaning = meaning::product,
    .signature = "A: number [..., M, K], B: number [..., K, N] -> C[..., M, N]",
    .costs = {{"flops", "2*C*K"},
              {"flops(complex)", "8*C*K"},
              {"macs", "C*K"},
              {"operations", "C*K"},
              detail::product_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<product_rules>,
    .adjoint = "dA = dC trans(B); dB = trans(A) dC",
    .cuts = "*cc",
    .laws = {.associative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the matrix product"};

/// C + A·B, in place of C: BLAS gemm. An element takes 2·K flops: K products and K additions.
inline constexpr kernel_spec matmul_add{
    .name = "matmul_add",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N], through C: number [M, N] -> D[M, N]",
    .costs = {{"flops", "2*D*K"},
              {"flops(complex)", "8*D*K"},
              {"macs", "D*K"},
              {"operations", "D*K"},
              detail::product_onto_scratch,
              {"scratch(complex)", "0"}},
    .in_place = true,
    .adjoint = "dA = dD trans(B); dB = trans(A) dD; dC = dD",
    .cuts = "cc",
    .summary = "a matrix product added to a matrix"};

/// C - A·B, in place of C.
inline constexpr kernel_spec matmul_subtract{
    .name = "matmul_subtract",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N], through C: number [M, N] -> D[M, N]",
    .costs = {{"flops", "2*D*K"},
              {"flops(complex)", "8*D*K"},
              {"macs", "D*K"},
              {"operations", "D*K"},
              detail::product_onto_scratch,
              {"scratch(complex)", "0"}},
    .in_place = true,
    .adjoint = "dA = -dD trans(B); dB = -trans(A) dD; dC = dD",
    .cuts = "cc",
    .summary = "a matrix product subtracted from a matrix"};

/// One level of Strassen's product: seven half-size products and eighteen half-size sums. Extents
/// must be even. Source: V. Strassen, Gaussian elimination is not optimal, 1969.
inline constexpr kernel_spec matmul_strassen{
    .name = "matmul_strassen",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, N] -> C[M, N]",
    .costs = {{"flops", "7/4*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              {"flops(complex)", "7*M*N*K + 5/2*(M*K + K*N) + 4*M*N"},
              {"macs", "7/8*M*N*K"},
              {"operations", "7/8*M*N*K + 5/4*(M*K + K*N) + 2*M*N"},
              detail::strassen_scratch,
              {"scratch(complex)",
               "16*min((K + 1)//2, 384)*(min((max(M, N) + 1)//2, 8192) + min((min(M, N) + 1)//2, "
               "240) + 32) + 128"}},
    .adjoint = "dA = dC trans(B); dB = trans(A) dC",
    .laws = {.associative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "one level of Strassen's matrix product"};

/// The product of a matrix and a vector: 2·M·K flops.
inline constexpr kernel_spec matvec{.name = "matvec",
                                    .domain = "linalg",
                                    .meaning = meaning::product,
                                    .signature = "A: number [M, K], x: number [K] -> y[M]",
                                    .costs = {{"flops", "2*M*K"},
                                              {"flops(complex)", "8*M*K"},
                                              {"macs", "M*K"},
                                              {"operations", "M*K"},
                                              detail::matvec_scratch},
                                    .adjoint = "dA = outer(dy, x); dx = trans(A) dy",
                                    .cuts = "c",
                                    .laws = {.linear = true, .distributes_over = "add subtract"},
                                    .fusion = fusion_role::contraction,
                                    .summary = "the product of a matrix and a vector"};

}  // namespace wf::kernels
