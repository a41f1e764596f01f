// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/cofactors.hpp>
#include <wf/run/kernels/fixed_size/elimination.hpp>
#include <wf/run/kernels/fixed_size/factors.hpp>
#include <wf/run/kernels/fixed_size/product.hpp>
#include <wf/run/kernels/minors.hpp>
#include <wf/run/kernels/small_product.hpp>

// Solutions with Eigen matrices, from the left and from the right: in closed form, by elimination
// or by factors. Functions return false for a matrix that is singular, or not definite, to
// rounding; the result is then unspecified.
namespace wf::compute {

namespace detail {

// True if four equations are solved by determinants if these can be trusted (see minors.hpp).
template <class A, class B>
inline constexpr bool has_minors =
    int(A::RowsAtCompileTime) == 4 && int(A::ColsAtCompileTime) == 4 &&
    int(B::ColsAtCompileTime) == 1 && has_solid_columns<A> && has_solid_columns<B> &&
    (std::is_same_v<typename A::Scalar, double> || std::is_same_v<typename A::Scalar, float>);

}  // namespace detail

/// out with a·out = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class A, class B>
bool solve(Dst&& out, const A& a, const B& b) {
  if constexpr (detail::is_tiny<A>) {
    if constexpr (detail::has_minors<A, B>)
      if (detail::solve_by_minors<false>(out, a.data(), a.outerStride(), b.data())) return true;
    if constexpr (A::RowsAtCompileTime == 4 && detail::is_eliminated<A, B::ColsAtCompileTime>)
      if (detail::eliminate<detail::pivoting::tame>(out, a, b)) return true;
    typename A::PlainObject inverted;
    if (detail::invert_tiny(inverted, a)) return product(out, inverted, b);
  }
  if constexpr (detail::is_eliminated<A, B::ColsAtCompileTime>)
    return detail::eliminate<detail::pivoting::largest>(out, a, b);
  else
    return detail::with_lu(a, [&](const auto& lu) { out = lu.solve(b); });
}

/// out with a·out = b by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class A, class B>
bool solve_cholesky(Dst&& out, const A& a, const B& b) {
  if constexpr (detail::has_minors<A, B>)
    if (detail::solve_by_minors<true>(out, a.data(), a.outerStride(), b.data())) return true;
  if constexpr (detail::is_eliminated<A, B::ColsAtCompileTime>)
    return detail::eliminate<detail::pivoting::none>(out, a, b);
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out = b;
      llt.solveInPlace(out);
    });
}

/// out with out·a = b by LU, or in closed form; false if a is singular to rounding.
template <class Dst, class B, class A>
bool solve_right(Dst&& out, const B& b, const A& a) {
  if constexpr (detail::is_tiny<A>) {
    typename A::PlainObject inverted;
    if (detail::invert_tiny(inverted, a)) return product(out, b, inverted);
  }
  if constexpr (detail::is_eliminated<A, B::RowsAtCompileTime>)
    return detail::eliminate_right<detail::pivoting::largest>(out, a, b);
  else
    return detail::with_lu(a.transpose(),
                           [&](const auto& lu) { out.transpose() = lu.solve(b.transpose()); });
}

/// out with out·a = b by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class B, class A>
bool solve_right_cholesky(Dst&& out, const B& b, const A& a) {
  if constexpr (detail::is_eliminated<A, B::RowsAtCompileTime>)
    return detail::eliminate_right<detail::pivoting::none>(out, a, b);
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out = b;
      auto flipped = out.transpose();
      llt.solveInPlace(flipped);
    });
}

}  // namespace wf::compute
