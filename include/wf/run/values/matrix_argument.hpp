// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/values/strided_matrix.hpp>

namespace wf {

namespace detail {

// An Eigen matrix whose columns are consecutive elements, or a row of such a matrix.
template <class M, class Real>
concept matrix_by_columns =
    std::same_as<typename M::Scalar, Real> &&
    requires(const M& m) {
      { m.data() } -> std::convertible_to<const Real*>;
      m.innerStride(), m.outerStride();
    } &&
    (M::IsVectorAtCompileTime ? M::ColsAtCompileTime != 1 || M::InnerStrideAtCompileTime == 1
                              : !M::IsRowMajor && M::InnerStrideAtCompileTime == 1);

template <class Element, class M>
compute::strided_matrix<Element> columns_of(M& m) {
  // The distance between the elements of an Eigen vector is its inner stride.
  const Eigen::Index stride =
      M::IsVectorAtCompileTime && M::ColsAtCompileTime != 1 ? m.innerStride() : m.outerStride();
  return {m.data(), m.rows(), m.cols(), stride, true};
}

}  // namespace detail

/// A matrix of the caller that a run reads in place: column-major, with any leading dimension.
/// Holds a pointer; the matrix must outlive it.
template <class Real>
class basic_input_matrix {
 public:
  basic_input_matrix() = default;
  /// Any Eigen matrix of this scalar type and layout: `MatrixXd`, `VectorXd`, `Map`, `Ref`, blocks
  /// and rows of them.
  template <class M>
    requires detail::matrix_by_columns<M, Real>
  basic_input_matrix(const M& m) : lies_(detail::columns_of<const Real>(m)) {}
  /// A column-major matrix whose columns begin `stride` elements apart.
  basic_input_matrix(const Real* elements, Eigen::Index rows, Eigen::Index columns,
                     Eigen::Index stride)
      : lies_{elements, rows, columns, stride, true} {}

  /// Address, size and leading dimension, in elements.
  const compute::matrix_view<Real>& where() const { return lies_; }

 private:
  compute::matrix_view<Real> lies_;
};

/// A matrix of the caller that a run writes in place; layout as in `input_matrix`.
template <class Real>
class basic_output_matrix {
 public:
  basic_output_matrix() = default;
  /// Any writable Eigen matrix of this scalar type and layout.
  template <class M>
    requires detail::matrix_by_columns<std::remove_cvref_t<M>, Real> && requires(M& m) {
      { m.data() } -> std::same_as<Real*>;
    }
  basic_output_matrix(M&& m) : lies_(detail::columns_of<Real>(m)) {}
  /// A writable column-major matrix whose columns begin `stride` elements apart.
  basic_output_matrix(Real* elements, Eigen::Index rows, Eigen::Index columns, Eigen::Index stride)
      : lies_{elements, rows, columns, stride, true} {}

  /// Address, size and leading dimension, in elements; writable.
  const compute::matrix_ref<Real>& where() const { return lies_; }

 private:
  compute::matrix_ref<Real> lies_;
};

/// Matrix of doubles that a run reads in place.
using input_matrix = basic_input_matrix<double>;
/// Matrix of doubles that a run writes in place.
using output_matrix = basic_output_matrix<double>;

namespace detail {

// True if two column-major matrices share an element. Exact if their strides are equal, as for
// blocks of one matrix; otherwise true if one begins inside the other.
template <class Real>
bool overlap(const compute::matrix_view<Real>& a,
             const compute::given<compute::matrix_view<Real>>& b) {
  if (a.rows * a.columns == 0 || b.rows * b.columns == 0) return false;
  const auto address = [](const Real* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const auto bytes = [](const compute::matrix_view<Real>& m) {
    return static_cast<std::uintptr_t>((m.columns - 1) * m.stride + m.rows) * sizeof(Real);
  };
  if (address(b.elements) < address(a.elements)) return overlap(b, a);
  const std::uintptr_t apart = address(b.elements) - address(a.elements);
  if (apart >= bytes(a)) return false;
  // A single column fits any stride.
  const Eigen::Index stride = a.columns != 1   ? a.stride
                              : b.columns != 1 ? b.stride
                                               : std::max(a.rows, b.rows);
  const bool alike = (b.columns == 1 || b.stride == stride) && std::max(a.rows, b.rows) <= stride;
  if (!alike || apart % sizeof(Real) != 0) return true;
  // b begins at (row, column) of the matrix that a is a block of.
  const auto distance = static_cast<Eigen::Index>(apart / sizeof(Real));
  const Eigen::Index column = distance / stride, row = distance % stride;
  const bool beside = row < a.rows && column < a.columns;
  const bool wrapped = row + b.rows > stride && column + 1 < a.columns;
  return beside || wrapped;
}

}  // namespace detail

}  // namespace wf
