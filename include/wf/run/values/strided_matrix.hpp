// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

namespace wf::compute {

/// A matrix somewhere in memory, by rows or by columns.
template <class Element>
struct strided_matrix {
  Element* elements = nullptr;  ///< the first one
  Eigen::Index rows = 0;        ///< how many rows
  Eigen::Index columns = 0;     ///< how many columns
  /// From the beginning of a row to that of the next one; of a column if it lies by columns.
  Eigen::Index stride = 0;
  /// True if the elements of a column lie one after the other, else those of a row.
  bool by_columns = false;

  /// The transposed, in the same storage.
  strided_matrix transposed() const { return {elements, columns, rows, stride, !by_columns}; }
  /// From an element to the one below it.
  Eigen::Index row_step() const { return by_columns ? 1 : stride; }
  /// From an element to the one right of it.
  Eigen::Index column_step() const { return by_columns ? stride : 1; }
  /// An element.
  Element& operator()(Eigen::Index i, Eigen::Index j) const {
    return elements[i * row_step() + j * column_step()];
  }
  /// The part of `m` rows and `n` columns from element (i, j) on.
  strided_matrix block(Eigen::Index i, Eigen::Index j, Eigen::Index m, Eigen::Index n) const {
    if (m == 0 || n == 0) return {elements, m, n, stride, by_columns};
    return {elements + i * row_step() + j * column_step(), m, n, stride, by_columns};
  }
  /// How many runs of consecutive elements it has: its columns, or its rows.
  Eigen::Index runs() const { return by_columns ? columns : rows; }
  /// How many elements lie together: rows, or columns.
  Eigen::Index run_length() const { return by_columns ? rows : columns; }
  /// The first element of run number `at`.
  Element* run(Eigen::Index at) const { return elements + at * stride; }
  /// The same matrix to read.
  operator strided_matrix<const Element>() const
    requires(!std::is_const_v<Element>)
  {
    return {elements, rows, columns, stride, by_columns};
  }
};

/// A matrix to read.
template <class Real>
using matrix_view = strided_matrix<const Real>;
/// A matrix to write.
template <class Real>
using matrix_ref = strided_matrix<Real>;
/// A type that is not deduced, since it follows from other parameters of a function: views of what
/// can be written convert to it.
template <class T>
using given = std::type_identity_t<T>;

/// A matrix that fills its storage by columns.
template <class Element>
strided_matrix<Element> columns_at(Element* elements, Eigen::Index rows, Eigen::Index columns) {
  return {elements, rows, columns, rows, true};
}
/// A matrix that fills its storage by rows.
template <class Element>
strided_matrix<Element> rows_at(Element* elements, Eigen::Index rows, Eigen::Index columns) {
  return {elements, rows, columns, columns, false};
}

}  // namespace wf::compute
