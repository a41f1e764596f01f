// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <array>
#include <type_traits>

#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/contraction.hpp>
#include <wf/run/operators/linalg/diagonal.hpp>
#include <wf/run/operators/linalg/factorisation.hpp>
#include <wf/run/operators/linalg/factors.hpp>
#include <wf/run/operators/linalg/given_factors.hpp>
#include <wf/run/operators/linalg/orthogonal.hpp>
#include <wf/run/operators/linalg/permutation.hpp>
#include <wf/run/operators/linalg/product.hpp>
#include <wf/run/operators/linalg/solution.hpp>
#include <wf/run/operators/linalg/strassen.hpp>
#include <wf/run/operators/linalg/symmetric_product.hpp>
#include <wf/run/operators/linalg/triangular.hpp>
#include <wf/run/operators/operation.hpp>
#include <wf/run/values/scalar.hpp>

// Linear algebra: products, solutions, factorisations, elimination steps, contractions. Matrices
// may have any layout, unless an operator's table row says otherwise.
namespace wf::compute {

namespace detail {

// Operators on numbers.
template <class Real>
constexpr auto product_rows() {
  using enum storage_order;
  using operation = operator_implementation<Real>;
  constexpr auto twice = [](const auto& a) { return 2 * last_extent(a); };
  return std::to_array<operation>({
      product<Real, [](const auto& a) { return matmul(a); }>("matmul"),
      onto<Real>("matmul_add", &matmul_onto_exactly<1, Real>),
      onto<Real>("matmul_subtract", &matmul_onto_exactly<-1, Real>),
      sums<Real, [](const auto& a) { return matvec(a); }, last_extent>("matvec"),
      sums<Real, [](const auto& a) { return matvec_symmetric(a); }, last_extent>(
          "matvec_symmetric"),
      operation{"matmul_strassen", &matmul_strassen<Real>, &wf::detail::node_fault,
                &strassen_scratch<Real>}
          .in_order(either, either),
      product<Real, [](const auto& a) { return gemmt(a); }>("gemmt"),
      product<Real, [](const auto& a) { return syr2k(a); }, twice>("syr2k"),
      product<Real, [](const auto& a) { return matmul_symmetric(a); }>("matmul_symmetric"),
      product<Real, [](const auto& a) { return matmul_triangular(a); }>(
          "matmul_triangular", &matmul_triangular_scratch<Real>),
      sums<Real, [](const auto& a) { return matmul_diagonal(a); }, one_term>("matmul_diagonal"),
      permuted<Real>("matmul_permutation"),
      permuted<Real>("matvec_permutation"),
      sums<Real, [](const auto& a) { return dot(a); }, last_extent>("dot"),
      operation{"outer", &outer<Real>}.in_order(either, either),
      sums<Real, [](const auto& a) { return axpy(a); }, one_term>("axpy"),
      sums<Real, [](const auto& a) { return trace(a); }, last_extent>("trace"),
      operation{"diagonal", &diagonal<Real>}.in_order(either, either),
      sums<Real, [](const auto& a) { return product_diagonal(a); }, last_extent>(
          "product_diagonal"),
      operation{"identity_like", &identity_like<Real>}.in_order(either, either),
  });
}

// Operators on fields.
template <class Real>
constexpr auto solution_rows() {
  using enum storage_order;
  using operation = operator_implementation<Real>;
  return std::to_array<operation>({
      operation{"matmul_half", &matmul_half<Real>, nullptr, &half_scratch<Real>}.in_order(either,
                                                                                          either),
      {"norm", &norm<Real>},
      solution<Real, 0>("inverse", &inverted<Real>),
      solution<Real, 0>("inverse_cholesky", &definite_inverted<Real>),
      operation{"inverse_symmetric", &symmetric_inverted<Real>, nullptr,
                &symmetric_inverse_scratch<Real>}
          .in_order(either, either),
      solution<Real, 0>("solve", &solved<by_lu<Real>, Real>),
      solution<Real, 0>("solve_cholesky", &solved<by_cholesky<Real>, Real>),
      solution<Real, 0, symmetric_factors<Real>>("solve_symmetric",
                                                 &solved<by_symmetric<Real>, Real>),
      solution<Real, 1>("solve_right", &solved_right<by_lu<Real>, Real>),
      solution<Real, 1>("solve_right_cholesky", &solved_right<by_cholesky<Real>, Real>),
      operation{"inverse_triangular", &inverse_triangular<Real>, nullptr, &triangle_scratch<Real>}
          .in_order(either, either),
      operation{"inverse_diagonal", &inverse_diagonal<Real>}.in_order(either, either),
      operation{"solve_triangular", &solve_triangular<own_routines, Real>, nullptr,
                &triangle_scratch<Real>}
          .in_order(either, either),
      operation{"solve_diagonal", &solve_diagonal<Real>}.in_order(either, either),
      operation{"cholesky", &cholesky<own_routines, Real>, nullptr, &in_place_scratch<Real>}
          .in_order(either, columns),
      operation{"lu", &lu<own_routines, Real>, nullptr, &in_place_scratch<Real>}.in_order(either,
                                                                                          columns),
      operation{"lu_factor", &lu_factor<own_routines, Real>, nullptr, &regular_scratch<Real>}
          .in_order(either, columns),
      by_factors<Real>("solve_lu", &solved_by_factors<own_routines, Real>,
                       &by_factors_scratch<Real>),
      by_factors<Real>("solve_lu_transposed", &solved_by_factors_transposed<own_routines, Real>,
                       &by_factors_transposed_scratch<Real>),
      symmetric_factorisation<Real>("ldl_factor"),
      by_factors<Real>("solve_ldl", &solved_by_symmetric_factors<Real>,
                       &by_symmetric_factors_scratch<Real>),
      operation{"qr", &qr<Real>, &qr_fault, &qr_scratch<Real>}.in_order(either, columns),
      least<Real>("least_squares"),
  });
}

}  // namespace detail

/// The operators of linear algebra and contractions for an element type. A matrix that is singular
/// or not positive definite, to rounding, cannot be inverted or solved with: a failure. Without
/// declared properties `solve_triangular` reads the triangle that holds all elements. Products with
/// a permutation fail if the matrix is not one. Row i of P·A is row p[i] of A for the permutation
/// of `lu` and `lu_factor`; of these only the latter fails for a singular matrix. Solving by LU
/// factors fails if their diagonal has a zero. For the permutation of `ldl_factor` element (i, j)
/// of P·A·Pᵀ is element (p[i], p[j]) of A; solving by these factors fails if a block of D is
/// singular. The diagonal of R of `qr` may be negative. `least_squares` fails if an element of that
/// diagonal is zero to rounding, relative to the largest element of its column of A: then A is not
/// of full rank.
template <class Real>
view<operator_implementation<Real>> linalg_operators() {
  using namespace detail;
  if constexpr (std::is_same_v<Real, bool>)
    return rows_of<&contraction_rows<Real>>();
  else if constexpr (!is_field_scalar<Real>)
    return rows_of<&product_rows<Real>, &contraction_rows<Real>>();
  else
    return rows_of<&product_rows<Real>, &contraction_rows<Real>, &solution_rows<Real>>();
}

}  // namespace wf::compute
