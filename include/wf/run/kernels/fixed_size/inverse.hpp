// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/cofactors.hpp>
#include <wf/run/kernels/fixed_size/elimination.hpp>
#include <wf/run/kernels/fixed_size/factors.hpp>

namespace wf::compute {

/// out = a⁻¹ by LU with partial pivoting, or in closed form; false if a is singular to rounding.
template <class Dst, class A>
bool inverse(Dst&& out, const A& a) {
  using plain = typename A::PlainObject;
  if constexpr (detail::is_tiny<A>)
    if (detail::invert_tiny(out, a)) return true;
  if constexpr (detail::is_eliminated<A, A::RowsAtCompileTime>)
    return detail::eliminate<detail::pivoting::largest>(out, a,
                                                        plain::Identity(a.rows(), a.cols()));
  else
    return detail::with_lu(
        a, [&](const auto& lu) { out = lu.solve(plain::Identity(a.rows(), a.cols())); });
}

/// out = a⁻¹ by Cholesky; false if a is not positive definite, to rounding.
template <class Dst, class A>
bool inverse_cholesky(Dst&& out, const A& a) {
  if constexpr (detail::is_eliminated<A, A::RowsAtCompileTime>)
    return detail::eliminate<detail::pivoting::none>(out, a,
                                                     A::PlainObject::Identity(a.rows(), a.cols()));
  else
    return detail::with_cholesky(a, [&](const auto& llt) {
      out.setIdentity();
      llt.solveInPlace(out);
    });
}

}  // namespace wf::compute
