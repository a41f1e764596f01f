// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Permutations of rows, as exchanges in order (those of pivoting) or as the place that each row
// comes from.
namespace wf::compute {

namespace detail {

// Exchanges row k with row rows[k], for k in [0, count), or in reverse order.
template <bool Backwards, class Real>
void exchange_rows(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  const auto kth = [&](Eigen::Index k) { return Backwards ? count - 1 - k : k; };
  if (!m.by_columns) {
    for (Eigen::Index k = 0; k < count; ++k) {
      const Eigen::Index row = kth(k), other = index_of(rows[row]);
      if (other != row) std::swap_ranges(m.run(row), m.run(row) + m.columns, m.run(other));
    }
    return;
  }
  constexpr Eigen::Index few = 16;
  for (Eigen::Index first = 0; first < count; first += few) {
    Eigen::Index other[few];
    const Eigen::Index last = std::min(few, count - first);
    for (Eigen::Index k = 0; k < last; ++k) other[k] = index_of(rows[kth(first + k)]);
    for (Eigen::Index j = 0; j < m.columns; ++j) {
      Real* const column = m.run(j);
      for (Eigen::Index k = 0; k < last; ++k) std::swap(column[kth(first + k)], column[other[k]]);
    }
  }
}

}  // namespace detail

/// Exchanges row k with row rows[k], for k from 0 to count - 1 in order.
template <class Real>
void exchange_rows(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  detail::exchange_rows<false>(m, rows, count);
}
/// Applies the exchanges of `exchange_rows` in reverse order, which undoes them.
template <class Real>
void undo_exchanges(const matrix_ref<Real>& m, const given<Real>* rows, Eigen::Index count) {
  detail::exchange_rows<true>(m, rows, count);
}

/// Copies row place[i] of `from` to row i of `to`. They share no element.
template <class Real>
void copy_rows(const matrix_ref<Real>& to, const given<matrix_view<Real>>& from,
               const given<Real>* place) {
  if (!to.by_columns) {
    for (Eigen::Index i = 0; i < to.rows; ++i)
      copy(to.block(i, 0, 1, to.columns), from.block(index_of(place[i]), 0, 1, to.columns));
    return;
  }
  if (to.rows == 0) return;
  const Eigen::Index down = from.row_step(), right = from.column_step();
  Eigen::Index j = 0;
  const auto copy_columns = [&]<Eigen::Index Few>(std::integral_constant<Eigen::Index, Few>) {
    for (; j + Few <= to.columns; j += Few) {
      Real* const column = to.run(j);
      const Real* const origin = from.elements + j * right;
      for (Eigen::Index i = 0; i < to.rows; ++i) {
        const Real* const row = origin + index_of(place[i]) * down;
        for (Eigen::Index c = 0; c < Few; ++c) column[c * to.stride + i] = row[c * right];
      }
    }
  };
  // Looks up each place once for several columns: a cache line of a row-major matrix.
  if (!from.by_columns) copy_columns(std::integral_constant<Eigen::Index, 8>());
  copy_columns(std::integral_constant<Eigen::Index, 4>());
  copy_columns(std::integral_constant<Eigen::Index, 1>());
}

/// The permutation of the exchanges of row k and row rows[k], in order: row i was row place[i].
template <class Scalar>
void follow_exchanges(Scalar* place, const Scalar* rows, Eigen::Index count) {
  for (Eigen::Index k = 0; k < count; ++k) place[k] = as_element<Scalar>(k);
  for (Eigen::Index k = 0; k < count; ++k) std::swap(place[k], place[index_of(rows[k])]);
}

/// The unique exchanges of row k and row rows[k] >= k, in order, that produce the permutation
/// `place`: `undo_exchanges` with them moves row k back to row place[k]. False if `place` is no
/// permutation of 0 to n - 1. Scratch storage: 2·n elements. O(n).
template <class Real>
bool find_exchanges(Real* rows, const given<Real>* place, Eigen::Index n, given<Real>* scratch) {
  Real *const at = scratch, *const is = scratch + n;  // position of a row, row at a position
  for (Eigen::Index i = 0; i < n; ++i) at[i] = is[i] = as_element<Real>(i);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index row = position_of(place[k], n);
    if (row < 0) return false;
    const Real other = at[row];
    if (index_of(other) < k) return false;  // a row that has its place already
    const Real moved = is[k];
    rows[k] = other;
    is[index_of(other)] = moved;
    at[index_of(moved)] = other;
    at[row] = as_element<Real>(k);
  }
  return true;
}

}  // namespace wf::compute
