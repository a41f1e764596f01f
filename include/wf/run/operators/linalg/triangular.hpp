// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/ir/type/properties.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/triangular_product.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/product.hpp>
#include <wf/run/operators/linalg/singularity.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Products and solutions with a triangular matrix, and its inverse.
namespace wf::compute {

namespace detail {

// True if all elements above the diagonal are zero.
template <class Real>
bool is_lower_triangular(const matrix_view<Real>& m) {
  for (Eigen::Index r = 0; r < m.runs(); ++r) {
    const Real* const run = m.run(r);
    const Eigen::Index first = m.by_columns ? 0 : std::min(r + 1, m.columns);
    const Eigen::Index last = m.by_columns ? std::min(r, m.rows) : m.columns;
    if (std::any_of(run + first, run + last, [](Real x) { return x != Real(0); })) return false;
  }
  return true;
}
// Calls `compute(kind, m)` for the triangle of the first operand that holds all elements: the
// declared one, else the one whose complement is zero.
template <class Real, class Compute>
text on_triangle(const application<Real>& a, Compute compute) {
  const properties known = a.graph()[a.graph().inputs_of(a.node())[0]].type.known;
  const matrix_view<Real> m = matrix(a.in(0));
  bool lower = known.has(lower_triangular), upper = known.has(upper_triangular);
  if (!lower && !upper) lower = is_lower_triangular(m);
  if (!lower && !upper) upper = is_lower_triangular(m.transposed());
  if (!lower && !upper) return "the matrix is not triangular";
  return compute(lower ? triangle::lower : triangle::upper, m);
}

template <class Real>
text matmul_half(const application<Real>& a) {
  multiply_triangle(matrix(a.out()), triangle::lower, matrix(a.in(0)), matrix(a.in(1)), a.scratch(),
                    Real(0.5));
  return {};
}
template <class Real>
std::int64_t half_scratch(const graph_view& g, const node& n) {
  const shape& out = g[graph_view::output_of(n)].type.shape;
  return multiply_triangle_scratch<Real>(out[0].size(), out[1].size());
}
template <class Routines = own_routines, class Real>
text matmul_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    Routines::template multiply_triangle<Real>(matrix(a.out()), kind, m, matrix(a.in(1)),
                                               product_storage(a));
    return {};
  });
}
template <class Real>
std::int64_t matmul_triangular_scratch(const graph_view& g, const node& n) {
  return exact_sums_scratch(g, n) + half_scratch<Real>(g, n);
}

// Scratch storage for products of the triangle with parts of the result; one column has none.
template <class Real>
std::int64_t triangle_scratch(const graph_view& g, const node& n) {
  const shape& out = g[graph_view::output_of(n)].type.shape;
  const std::int64_t columns = out.rank == 2 ? out[1].size() : 1;
  return columns == 1 ? 0 : solve_scratch<Real>(out[0].size(), columns);
}
template <class Routines = own_routines, class Real>
text solve_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    if (has_zero_on_diagonal(m)) return is_singular;
    copy(matrix(a.out()), matrix(a.in(1)));
    Routines::template solve_triangle<Real>(kind, m, matrix(a.out()), a.scratch());
    return {};
  });
}
template <class Real>
text inverse_triangular(const application<Real>& a) {
  return on_triangle(a, [&](triangle kind, const matrix_view<Real>& m) -> text {
    if (has_zero_on_diagonal(m)) return is_singular;
    invert_triangle(matrix(a.out()), kind, m, a.scratch());
    return {};
  });
}

}  // namespace detail

}  // namespace wf::compute
