// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/kernels/symmetric_product.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

/// Factorises A = L·L' in place, in the lower triangle of a column-major matrix, recursively by
/// halves; false if the square of a diagonal element is not positive. Elements above the diagonal
/// are unspecified. Scratch storage: `solve_scratch` elements for the extents of A, or null.
template <class Real>
bool factorise_cholesky(const matrix_ref<Real>& a, given<Real>* scratch = nullptr) {
  if (a.rows == 0) return true;
  constexpr Eigen::Index few = 32, step = 8;
  if (a.rows > few) {
    const Eigen::Index n = a.rows, half = (n / 2 + step - 1) / step * step;
    const matrix_ref<Real> top = a.block(0, 0, half, half),
                           below = a.block(half, 0, n - half, half);
    const matrix_ref<Real> rest = a.block(half, half, n - half, n - half);
    if (!factorise_cholesky(top, scratch)) return false;
    solve_triangle(triangle::lower, top, below.transposed(), scratch);
    subtract_symmetric(rest, below, matrix_view<Real>(below).transposed(), scratch);
    return factorise_cholesky(rest, scratch);
  }
  // Eigen::LLT would also compute a norm.
  auto map = detail::columns_of(a);
  return Eigen::internal::llt_inplace<Real, Eigen::Lower>::blocked(map) < 0;
}

}  // namespace wf::compute
