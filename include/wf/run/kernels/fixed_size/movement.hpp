// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

// Eigen matrices whose elements move: parts, parts put together, other shapes and orders.
namespace wf::compute {

/// out = the elements of a in row-major order, in the shape of out. Always true.
template <class Dst, class A>
bool reshape(Dst&& out, const A& a) {
  for (Eigen::Index i = 0; i < a.size(); ++i)
    out(i / out.cols(), i % out.cols()) = a(i / a.cols(), i % a.cols());
  return true;
}

/// out = the rows, or columns, of a from `start` on, as many as out has.
template <class Dst, class A>
bool slice(Dst&& out, const A& a, Eigen::Index start, bool columns) {
  using dst = std::remove_cvref_t<Dst>;
  out = a.template block<dst::RowsAtCompileTime, dst::ColsAtCompileTime>(
      columns ? 0 : start, columns ? start : 0, out.rows(), out.cols());
  return true;
}

/// Copies a to the rows, or columns, of out from `start` on.
template <class Dst, class A>
void put(Dst&& out, const A& a, Eigen::Index start, bool columns) {
  out.template block<A::RowsAtCompileTime, A::ColsAtCompileTime>(
      columns ? 0 : start, columns ? start : 0, a.rows(), a.cols()) = a;
}

/// out = the parts, one below the other or side by side.
template <class Dst, class... Parts>
bool concat(Dst&& out, bool columns, const Parts&... parts) {
  Eigen::Index start = 0;
  const auto next = [&](const auto& part) {
    put(out, part, start, columns);
    start += columns ? part.cols() : part.rows();
  };
  (next(parts), ...);
  return true;
}

/// out = a with rows or columns of zeros around it, `before` of them first.
template <class Dst, class A>
bool pad(Dst&& out, const A& a, Eigen::Index before, bool columns) {
  out.setZero();
  put(out, a, before, columns);
  return true;
}

/// out = the elements of a by an equation of letters, one per dimension: each element of the result
/// sums the elements of a whose letters agree. Vectors are columns.
template <class Dst, class A>
bool rearrange(Dst&& out, const A& a, const char (&from)[2], const char (&to)[2]) {
  out.setZero();
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      if (from[1] == from[0] && i != j) continue;
      const auto at = [&](char letter) { return letter == '\0' ? 0 : letter == from[0] ? i : j; };
      out(at(to[0]), at(to[1])) += a(i, j);
    }
  return true;
}

}  // namespace wf::compute
