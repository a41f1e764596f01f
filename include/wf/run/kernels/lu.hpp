// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/product_choice.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

namespace detail {

// LU factors of a few columns, by rank-1 updates.
template <class Real>
void factorise_columns(const matrix_ref<Real>& a, given<Real>* rows) {
  for (Eigen::Index k = 0; k < a.columns; ++k) {
    const Eigen::Index below = a.rows - k - 1;
    Eigen::Index pivot = 0;
    vector_map<Real>(a.run(k) + k, below + 1).cwiseAbs().maxCoeff(&pivot);
    pivot += k;
    rows[k] = as_element<Real>(pivot);
    const Real value = a(pivot, k);
    vector_map<Real> factors(a.run(k) + k + 1, below);
    if (value != Real(0)) {
      if (pivot != k)
        for (Eigen::Index j = 0; j < a.columns; ++j) std::swap(a(k, j), a(pivot, j));
      factors /= value;
    }
    for (Eigen::Index j = k + 1; j < a.columns; ++j)
      vector_map<Real>(a.run(j) + k + 1, below) -= a(k, j) * factors;
  }
}

// Applies the first `done` columns of A = L·U to the others: exchanges, solution, product.
template <class Real>
void follow_factors(const matrix_ref<Real>& a, Eigen::Index done, const given<Real>* rows,
                    given<Real>* scratch) {
  const matrix_ref<Real> right = a.block(0, done, a.rows, a.columns - done);
  const matrix_ref<Real> top = right.block(0, 0, done, right.columns);
  exchange_rows(right, rows, done);
  solve_triangle(triangle::unit_lower, a.block(0, 0, done, done), top, scratch);
  add_product(right.block(done, 0, a.rows - done, right.columns), -1,
              a.block(done, 0, a.rows - done, done), top, scratch);
}

}  // namespace detail

/// Factorises P·A = L·U in place, for a column-major matrix with no fewer rows than columns; `rows`
/// receives the row that each row was exchanged with, in order. Matrices of any rank have factors:
/// a column without pivot keeps zeros. Recursive by halves for wide matrices, else by a few
/// columns. Scratch storage: `solve_scratch` elements for the extents of A, or null. Source: S.
/// Toledo, Locality of reference in LU decomposition with partial pivoting, 1997.
template <class Real>
void factorise_lu(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* scratch = nullptr) {
  constexpr Eigen::Index few = 8;
  const Eigen::Index wide = detail::may_pack(scratch) ? 32 : 256;
  const Eigen::Index m = a.rows, n = a.columns;
  if (n <= few) return detail::factorise_columns(a, rows);
  const Eigen::Index step = n <= wide ? few : (n / 2 + few - 1) / few * few;
  for (Eigen::Index k = 0; k < n; k += step) {
    const Eigen::Index next = std::min(step, n - k);
    const matrix_ref<Real> rest = a.block(k, k, m - k, n - k);
    factorise_lu(rest.block(0, 0, m - k, next), rows + k, scratch);
    exchange_rows(a.block(k, 0, m - k, k), rows + k, next);
    if (k + next < n) detail::follow_factors(rest, next, rows + k, scratch);
    for (Eigen::Index i = k; i < k + next; ++i) rows[i] += as_element<Real>(k);
  }
}

}  // namespace wf::compute
