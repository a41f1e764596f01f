// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/householder.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/pivot.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/factors.hpp>

// QR factors and least squares, by reflections.
namespace wf::compute {

namespace detail {

inline text_view qr_fault(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  return s[0].size() < s[1].size() ? "the matrix has more columns than rows" : "";
}
template <class Real>
std::int64_t qr_scratch(const graph_view& g, const node& n) {
  const shape& s = g[g.inputs_of(n)[0]].type.shape;
  const std::int64_t rows = s[0].size(), columns = s[1].size();
  return rows * columns + reflections<Real>::scratch(rows, columns, columns);
}
template <class Real>
text qr(const application<Real>& a) {
  const Eigen::Index rows = a.in().extent(0), columns = a.in().extent(1);
  const matrix_ref<Real> m = columns_at(a.scratch(), rows, columns), r = matrix(a.out(1));
  copy(m, matrix(a.in()));
  const reflections<Real> made(m, columns, columns, a.scratch() + rows * columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    std::copy_n(m.run(j), j + 1, r.run(j));
    std::fill_n(r.run(j) + j + 1, columns - j - 1, Real(0));
  }
  made.orthogonal_factor(matrix(a.out(0)));
  return {};
}

// Scratch storage for the matrix and the right-hand sides side by side: reflections apply to both.
template <class Real>
std::int64_t least_squares_scratch(const graph_view& g, const node& n) {
  const shape &s = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  const std::int64_t rows = s[0].size(), columns = s[1].size();
  const std::int64_t sides = b.rank == 2 ? b[1].size() : 1, all = columns + sides;
  return factors<Real>::stride_of(rows) * all + columns +
         std::max(reflections<Real>::scratch(rows, columns, all),
                  solve_scratch<Real>(columns, sides));
}
template <class Real>
text least_squares(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in(0)), b = matrix(a.in(1));
  const matrix_ref<Real> both{a.scratch(), m.rows, m.columns + b.columns,
                              factors<Real>::stride_of(m.rows), true};
  const matrix_ref<Real> left = both.block(0, 0, m.rows, m.columns);
  copy(left, m);
  copy(both.block(0, m.columns, m.rows, b.columns), b);
  Real* const magnitudes = both.elements + both.stride * both.columns;
  Real* const rest = magnitudes + m.columns;
  for (Eigen::Index j = 0; j < m.columns; ++j)
    magnitudes[j] = const_vector_map<Real>(left.run(j), m.rows).cwiseAbs().maxCoeff();
  reflections<Real>(both, m.columns, both.columns, rest);
  for (Eigen::Index j = 0; j < m.columns; ++j)
    if (!is_pivot(std::abs(left(j, j)), real_part(magnitudes[j]), m.rows))
      return "the matrix is not of full rank";
  const matrix_ref<Real> x = both.block(0, m.columns, m.columns, b.columns);
  solve_triangle(triangle::upper, left.block(0, 0, m.columns, m.columns), x, rest);
  copy(matrix(a.out()), x);
  return {};
}

// Table row of least squares.
template <class Real>
constexpr operator_implementation<Real> least(text_view name) {
  using enum storage_order;
  return operator_implementation<Real>{name, &least_squares<Real>, &qr_fault,
                                       &least_squares_scratch<Real>}
      .in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
