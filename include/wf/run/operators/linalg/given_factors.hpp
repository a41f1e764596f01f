// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/bunch_kaufman.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/kernels/symmetric_indefinite.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/own_routines.hpp>
#include <wf/run/operators/linalg/permutation.hpp>
#include <wf/run/operators/linalg/singularity.hpp>

// Solutions with factors that are operands.
namespace wf::compute {

namespace detail {

inline constexpr text_view no_permutation = "the rows of the factors are no permutation";

// Solves with given factors of P·A = L·U: A⁻¹·B = U⁻¹·(L⁻¹·(P·B)).
template <class Routines = own_routines, class Real>
text solved_by_factors(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const matrix_ref<Real> x = matrix(a.out());
  if (!invert_permutation(a.scratch(), a.in(1).elements, f.rows)) return no_permutation;
  if (has_zero_on_diagonal(f)) return is_singular;
  Real* const rest = a.scratch() + f.rows;
  copy_rows(x, matrix(a.in(2)), a.in(1).elements);
  Routines::template solve_triangle<Real>(triangle::unit_lower, f, x, rest);
  Routines::template solve_triangle<Real>(triangle::upper, f, x, rest);
  return {};
}
template <class Real>
std::int64_t by_factors_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  const std::int64_t elements = g[graph_view::output_of(n)].type.shape.elements();
  return rows + solve_scratch<Real>(rows, elements / std::max<std::int64_t>(rows, 1));
}
// A⁻ᵀ·B = P'·(L⁻ᵀ·(U⁻ᵀ·B)), solved in scratch storage, whose rows are then permuted into the
// result.
template <class Routines = own_routines, class Real>
text solved_by_factors_transposed(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const matrix_ref<Real> out = matrix(a.out());
  Real* const place = a.scratch();
  if (!invert_permutation(place, a.in(1).elements, f.rows)) return no_permutation;
  if (has_zero_on_diagonal(f)) return is_singular;
  matrix_ref<Real> x = out;
  x.elements = place + f.rows;
  x.stride = x.run_length();
  Real* const rest = x.elements + x.rows * x.columns;
  copy(x, matrix(a.in(2)));
  Routines::template solve_triangle<Real>(triangle::lower, f.transposed(), x, rest);
  Routines::template solve_triangle<Real>(triangle::unit_upper, f.transposed(), x, rest);
  copy_rows(out, x, place);
  return {};
}
template <class Real>
std::int64_t by_factors_transposed_scratch(const graph_view& g, const node& n) {
  return by_factors_scratch<Real>(g, n) + g[graph_view::output_of(n)].type.shape.elements();
}

// Solves with given factors of P·A·P' = L·D·L'.
template <class Real>
text solved_by_symmetric_factors(const application<Real>& a) {
  const matrix_view<Real> f = matrix(a.in(0));
  const Real* const place = a.in(1).elements;
  Real *const exchanges = a.scratch(), *const diagonal = exchanges + f.rows;
  Real *const beside = diagonal + f.rows, *const rest = beside + f.rows;
  if (!find_exchanges(exchanges, place, f.rows, diagonal)) return no_permutation;
  if (!invert_blocks(f, f.rows, diagonal, beside)) return is_singular;
  const symmetric_substitution<Real> by{f, place, exchanges, diagonal, beside};
  by.solve(matrix(a.out()), matrix(a.in(2)), rest);
  return {};
}
template <class Real>
std::int64_t by_symmetric_factors_scratch(const graph_view& g, const node& n) {
  return by_factors_scratch<Real>(g, n) + 2 * g[g.inputs_of(n)[0]].type.shape[0].size();
}

// Table row of an operator that solves with factors.
template <class Real>
constexpr operator_implementation<Real> by_factors(text_view name, operator_function<Real> run,
                                                   std::int64_t (*scratch)(const graph_view&,
                                                                           const node&)) {
  using enum storage_order;
  return operator_implementation<Real>{name, run, nullptr, scratch}.in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
