// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/mirror.hpp>
#include <wf/run/parallel/team.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Copies between row-major and column-major matrices, by blocks that fit a cache.
namespace wf::compute {

namespace detail {

// to = the transpose of a matrix of row stride `from_stride`, with column stride `to_stride`: by
// squares that stay in registers, within blocks whose rows do not evict each other from the cache.
// Rows are prefetched: hardware does not recognise strides that long.
template <class Real>
void transpose_matrix(Real* to, Eigen::Index to_stride, const given<Real>* from,
                      Eigen::Index from_stride, Eigen::Index rows, Eigen::Index columns) {
  constexpr Eigen::Index side = 8, ahead = 4 * side, block = 128;
  using square = Eigen::Matrix<Real, side, side>;
  const auto corner = [&](Eigen::Index i, Eigen::Index j) {
    Real* const into = to + j * to_stride + i;
    const Real* const origin = from + i * from_stride + j;
    for (Eigen::Index r = ahead; r < std::min(ahead + side, rows - i); ++r)
      __builtin_prefetch(origin + r * from_stride);
    if (i + side <= rows && j + side <= columns) {
      Eigen::Map<square, 0, outer_stride>(into, outer_stride(to_stride)) =
          Eigen::Map<const square, 0, outer_stride>(origin, outer_stride(from_stride)).transpose();
      return;
    }
    for (Eigen::Index c = 0; c < std::min(side, columns - j); ++c)
      for (Eigen::Index r = 0; r < std::min(side, rows - i); ++r)
        into[c * to_stride + r] = origin[r * from_stride + c];
  };
  for (Eigen::Index column = 0; column < columns; column += block)
    for (Eigen::Index row = 0; row < rows; row += block)
      for (Eigen::Index j = column; j < std::min(column + block, columns); j += side)
        for (Eigen::Index i = row; i < std::min(row + block, rows); i += side) corner(i, j);
}

}  // namespace detail

namespace detail {

// Number of parts of a pass over all elements of a matrix: those of the current team if it takes
// some 50 µs.
template <class Element>
std::size_t pass_parts(const strided_matrix<Element>& m) {
  return m.rows * m.columns < 1 << 17 ? 1 : team::current().size();
}
// Calls `f(first, count)` for the runs of a matrix, on the current team for large ones.
template <class Element, class F>
void each_runs(const strided_matrix<Element>& m, const F& f) {
  constexpr Eigen::Index step = 64;
  const std::size_t parts = pass_parts(m);
  team::current().each_part(parts, [&](std::size_t part) {
    const Eigen::Index first = part_begin(part, parts, m.runs(), step);
    const Eigen::Index end = part_begin(part + 1, parts, m.runs(), step);
    if (first < end) f(first, end - first);
  });
}
// The matrix of some consecutive runs.
template <class Element>
strided_matrix<Element> runs_of(const strided_matrix<Element>& m, Eigen::Index first,
                                Eigen::Index count) {
  return m.by_columns ? m.block(0, first, m.rows, count) : m.block(first, 0, count, m.columns);
}

}  // namespace detail

/// to = from. Both have the same size, and share no element unless they are the same matrix.
template <class Real>
void copy(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from) {
  if (to.rows == 0 || to.columns == 0) return;
  if (detail::pass_parts(to) > 1)
    return detail::each_runs(to, [&](Eigen::Index first, Eigen::Index count) {
      copy(detail::runs_of(to, first, count), to.by_columns
                                                  ? from.block(0, first, to.rows, count)
                                                  : from.block(first, 0, count, to.columns));
    });
  if (to.by_columns != from.by_columns) {
    // Row-major to column-major, of the transposes if need be.
    const bool rows = !from.by_columns;
    detail::transpose_matrix(to.elements, to.stride, from.elements, from.stride,
                             rows ? from.rows : from.columns, rows ? from.columns : from.rows);
    return;
  }
  if (to.elements == from.elements) return;
  if (to.stride == to.run_length() && from.stride == to.run_length()) {
    std::copy_n(from.elements, to.rows * to.columns, to.elements);
    return;
  }
  for (Eigen::Index r = 0; r < to.runs(); ++r) std::copy_n(from.run(r), to.run_length(), to.run(r));
}

/// to = from in the lower triangle of square matrices; `to` is column-major. Its elements above the
/// diagonal are unspecified.
template <class Real>
void copy_lower(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from) {
  if (!from.by_columns || to.elements == from.elements) return copy(to, from);
  for (Eigen::Index j = 0; j < to.columns; ++j)
    std::copy(from.run(j) + j, from.run(j) + to.rows, to.run(j) + j);
}

/// Sets every element to `value`.
template <class Real>
void fill(const matrix_ref<Real>& m, given<Real> value) {
  detail::each_runs(m, [&](Eigen::Index first, Eigen::Index count) {
    for (Eigen::Index r = first; r < first + count; ++r)
      std::fill_n(m.run(r), m.run_length(), value);
  });
}

/// Copies the lower triangle to the upper one, by blocks that fit a cache together.
template <class Real>
void mirror_lower(const matrix_ref<Real>& m) {
  const std::size_t parts = detail::pass_parts(m);
  team::current().each_part(parts, [&](std::size_t part) {
    detail::mirror_triangle(
        m, m.rows,
        [&](Eigen::Index i, Eigen::Index j, Eigen::Index rows, Eigen::Index columns) {
          copy(m.block(j, i, columns, rows), m.block(i, j, rows, columns).transposed());
        },
        static_cast<Eigen::Index>(part), static_cast<Eigen::Index>(parts));
  });
}

}  // namespace wf::compute
