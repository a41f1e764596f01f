// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties identity_structure(const rule_input&) { return identity; }

}  // namespace detail

/// The trace of a square matrix.
inline constexpr kernel_spec trace{.name = "trace",
                                   .domain = "linalg",
                                   .signature = "A: number [M, M] -> s[]",
                                   .costs = {{"flops", "M - 1"},
                                             {"flops(complex)", "2*M - 2"},
                                             {"operations", "M"},
                                             detail::trace_scratch,
                                             {"summands", "M"}},
                                   .adjoint = "dA = ds identity_like(A)",
                                   .laws = {.linear = true, .monotone = true},
                                   .summary = "the sum of the diagonal"};

/// The diagonal of a square matrix.
inline constexpr kernel_spec diagonal{.name = "diagonal",
                                      .domain = "linalg",
                                      .signature = "A: number [M, M] -> d[M]",
                                      .costs = {{"flops", "0"},
                                                {"operations", "M"},
                                                {"bytes_read", "d.bytes"},
                                                {"bytes", "2*d.bytes"}},
                                      .adjoint = "dA = multiply(identity_like(A), dd)",
                                      .laws = {.linear = true},
                                      .summary = "the diagonal of a matrix"};

/// The diagonal of the product of two matrices: inner products of rows of one with columns of the
/// other.
inline constexpr kernel_spec product_diagonal{
    .name = "product_diagonal",
    .domain = "linalg",
    .signature = "A: number [M, K], B: number [K, M] -> d[M]",
    .costs = {{"flops", "2*M*K"},
              {"flops(complex)", "8*M*K"},
              {"macs", "M*K"},
              {"operations", "M*K"},
              detail::product_diagonal_scratch},
    .adjoint = "dA[i,k] = dd[i] B[k,i]; dB[k,i] = dd[i] A[i,k]",
    .cuts = "c",
    .laws = {.linear = true, .distributes_over = "add subtract"},
    .summary = "the diagonal of a matrix product"};

/// The identity matrix of the operand's size; the elements of the operand are not read.
inline constexpr kernel_spec identity_like{
    .name = "identity_like",
    .domain = "linalg",
    .signature = "A: number [M, M] -> C[M, M]",
    .costs = {{"flops", "0"}, {"operations", "0"}, {"bytes_read", "0"}, {"bytes", "C.bytes"}},
    .result_properties = &detail::identity_structure,
    .adjoint = "dA = 0",
    .summary = "the identity matrix of the operand's size"};

}  // namespace wf::kernels
