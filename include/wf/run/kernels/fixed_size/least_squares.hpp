// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>

#include <Eigen/Core>
#include <Eigen/Householder>

#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/kernels/pivot.hpp>

namespace wf::compute {

/// out with the least norm of a·out - b, by Householder reflections; a has no fewer rows than
/// columns. False if a is not of full rank, to rounding.
template <class Dst, class A, class B>
bool least_squares(Dst&& out, const A& a, const B& b) {
  using plain = typename A::PlainObject;
  using sides = typename B::PlainObject;
  using scalar = typename A::Scalar;
  if (out.size() == 0) return true;
  auto factors = detail::scratch<plain, 0>(a.rows(), a.cols());
  auto right = detail::scratch<sides, 1>(b.rows(), b.cols());
  factors = a, right = b;
  Eigen::Matrix<scalar, 1, A::ColsAtCompileTime> work(a.cols());
  Eigen::Matrix<scalar, 1, B::ColsAtCompileTime> more(b.cols());
  for (Eigen::Index k = 0; k < a.cols(); ++k) {
    const Eigen::Index rows = a.rows() - k, columns = a.cols() - k - 1;
    scalar factor, made;
    factors.col(k).tail(rows).makeHouseholderInPlace(factor, made);
    if (!detail::is_pivot(std::abs(made), column_magnitude(a, k), a.rows())) return false;
    const auto vector = factors.col(k).tail(rows - 1);
    factors.bottomRightCorner(rows, columns).applyHouseholderOnTheLeft(vector, factor, work.data());
    right.bottomRows(rows).applyHouseholderOnTheLeft(vector, factor, more.data());
    factors(k, k) = made;
  }
  out = right.topRows(a.cols());
  factors.topRows(a.cols()).template triangularView<Eigen::Upper>().solveInPlace(out);
  return true;
}

}  // namespace wf::compute
