// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/domain/linalg/adjoints.hpp>
#include <wf/registry/property_rules.hpp>
#include <wf/registry/scratch.hpp>

namespace wf::kernels {

namespace detail {

constexpr properties symmetric_inverse_structure(const rule_input& in) {
  return symmetric | wf::detail::infer_by<inverse_rules>(in);
}

}  // namespace detail

/// The explicit inverse by LU with partial pivoting, as LAPACK getrf and getri: 2·M³ flops to
/// leading order. Source: LAPACK Working Note 41, appendix: getrf 2/3·M³ - 1/2·M² + 5/6·M, getri
/// 4/3·M³ - M² + 5/3·M.
inline constexpr kernel_spec inverse{.name = "inverse",
                                     .domain = "linalg",
                                     .meaning = meaning::inverse,
                                     .signature = "A: field [M, M] -> C[M, M]",
                                     .costs = {{"flops", "2*M**3 - 3/2*M**2 + 5/2*M"},
                                               {"flops(complex)", "8*M**3 - 3*M**2 + 7*M"},
                                               detail::inverse_scratch,
                                               detail::complex_solve_scratch},
                                     .result_properties = &wf::detail::infer_by<inverse_rules>,
                                     .adjoint = "dA = -trans(C) dC trans(C)",
                                     .laws = {.involution = true, .inverse = "inverse"},
                                     .summary = "the explicit inverse by LU"};

/// The explicit inverse of a symmetric positive definite matrix, as potrf and potri: M³ flops to
/// leading order. Source: LAPACK Working Note 41: potrf 1/3·M³ + 1/2·M² + 1/6·M, potri 2/3·M³ +
/// 1/2·M² + 5/6·M.
inline constexpr kernel_spec inverse_cholesky{
    .name = "inverse_cholesky",
    .domain = "linalg",
    .meaning = meaning::inverse,
    .signature = "A: floating [M, M] -> C[M, M]",
    .costs = {{"flops", "M**3 + M**2 + M"}, detail::inverse_scratch},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .adjoint = "dA = -trans(C) dC trans(C)",
    .laws = {.involution = true, .inverse = "inverse_cholesky"},
    .summary = "the explicit inverse of a symmetric positive definite matrix by Cholesky"};

/// The explicit inverse of a symmetric matrix, definite or indefinite, as sytrf and sytri: M³ flops
/// to leading order. Source: dopla of LAPACK's timing routines, after LAPACK Working Note 41: sytrf
/// 1/3·M³ + 1/2·M² + 19/6·M, sytri 2/3·M³ + 1/3·M.
inline constexpr kernel_spec inverse_symmetric{
    .name = "inverse_symmetric",
    .domain = "linalg",
    .meaning = meaning::inverse,
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "M**3 + 1/2*M**2 + 7/2*M"},
              {"flops(complex)", "4*M**3 + 3*M**2 + 23*M"},
              detail::inverse_symmetric_scratch,
              {"scratch(complex)",
               "16*M*(2*((M + 7)//8*8 + (M < 121 ? 0 : 8)) + 5) + 16*(min(M, M < 600 ? 32 : M < "
               "1200 ? 48 : 64) + ((M + 7)//8*8 + (M < 121 ? 0 : 8))*(min(M, M < 600 ? 32 : M < "
               "1200 ? 48 : 64) + 1))"}},
    .result_properties = &detail::symmetric_inverse_structure,
    .adjoint = "dA = -trans(C) dC trans(C)",
    .laws = {.involution = true, .inverse = "inverse_symmetric"},
    .summary = "the explicit inverse of a symmetric matrix, of which one triangle is read"};

/// The inverse of a triangular matrix, as trtri: M³/3 flops to leading order. Source: LAPACK
/// Working Note 41: trtri 1/3·M³ + 2/3·M.
inline constexpr kernel_spec inverse_triangular{
    .name = "inverse_triangular",
    .domain = "linalg",
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "1/3*M**3 + 2/3*M"},
              {"flops(complex)", "4/3*M**3 + 2*M**2 + 8/3*M"},
              detail::square_triangle_scratch,
              {"scratch(complex)", "0"}},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .write_adjoint = &detail::inverse_triangular_adjoint,
    .summary = "the explicit inverse of a triangular matrix"};

/// The inverse of a diagonal matrix: M divisions.
inline constexpr kernel_spec inverse_diagonal{
    .name = "inverse_diagonal",
    .domain = "linalg",
    .signature = "A: field [M, M] -> C[M, M]",
    .costs = {{"flops", "M"}, {"flops(complex)", "6*M"}},
    .result_properties = &wf::detail::infer_by<inverse_rules>,
    .adjoint = "dA = -multiply(multiply(C, C), dC)",
    .summary = "the explicit inverse of a diagonal matrix"};

}  // namespace wf::kernels
