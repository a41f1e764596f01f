// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/product_diagonal.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/singularity.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Diagonals of matrices, and diagonal matrices.
namespace wf::compute {

namespace detail {

template <class Real>
text diagonal(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in());
  const Real* const from = m.elements;
  Real* const to = a.out().elements;
  const Eigen::Index size = m.rows, step = m.stride + 1;
  for (Eigen::Index i = 0; i < size; ++i) to[i] = from[i * step];
  return {};
}
template <class Real>
text product_diagonal(const application<Real>& a) {
  multiply_diagonal(a.out().elements, matrix(a.in(0)), matrix(a.in(1)));
  return {};
}

// out = f(d)·b by rows, for the diagonal elements d of a matrix, which are read once. Blocks of 64
// x 64 of either order stay in a cache.
template <class Real, class F>
void scale_rows(const matrix_ref<Real>& out, const matrix_view<Real>& d, const matrix_view<Real>& b,
                F f) {
  constexpr Eigen::Index side = 64;
  Real scales[side];
  for (Eigen::Index row = 0; row < out.rows; row += side) {
    const Eigen::Index rows = std::min(side, out.rows - row);
    for (Eigen::Index i = 0; i < rows; ++i) scales[i] = f(d(row + i, row + i));
    for (Eigen::Index column = 0; column < out.columns; column += side) {
      const Eigen::Index columns = std::min(side, out.columns - column);
      for (Eigen::Index i = 0; i < rows && !out.by_columns; ++i)
        for (Eigen::Index j = column; j < column + columns; ++j)
          out(row + i, j) = scales[i] * b(row + i, j);
      for (Eigen::Index j = column; j < column + columns && out.by_columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i) out(row + i, j) = scales[i] * b(row + i, j);
    }
  }
}
template <class Real>
text matmul_diagonal(const application<Real>& a) {
  scale_rows(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), [](Real x) { return x; });
  return {};
}
template <class Real>
text solve_diagonal(const application<Real>& a) {
  const matrix_view<Real> d = matrix(a.in(0));
  if (has_zero_on_diagonal(d)) return is_singular;
  scale_rows(matrix(a.out()), d, matrix(a.in(1)), [](Real x) { return Real(1) / x; });
  return {};
}
template <class Real>
text inverse_diagonal(const application<Real>& a) {
  const matrix_view<Real> d = matrix(a.in());
  const matrix_ref<Real> out = matrix(a.out());
  if (has_zero_on_diagonal(d)) return is_singular;
  fill(out, 0);
  for (Eigen::Index i = 0; i < d.rows; ++i) out(i, i) = Real(1) / d(i, i);
  return {};
}

}  // namespace detail

}  // namespace wf::compute
