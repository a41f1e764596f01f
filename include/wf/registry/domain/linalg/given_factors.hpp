// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/scratch.hpp>

namespace wf::kernels {

/// The solution X of A·X = B from the LU factors of A. Source: LAPACK Working Note 41: getrs
/// N·(2·M² - M).
inline constexpr kernel_spec solve_lu{
    .name = "solve_lu",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_factors_scratch,
              {"scratch(complex)", "16*M"}},
    .summary = "the solution of A X = B by the LU factors of A"};

/// The solution X of Aᵀ·X = B from the LU factors of A; X·A = B is its transpose. Source: as
/// `solve_lu`.
inline constexpr kernel_spec solve_lu_transposed{
    .name = "solve_lu_transposed",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_factors_transposed_scratch,
              {"scratch(complex)", "16*(M + X)"}},
    .summary = "the solution of Aᵀ X = B by the LU factors of A"};

/// The solution X of A·X = B from the factors L·D·Lᵀ of a symmetric A. Source: as
/// `solve_symmetric`: sytrs N·(2·M² - M).
inline constexpr kernel_spec solve_ldl{
    .name = "solve_ldl",
    .domain = "linalg",
    .signature = "F: field [M, M], p: i64 [M], B: field [M, N?] -> X[M, N?]",
    .costs = {{"flops", "N*(2*M**2 - M)"},
              {"flops(complex)", "N*(8*M**2 - 2*M)"},
              detail::solve_symmetric_factors_scratch,
              {"scratch(complex)", "48*M"}},
    .summary = "the solution of A X = B by the factors L D Lᵀ of A"};

}  // namespace wf::kernels
