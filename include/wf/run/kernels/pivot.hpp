// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <limits>

#include <Eigen/Core>

namespace wf::compute {

/// Largest magnitude in column `j`, the scale for pivots of that column.
template <class A>
typename Eigen::NumTraits<typename A::Scalar>::Real column_magnitude(const A& a, Eigen::Index j) {
  return a.col(j).cwiseAbs().maxCoeff();
}

namespace detail {

// True if a pivot exceeds the rounding error that elimination leaves in place of zero, given the
// largest magnitude in the pivot's column of the matrix (its diagonal element for Cholesky): the
// error is within a small multiple of size·ε of it. The test is invariant under column scaling. A
// NaN is no pivot. Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002,
// theorems 9.3 and 10.3.
template <class Scalar>
bool is_pivot(Scalar magnitude, Scalar column, Eigen::Index size) {
  const Scalar threshold =
      column * std::numeric_limits<Scalar>::epsilon() * static_cast<Scalar>(4 * size);
  return std::isfinite(magnitude) && magnitude > threshold;
}

}  // namespace detail

}  // namespace wf::compute
