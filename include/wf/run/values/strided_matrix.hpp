// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace wf::compute {

/// A view of a matrix in memory, row-major or column-major, with any leading dimension.
template <class Element>
struct strided_matrix {
  Element* elements = nullptr;  ///< element (0, 0); not owned
  Eigen::Index rows = 0;        ///< number of rows
  Eigen::Index columns = 0;     ///< number of columns
  /// Leading dimension: elements between the starts of consecutive rows, or columns if
  /// `by_columns`.
  Eigen::Index stride = 0;
  /// True if column-major: the elements of a column are consecutive; else row-major.
  bool by_columns = false;

  /// The transpose, in the same storage.
  strided_matrix transposed() const { return {elements, columns, rows, stride, !by_columns}; }
  /// Elements from (i, j) to (i + 1, j).
  Eigen::Index row_step() const { return by_columns ? 1 : stride; }
  /// Elements from (i, j) to (i, j + 1).
  Eigen::Index column_step() const { return by_columns ? stride : 1; }
  /// Element at row i and column j; unchecked.
  Element& operator()(Eigen::Index i, Eigen::Index j) const {
    return elements[i * row_step() + j * column_step()];
  }
  /// The m x n block that begins at (i, j).
  strided_matrix block(Eigen::Index i, Eigen::Index j, Eigen::Index m, Eigen::Index n) const {
    if (m == 0 || n == 0) return {elements, m, n, stride, by_columns};
    return {elements + i * row_step() + j * column_step(), m, n, stride, by_columns};
  }
  /// Number of runs of consecutive elements: columns if `by_columns`, else rows.
  Eigen::Index runs() const { return by_columns ? columns : rows; }
  /// Elements in a run: the size of a column if `by_columns`, else of a row.
  Eigen::Index run_length() const { return by_columns ? rows : columns; }
  /// First element of run number `at`.
  Element* run(Eigen::Index at) const { return elements + at * stride; }
  /// A read-only view of the same matrix.
  operator strided_matrix<const Element>() const
    requires(!std::is_const_v<Element>)
  {
    return {elements, rows, columns, stride, by_columns};
  }
};

/// Read-only view of a matrix.
template <class Real>
using matrix_view = strided_matrix<const Real>;
/// Writable view of a matrix.
template <class Real>
using matrix_ref = strided_matrix<Real>;
/// A non-deduced parameter type, since other parameters determine it: writable views convert to it.
template <class T>
using given = std::type_identity_t<T>;

/// A column-major matrix without gaps between its columns.
template <class Element>
strided_matrix<Element> columns_at(Element* elements, Eigen::Index rows, Eigen::Index columns) {
  return {elements, rows, columns, rows, true};
}
/// A row-major matrix without gaps between its rows.
template <class Element>
strided_matrix<Element> rows_at(Element* elements, Eigen::Index rows, Eigen::Index columns) {
  return {elements, rows, columns, columns, false};
}

}  // namespace wf::compute
