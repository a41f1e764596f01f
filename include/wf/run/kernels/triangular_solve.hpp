// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/product_choice.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Solutions with a triangle for right-hand sides in either storage order, and its inverse.
namespace wf::compute {

namespace detail {

template <unsigned Mode, class Real>
void solve_triangular(const auto& t, const matrix_ref<Real>& x) {
  const auto triangular = t.template triangularView<Mode>();
  if (x.columns == 1 && x.row_step() == 1) {
    vector_map<Real> column(x.elements, x.rows);
    triangular.solveInPlace(column);
    return;
  }
  with_map(x, [&](auto right) { triangular.solveInPlace(right); });
}

}  // namespace detail

/// Elements of scratch storage with which triangular solves of n rows and `columns` right-hand
/// sides, and smaller ones, are fastest; sufficient for products of such matrices, too.
template <class Real>
std::int64_t solve_scratch(std::int64_t n, std::int64_t columns) {
  if (n < min_substitution || !detail::multiplies_here<Real>) return 0;
  return std::max(substitution_scratch<Real>(n), product_scratch<Real>(n, std::max(n, columns), n));
}

namespace detail {

// True if the right-hand sides fill half a tile; fewer are solved faster one by one.
template <class Real>
bool fill_half_a_tile(Eigen::Index right_sides) {
  return 2 * right_sides >= tile_rows<Real>;
}
// Rows of the triangles solved as a whole: their packed form is used once per tile of right-hand
// sides, while products read column-major matrices in place.
template <class Real>
Eigen::Index substitution_leaf(const matrix_view<Real>& t, Eigen::Index right_sides) {
  if (right_sides == 1) return t.rows;
  if (t.by_columns) return right_sides < 128 ? 64 : max_substitution;
  return fill_half_a_tile<Real>(right_sides) && right_sides < 128 ? 128 : max_substitution;
}

}  // namespace detail

/// x = T⁻¹·x for the triangle T of a matrix, whose diagonal must have no zero. Scratch storage:
/// `solve_scratch` elements, or null: then as `add_product` without any.
template <class Real>
void solve_triangle(triangle kind, const given<matrix_view<Real>>& t, const matrix_ref<Real>& x,
                    given<Real>* scratch = nullptr) {
  const Eigen::Index n = t.rows;
  if (n == 0 || x.columns == 0) return;
  const bool packs = detail::may_pack(scratch);
  if (packs && n > detail::substitution_leaf(t, x.columns)) {
    const Eigen::Index half = (n / 2 + 31) / 32 * 32;
    const matrix_ref<Real> top = x.block(0, 0, half, x.columns);
    const matrix_ref<Real> bottom = x.block(half, 0, n - half, x.columns);
    const bool upper = is_upper(kind);
    const auto solve_top = [&] { solve_triangle(kind, t.block(0, 0, half, half), top, scratch); };
    if (!upper) {
      solve_top();
      add_product(bottom, -1, t.block(half, 0, n - half, half), top, scratch);
    }
    solve_triangle(kind, t.block(half, half, n - half, n - half), bottom, scratch);
    if (upper) {
      add_product(top, -1, t.block(0, half, half, n - half), bottom, scratch);
      solve_top();
    }
    return;
  }
  if (packs && n >= min_substitution && detail::fill_half_a_tile<Real>(x.columns))
    return substitution<Real>(kind, n, detail::only(t), scratch).run(detail::only(x), x.columns);
  detail::with_map(t, [&](const auto& m) {
    if (kind == triangle::unit_lower)
      detail::solve_triangular<Eigen::UnitLower>(m, x);
    else if (kind == triangle::unit_upper)
      detail::solve_triangular<Eigen::UnitUpper>(m, x);
    else if (kind == triangle::lower)
      detail::solve_triangular<Eigen::Lower>(m, x);
    else
      detail::solve_triangular<Eigen::Upper>(m, x);
  });
}

/// out = T⁻¹ for the triangle T of a matrix, whose diagonal must have no zero. Solves for columns
/// of the identity, each from its first nonzero row. Scratch storage: `solve_scratch` elements for
/// the extents of T, or null.
template <class Real>
void invert_triangle(const matrix_ref<Real>& out, triangle kind, const given<matrix_view<Real>>& t,
                     given<Real>* scratch = nullptr) {
  fill(out, 0);
  for (Eigen::Index i = 0; i < out.rows; ++i) out(i, i) = 1;
  const Eigen::Index size = out.rows;
  const bool lower = !is_upper(kind);
  if (detail::may_pack(scratch) && size >= min_substitution && size <= max_substitution)
    return substitution<Real>(kind, size, detail::only(t), scratch).run_triangle(detail::only(out));
  const Eigen::Index side = detail::may_pack(scratch) ? 192 : 64;
  for (Eigen::Index j = 0; j < size; j += side) {
    const Eigen::Index columns = std::min(side, size - j);
    const Eigen::Index first = lower ? j : 0, rows = lower ? size - j : j + columns;
    solve_triangle(kind, t.block(first, first, rows, rows), out.block(first, j, rows, columns),
                   scratch);
  }
}

}  // namespace wf::compute
