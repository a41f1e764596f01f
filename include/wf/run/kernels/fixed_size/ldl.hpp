// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>

#include <Eigen/Core>

#include <wf/run/kernels/bunch_kaufman.hpp>
#include <wf/run/kernels/fixed_size/factors.hpp>
#include <wf/run/kernels/fixed_size/storage.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

/// out = the factors P·A·P' = L·D·L' of a symmetric a in one matrix: L below the diagonal, D on the
/// diagonal and right of it; rows(i) is the row of a that became row i. False if a is singular to
/// rounding.
template <class Dst, class Rows, class A>
bool ldl_factor(Dst&& out, Rows&& rows, const A& a) {
  using scalar = typename A::Scalar;
  using index = typename std::remove_cvref_t<Rows>::Scalar;
  using square = Eigen::Matrix<scalar, A::RowsAtCompileTime, A::RowsAtCompileTime>;
  using column = Eigen::Matrix<scalar, A::RowsAtCompileTime, 1>;
  const Eigen::Index n = a.rows();
  if (n == 0) return true;
  auto of = detail::scratch<square, 0>(n, n), times = detail::scratch<square, 1>(n, n);
  column exchanges(n), place(n), magnitudes(n), diagonal(n), beside(n);
  of = a;
  const auto f = columns_at(of.data(), n, n), w = columns_at(times.data(), n, n);
  const symmetric_parts<scalar> parts{exchanges.data(), place.data(), magnitudes.data(),
                                      diagonal.data(), beside.data()};
  // `diagonal` is free until the factors are made.
  if (!factorise_regular_symmetric(f, parts, [&](const auto& all, scalar* rows_exchanged) {
        detail::symmetric_panel<scalar>(all, w, rows_exchanged, diagonal.data()).run(n);
      }))
    return false;
  // Copies whole columns, then clears: with elementwise selection, g++ 12.2 with -O3 and AVX-512
  // read wrong elements in some callers.
  out = of;
  for (Eigen::Index j = 2; j < n; ++j) out.col(j).head(j - 1).setZero();
  for (Eigen::Index j = 0; j < n; ++j) rows(j) = static_cast<index>(place(j));
  return true;
}

/// out with a·out = b, from the output of `ldl_factor`; false if `rows` is no permutation or D is
/// singular.
template <class Dst, class F, class Rows, class B>
bool solve_ldl(Dst&& out, const F& f, const Rows& rows, const B& b) {
  using scalar = typename F::Scalar;
  using plain = typename std::remove_cvref_t<Dst>::PlainObject;
  if (!detail::is_permutation(rows)) return false;
  Eigen::Matrix<scalar, F::RowsAtCompileTime, 1> diagonal(f.rows()), beside(f.rows());
  if (!invert_blocks(f, f.rows(), diagonal.data(), beside.data())) return false;
  auto x = detail::scratch<plain, 0>(out.rows(), out.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i) x.row(i) = b.row(rows(i));
  f.template triangularView<Eigen::UnitLower>().solveInPlace(x);
  multiply_blocks(
      strided_matrix<scalar>{x.data(), x.rows(), x.cols(), x.outerStride(), !plain::IsRowMajor},
      diagonal.data(), beside.data());
  f.transpose().template triangularView<Eigen::UnitUpper>().solveInPlace(x);
  for (Eigen::Index i = 0; i < out.rows(); ++i) out.row(rows(i)) = x.row(i);
  return true;
}

}  // namespace wf::compute
