// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/substitution.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Products with a triangle, which skip its zeros.
namespace wf::compute {

namespace detail {

inline constexpr Eigen::Index triangle_leaf = 48;  // rows below which no products are saved

}  // namespace detail

/// Elements of scratch storage that `multiply_triangle` needs for `columns` columns of n elements.
template <class Real>
std::int64_t multiply_triangle_scratch(std::int64_t n, std::int64_t columns) {
  const std::int64_t leaf = std::min<std::int64_t>(n, detail::triangle_leaf);
  const std::int64_t halves = detail::product_parts(n, columns, n / 2) > 1 ? 2 : 1;
  return halves * leaf * leaf + product_scratch<Real>(n, columns, n);
}

/// out = T·b for the triangle T, not a unit one, of a matrix, with its diagonal scaled by
/// `diagonal`. Recursive by halves; small triangles are multiplied as full matrices, from a copy
/// with zeros. `out` shares no element with `b`. The current team shares the two halves of a large
/// triangle, and then its square. Scratch storage: `multiply_triangle_scratch` elements.
template <class Real>
void multiply_triangle(const matrix_ref<Real>& out, triangle kind,
                       const given<matrix_view<Real>>& t, const given<matrix_view<Real>>& b,
                       given<Real>* scratch, given<Real> diagonal = 1) {
  const Eigen::Index n = t.rows, m = b.columns;
  const bool lower = !is_upper(kind);
  if (n <= detail::triangle_leaf) {
    const matrix_ref<Real> whole{scratch, n, n, n, t.by_columns};
    const bool begins = lower != t.by_columns;  // a run begins in the triangle, or ends there
    for (Eigen::Index j = 0; j < n; ++j) {
      const Eigen::Index first = begins ? 0 : j, last = begins ? j + 1 : n;
      Real* const run = whole.run(j);
      std::fill_n(run, first, Real(0));
      std::copy(t.run(j) + first, t.run(j) + last, run + first);
      std::fill_n(run + last, n - last, Real(0));
      run[j] *= diagonal;
    }
    return multiply(out, whole, b, scratch + n * n);
  }
  constexpr Eigen::Index leaf = detail::triangle_leaf * detail::triangle_leaf;
  const std::size_t parts = detail::product_parts(n, m, n / 2);
  Real* const rest = scratch + (parts > 1 ? 2 : 1) * leaf;
  const Eigen::Index half = (n / 2 + 16) / 32 * 32;
  const matrix_ref<Real> top = out.block(0, 0, half, m), bottom = out.block(half, 0, n - half, m);
  const matrix_view<Real> first = b.block(0, 0, half, m), last = b.block(half, 0, n - half, m);
  // Each half has scratch storage of its own if they are shared.
  const Eigen::Index own =
      parts > 1 ? leaf + product_scratch<Real>(n, m, n) / static_cast<Eigen::Index>(parts) : 0;
  const auto multiply_half = [&](std::size_t i) {
    if (i == 0)
      multiply_triangle(top, kind, t.block(0, 0, half, half), first, scratch, diagonal);
    else
      multiply_triangle(bottom, kind, t.block(half, half, n - half, n - half), last, scratch + own,
                        diagonal);
  };
  if (parts > 1) {
    team::current().each_part(2, multiply_half);
  } else {
    multiply_half(0);
    multiply_half(1);
  }
  if (lower)
    add_product(bottom, 1, t.block(half, 0, n - half, half), first, rest);
  else
    add_product(top, 1, t.block(0, half, half, n - half), last, rest);
}

/// The lower triangle of out = T'·b, known to be symmetric, for the lower triangle T of a matrix,
/// such as b = T: skips the zeros of T by blocks. Above its diagonal `t` must hold zeros; `out`
/// shares no element with the operands. The current team shares the blocks of a large triangle.
/// Scratch storage: as for `add_product`, for products of the extents of T.
template <class Real>
void multiply_transposed_lower(const matrix_ref<Real>& out, const given<matrix_view<Real>>& t,
                               const given<matrix_view<Real>>& b, given<Real>* scratch = nullptr) {
  constexpr Eigen::Index side = 64;
  const Eigen::Index n = t.rows;
  const std::size_t parts = scratch == nullptr ? 1 : detail::product_parts(n, n, n / 3);
  const Eigen::Index own =
      scratch == nullptr ? 0 : product_scratch<Real>(n, n, n) / static_cast<Eigen::Index>(parts);
  // Blocks in the middle are the largest: each part has some of all kinds.
  team::current().each_part(parts, [&](std::size_t part) {
    const auto number = static_cast<Eigen::Index>(part);
    for (Eigen::Index i = number * side; i < n; i += static_cast<Eigen::Index>(parts) * side) {
      const Eigen::Index rows = std::min(side, n - i), depth = n - i;
      multiply(out.block(i, 0, rows, i + rows), t.block(i, i, depth, rows).transposed(),
               b.block(i, 0, depth, i + rows),
               scratch == nullptr ? nullptr : scratch + number * own);
    }
  });
}

}  // namespace wf::compute
