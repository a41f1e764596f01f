// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/scratch.hpp>

namespace wf::kernels {

/// The inner product, 2·N flops as in a matrix product; complex vectors are not conjugated.
inline constexpr kernel_spec dot{
    .name = "dot",
    .domain = "linalg",
    .signature = "x: number [N], y: number [N] -> s[]",
    .costs = {{"flops", "2*N"},
              {"flops(complex)", "8*N"},
              {"macs", "N"},
              {"operations", "N"},
              detail::dot_scratch},
    .adjoint = "dx = ds y; dy = ds x",
    .laws = {.commutative = true, .linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the inner product of two vectors"};

/// The outer product x·yᵀ.
inline constexpr kernel_spec outer{
    .name = "outer",
    .domain = "linalg",
    .signature = "x: number [M], y: number [N] -> A[M, N]",
    .costs = {{"flops", "M*N"}, {"flops(complex)", "6*M*N"}, {"operations", "M*N"}},
    .adjoint = "dx = dA y; dy = trans(dA) x",
    .cuts = "cc",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .fusion = fusion_role::contraction,
    .summary = "the outer product of two vectors"};

/// a·x + y, in place of y: one multiply-add per element.
inline constexpr kernel_spec axpy{
    .name = "axpy",
    .domain = "linalg",
    .signature = "a: number [], x: number [N], through y: number [N] -> z[N]",
    .costs = {{"flops", "2*N"},
              {"flops(complex)", "8*N"},
              {"macs", "N"},
              {"operations", "N"},
              detail::axpy_scratch},
    .in_place = true,
    .adjoint = "da = dot(dz, x); dx = a dz; dy = dz",
    .cuts = "c",
    .summary = "a x + y of vectors"};

/// The Euclidean norm: N products, N - 1 additions, a square root.
inline constexpr kernel_spec norm{.name = "norm",
                                  .domain = "linalg",
                                  .signature = "x: floating [N] -> s[]",
                                  .costs = {{"flops", "2*N"}, {"macs", "N"}, {"operations", "N"}},
                                  .adjoint = "dx = (ds / s) x",
                                  .summary = "the Euclidean norm of a vector"};

}  // namespace wf::kernels
