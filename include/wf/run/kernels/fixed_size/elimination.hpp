// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/kernels/small_factors.hpp>
#include <wf/run/kernels/small_product.hpp>

// Solutions by elimination (see small_factors.hpp), for matrices of few rows.
namespace wf::compute {

namespace detail {

// True if elimination by columns is fastest (see small_factors.hpp), for `Count` right-hand sides.
template <class A, int Count>
inline constexpr bool is_eliminated =
    is_fixed<A> && Count > 0 &&
    std::is_floating_point_v<typename A::Scalar>&& int(A::RowsAtCompileTime) >= 1 &&
    int(A::RowsAtCompileTime) <= max_small_factors&& Count <= 64;

// out with a·out = b, by elimination; many right-hand sides are solved together, as rows.
template <pivoting By, class Dst, class A, class B>
bool eliminate(Dst&& out, const A& a, const B& b) {
  using scalar = typename A::Scalar;
  constexpr int size = A::RowsAtCompileTime, count = B::ColsAtCompileTime;
  small_factors<scalar, size, By> factors;
  if constexpr (count == 1) return factors.factorise_and_solve(out, a, b);
  if (!factors.factorise(a)) return false;
  if constexpr (count <= 2) {
    for (Eigen::Index j = 0; j < count; ++j) factors.solve(out.col(j), b.col(j));
  } else {
    Eigen::Matrix<scalar, count, size> y = b.transpose(), x;
    factors.solve_rows(x, y);
    out = x.transpose();
  }
  return true;
}
template <class A>
auto transposed(const A& a) {
  if constexpr (has_solid_columns<A>)
    return rows_as_columns<A>{a};
  else
    return a.transpose();
}

// out = from, for fixed sizes.
template <class Dst, class A>
void assign(Dst& out, const A& from) {
  if constexpr (is_solid<Dst> && is_solid<A>)
    std::copy_n(from.data(), A::SizeAtCompileTime, out.data());
  else
    out = from;
}

// out with out·a = b, by elimination.
template <pivoting By, class Dst, class A, class B>
bool eliminate_right(Dst&& out, const A& a, const B& b) {
  using scalar = typename A::Scalar;
  constexpr int size = A::RowsAtCompileTime, count = B::RowsAtCompileTime;
  small_factors<scalar, size, By> factors;
  if constexpr (count == 1) return factors.factorise_and_solve(out, transposed(a), b);
  if (!factors.factorise(transposed(a))) return false;
  if constexpr (count <= 2) {
    for (Eigen::Index i = 0; i < count; ++i) factors.solve(out.row(i), b.row(i));
  } else {
    Eigen::Matrix<scalar, count, size> y, x;
    assign(y, b);
    factors.solve_rows(x, y);
    assign(out, x);
  }
  return true;
}

}  // namespace detail

}  // namespace wf::compute
