// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <Eigen/Core>

// Reductions of rows, of columns and of all elements of an Eigen matrix.
namespace wf::compute {

/// out = softmax of a over each row, or over a vector. Always true.
template <class Dst, class A>
bool softmax(Dst&& out, const A& a, bool is_vector) {
  out = a;
  if (out.size() == 0) return true;
  if (is_vector) {
    out.array() = (out.array() - out.maxCoeff()).exp();
    out /= out.sum();
    return true;
  }
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    out.row(r).array() = (out.row(r).array() - out.row(r).maxCoeff()).exp();
    out.row(r) /= out.row(r).sum();
  }
  return true;
}

/// out = f over the columns of each row (axis 1), the rows of each column (axis 0), or all (-1).
template <class Dst, class A, class F>
bool reduce(Dst&& out, const A& a, std::int64_t axis, bool is_vector, F f) {
  if (axis < 0 || is_vector) {
    out(0, 0) = f(a);
    return true;
  }
  if (axis == 0)
    for (Eigen::Index c = 0; c < a.cols(); ++c) out(c) = f(a.col(c));
  else
    for (Eigen::Index r = 0; r < a.rows(); ++r) out(r) = f(a.row(r));
  return true;
}

}  // namespace wf::compute
