// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/storage.hpp>

// Elementwise functions of two Eigen matrices.
namespace wf::compute {

namespace detail {

// The element that broadcasts to (i, j): dimensions align on the right, so a vector, stored as a
// column, acts as a row beside a matrix.
template <class A>
typename A::Scalar broadcast_at(const A& a, Eigen::Index i, Eigen::Index j, bool is_row) {
  if (is_row) return a(a.rows() == 1 ? 0 : j, 0);
  return a(a.rows() == 1 ? 0 : i, a.cols() == 1 ? 0 : j);
}

}  // namespace detail

/// out = f(a, b) elementwise with broadcasting; the ranks tell a vector beside a matrix. Always
/// true.
template <class Dst, class A, class B, class F>
bool elementwise(Dst&& out, const A& a, const B& b, unsigned rank_a, unsigned rank_b, F f) {
  using dst = std::remove_cvref_t<Dst>;
  using scalar = typename A::Scalar;
  if constexpr (detail::is_fixed<dst> && detail::same_size<dst, A> && detail::same_size<dst, B>) {
    out = a.binaryExpr(b, f);
  } else if constexpr (A::SizeAtCompileTime == 1 && detail::is_fixed<dst> &&
                       detail::same_size<dst, B>) {
    const scalar s = a(0, 0);
    out = b.unaryExpr([&](scalar x) { return f(s, x); });
  } else if constexpr (B::SizeAtCompileTime == 1 && detail::is_fixed<dst> &&
                       detail::same_size<dst, A>) {
    const scalar s = b(0, 0);
    out = a.unaryExpr([&](scalar x) { return f(x, s); });
  } else {
    const bool row_a = rank_a == 1 && rank_b > 1, row_b = rank_b == 1 && rank_a > 1;
    for (Eigen::Index j = 0; j < out.cols(); ++j)
      for (Eigen::Index i = 0; i < out.rows(); ++i)
        out(i, j) = f(detail::broadcast_at(a, i, j, row_a), detail::broadcast_at(b, i, j, row_b));
  }
  return true;
}

}  // namespace wf::compute
