// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/values/strided_matrix.hpp>

// The diagonal of a product, without its other elements.
namespace wf::compute {

namespace detail {

// The diagonal of a product of column-major operands that fit in a cache, a few rows and columns at
// a time.
template <class Real>
void multiply_small_diagonal(Real* out, const given<matrix_view<Real>>& a,
                             const given<matrix_view<Real>>& b) {
  constexpr Eigen::Index few = 8;
  for (Eigen::Index i = 0; i < a.rows; i += few) {
    Real sums[few] = {};
    const Eigen::Index rows = std::min(few, a.rows - i);
    if (rows == few) {  // a constant count keeps the sums in registers
      for (Eigen::Index k = 0; k < a.columns; ++k)
        for (Eigen::Index r = 0; r < few; ++r) sums[r] += a.run(k)[i + r] * b.run(i + r)[k];
    } else {
      for (Eigen::Index k = 0; k < a.columns; ++k)
        for (Eigen::Index r = 0; r < rows; ++r) sums[r] += a.run(k)[i + r] * b.run(i + r)[k];
    }
    std::copy_n(sums, rows, out + i);
  }
}

}  // namespace detail

/// out[i] = the inner product of row i of a and column i of b.
template <class Real>
void multiply_diagonal(Real* out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b) {
  constexpr Eigen::Index side = 64;
  constexpr Eigen::Index small = 100'000;  // elements of both that fit in a cache
  if (!a.by_columns && !b.by_columns)      // B'·A' has the same diagonal
    return multiply_diagonal(out, b.transposed(), a.transposed());
  if (a.by_columns && b.by_columns && a.rows * a.columns <= small)
    return detail::multiply_small_diagonal(out, a, b);
  std::fill_n(out, a.rows, Real(0));
  if (a.columns == 0) return;
  const matrix_view<Real> flipped = b.transposed();  // in the layout of a
  if (!a.by_columns && b.by_columns) {               // contiguous rows and columns
    for (Eigen::Index i = 0; i < a.rows; ++i)
      out[i] = detail::const_vector_map<Real>(a.run(i), a.columns)
                   .conjugate()
                   .dot(detail::const_vector_map<Real>(b.run(i), a.columns));
    return;
  }
  alignas(64) Real turned[side * side];
  for (Eigen::Index i = 0; i < a.rows; i += side)
    for (Eigen::Index k = 0; k < a.columns; k += side) {
      const Eigen::Index rows = std::min(side, a.rows - i), depth = std::min(side, a.columns - k);
      matrix_view<Real> left = a.block(i, k, rows, depth), right = flipped.block(i, k, rows, depth);
      for (matrix_view<Real>* m : {&left, &right}) {
        if (m->by_columns) continue;
        const matrix_ref<Real> copied = columns_at(turned, rows, depth);
        copy(copied, *m);
        *m = copied;
      }
      for (Eigen::Index l = 0; l < depth; ++l)
        detail::vector_map<Real>(out + i, rows).array() +=
            detail::const_vector_map<Real>(left.run(l), rows).array() *
            detail::const_vector_map<Real>(right.run(l), rows).array();
    }
}

}  // namespace wf::compute
