// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>

#include <wf/ir/graph/view.hpp>
#include <wf/run/kernels/bunch_kaufman.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/pivot.hpp>
#include <wf/run/kernels/symmetric_indefinite.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/operators/linalg/own_routines.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Factorised copies of matrices in scratch storage.
namespace wf::compute {

namespace detail {

// A factorised copy of a matrix, in scratch storage.
template <class Real>
struct factors {
  matrix_ref<Real> of;    // column-major
  Real* rows = nullptr;   // LU: the row exchanges
  Real* spare = nullptr;  // one element per row
  Real* rest = nullptr;   // scratch storage for solving
  bool is_regular = true;

  // `whole`: false if only the lower triangle is needed.
  factors(const matrix_view<Real>& a, Real* scratch, bool whole = true)
      : factors<Real>(a, scratch, whole, stride_of(a.rows)) {}
  factors(const matrix_view<Real>& a, Real* scratch, bool whole, std::int64_t stride)
      : of{scratch, a.rows, a.columns, stride, true},
        rows(scratch + of.stride * a.columns),
        spare(rows + a.rows),
        rest(spare + a.rows) {
    if (whole)
      copy(of, a);
    else
      copy_lower(of, a);
  }
  // Columns at a power-of-two distance would evict each other from the cache.
  static constexpr std::int64_t stride_of(std::int64_t rows) {
    return rows % 128 == 0 ? rows + 8 : rows;
  }
  // Elements of scratch storage for right-hand sides of `columns` columns.
  static std::int64_t scratch_of(std::int64_t rows, std::int64_t columns) {
    return (stride_of(rows) + 2) * rows + solve_scratch<Real>(rows, std::max(rows, columns));
  }
};
// P·A = L·U in place, column-major; `rows` receives the exchanges, `magnitudes` the largest
// magnitude in each column of A. False if A is singular to rounding.
template <class Routines = own_routines, class Real>
bool factorise_regular(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* magnitudes,
                       given<Real>* scratch) {
  for (Eigen::Index j = 0; j < a.columns; ++j)
    magnitudes[j] = const_vector_map<Real>(a.run(j), a.rows).cwiseAbs().maxCoeff();
  Routines::template factorise_lu<Real>(a, rows, scratch);
  for (Eigen::Index j = 0; j < a.columns; ++j)
    if (!is_pivot(std::abs(a(j, j)), real_part(magnitudes[j]), a.rows)) return false;
  return true;
}
template <class Routines = own_routines, class Real>
factors<Real> lu_of(const given<matrix_view<Real>>& a, Real* scratch) {
  factors<Real> f(a, scratch);
  f.is_regular = factorise_regular<Routines>(f.of, f.rows, f.spare, f.rest);
  return f;
}
// A = L·L' in place, given the diagonal of A. False if A is not positive definite, to rounding.
template <class Routines = own_routines, class Real>
bool factorise_definite(const matrix_ref<Real>& a, const given<Real>* diagonal,
                        given<Real>* scratch) {
  if (!Routines::template factorise_cholesky<Real>(a, scratch)) return false;
  for (Eigen::Index j = 0; j < a.rows; ++j)
    if (!is_pivot(real_part(a(j, j) * a(j, j)), real_part(diagonal[j]), a.rows)) return false;
  return true;
}
template <class Real>
void copy_diagonal(Real* to, const given<matrix_view<Real>>& a) {
  for (Eigen::Index j = 0; j < a.rows; ++j) to[j] = a(j, j);
}
// A symmetric matrix is its own transpose, so it may be read as column-major.
template <class Routines = own_routines, class Real>
factors<Real> cholesky_of(const given<matrix_view<Real>>& of, Real* scratch) {
  const matrix_view<Real> a = of.by_columns ? of : of.transposed();
  factors<Real> f(a, scratch, false);
  copy_diagonal(f.spare, a);
  f.is_regular = factorise_definite<Routines>(f.of, f.spare, f.rest);
  return f;
}

// P·A·P' = L·D·L' of a symmetric matrix. Regular if it is not singular to rounding.
template <class Real>
struct symmetric_factors : factors<Real> {
  using factors<Real>::of, factors<Real>::rows, factors<Real>::spare, factors<Real>::rest,
      factors<Real>::is_regular;
  Real* diagonal = nullptr;  // diagonal of D⁻¹
  Real* beside = nullptr;    // off-diagonal elements of D⁻¹; `spare` holds the permutation

  symmetric_factors(const matrix_view<Real>& a, Real* scratch)
      : factors<Real>(a.by_columns ? a : a.transposed(), scratch, false, aligned_stride(a.rows)),
        diagonal(rest),
        beside(diagonal + a.rows) {
    rest = beside + a.rows;
    Real* const magnitudes = rest;
    is_regular = factorise_regular_symmetric(
        of, symmetric_parts<Real>{rows, spare, magnitudes, diagonal, beside},
        [&](const matrix_ref<Real>& all, Real* exchanges) {
          factorise_symmetric(all, exchanges, magnitudes + a.rows);
        });
  }
  symmetric_substitution<Real> substitution() const { return {of, spare, rows, diagonal, beside}; }
  // Elements of scratch storage for right-hand sides of `columns` columns.
  static std::int64_t scratch_of(std::int64_t rows, std::int64_t columns) {
    return (aligned_stride(rows) + 4) * rows +
           std::max(rows + factorise_symmetric_scratch<Real>(rows),
                    solve_scratch<Real>(rows, std::max(rows, columns)));
  }
};

// Scratch storage for factorising `Operand`; right-hand sides, if any, have the size of the result.
template <class Factors, std::uint32_t Operand>
std::int64_t factors_scratch(const graph_view& g, const node& n) {
  const std::int64_t rows = g[g.inputs_of(n)[Operand]].type.shape[0].size();
  const std::int64_t elements = g[graph_view::output_of(n)].type.shape.elements();
  return Factors::scratch_of(rows, elements / std::max<std::int64_t>(rows, 1));
}

}  // namespace detail

}  // namespace wf::compute
