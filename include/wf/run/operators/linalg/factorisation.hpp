// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/factors.hpp>
#include <wf/run/operators/linalg/singularity.hpp>

// Factors that are values: LU, Cholesky, and the symmetric factorisation.
namespace wf::compute {

namespace detail {

// Scratch storage for factorising in place: the diagonal or the exchanges, and products.
template <class Real>
std::int64_t in_place_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[0]].type.shape[0].size();
  return rows + solve_scratch<Real>(rows, rows);
}
template <class Routines = own_routines, class Real>
text cholesky(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  copy_diagonal(a.scratch(), matrix(a.in()));
  copy_lower(out, matrix(a.in()));
  const bool done = factorise_definite<Routines>(out, a.scratch(), a.scratch() + out.rows);
  for (Eigen::Index j = 0; j < out.columns; ++j) std::fill_n(out.run(j), j, Real(0));
  return done ? text() : text(is_indefinite);
}
// Row i of P·A is row p[i] of A. Singular matrices are factorised, too.
template <class Routines = own_routines, class Real>
text lu(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  copy(out, matrix(a.in()));
  Routines::template factorise_lu<Real>(out, a.scratch(), a.scratch() + out.rows);
  follow_exchanges(a.out(1).elements, a.scratch(), out.rows);
  return {};
}
// Scratch storage: exchanges, column magnitudes, products.
template <class Real>
std::int64_t regular_scratch(const graph_view& g, const node& n) {
  return g[g.inputs_of(n)[0]].type.shape[0].size() + in_place_scratch<Real>(g, n);
}
template <class Routines = own_routines, class Real>
text lu_factor(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  Real *const exchanges = a.scratch(), *const magnitudes = exchanges + out.rows;
  copy(out, matrix(a.in()));
  if (!factorise_regular<Routines>(out, exchanges, magnitudes, magnitudes + out.rows))
    return is_singular;
  follow_exchanges(a.out(1).elements, exchanges, out.rows);
  return {};
}
// L, the diagonal of D, and its off-diagonal elements right of the diagonal; zeros above.
template <class Real>
text ldl_factor(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out(0));
  const symmetric_factors<Real> f(matrix(a.in()), a.scratch());
  if (!f.is_regular) return is_singular;
  for (Eigen::Index j = 0; j < out.columns; ++j) {
    const Eigen::Index above = std::max<Eigen::Index>(j - 1, 0);
    std::fill_n(out.run(j), above, Real(0));
    std::copy(f.of.run(j) + above, f.of.run(j) + out.rows, out.run(j) + above);
  }
  std::copy_n(f.spare, out.rows, a.out(1).elements);
  return {};
}

// Table row of the factorisation of a symmetric matrix.
template <class Real>
constexpr operator_implementation<Real> symmetric_factorisation(text_view name) {
  using enum storage_order;
  return operator_implementation<Real>{name, &ldl_factor<Real>, nullptr,
                                       &factors_scratch<symmetric_factors<Real>, 0>}
      .in_order(either, columns);
}

}  // namespace detail

}  // namespace wf::compute
