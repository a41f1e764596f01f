// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <Eigen/Core>

#include <wf/run/values/strided_matrix.hpp>

// Strided matrices and vectors as maps of Eigen.
namespace wf::compute {

namespace detail {

template <class Real>
using row_major = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using outer_stride = Eigen::OuterStride<>;
template <class Real>
using column_vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
template <class Real>
using vector_map = Eigen::Map<column_vector<Real>>;
template <class Real>
using const_vector_map = Eigen::Map<const column_vector<Real>>;

template <class Element>
using by_columns = Eigen::Matrix<std::remove_const_t<Element>, Eigen::Dynamic, Eigen::Dynamic>;

template <class Element, class Matrix>
using map_of =
    Eigen::Map<std::conditional_t<std::is_const_v<Element>, const Matrix, Matrix>, 0, outer_stride>;

// A column-major matrix as an Eigen map.
template <class Element>
map_of<Element, by_columns<Element>> columns_of(const strided_matrix<Element>& m) {
  return {m.elements, m.rows, m.columns, outer_stride(m.stride)};
}
// Calls use(m) with the matrix as an Eigen map, in its storage order.
template <class Element, class Use>
void with_map(const strided_matrix<Element>& m, Use use) {
  if (m.by_columns)
    use(columns_of(m));
  else
    use(map_of<Element, row_major<std::remove_const_t<Element>>>(m.elements, m.rows, m.columns,
                                                                 outer_stride(m.stride)));
}

}  // namespace detail

}  // namespace wf::compute
