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

// A matrix of Eigen's whose columns are consecutive elements, or a row of such a matrix.
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
  // Eigen calls what lies between the elements of a vector its inner stride.
  const Eigen::Index stride =
      M::IsVectorAtCompileTime && M::ColsAtCompileTime != 1 ? m.innerStride() : m.outerStride();
  return {m.data(), m.rows(), m.cols(), stride, true};
}

}  // namespace detail

/// A matrix of the caller's that a run reads where it lies: the elements of a column one after the
/// other, the columns any distance apart. Refers to it.
template <class Real>
class basic_input_matrix {
 public:
  basic_input_matrix() = default;
  /// Any matrix of such numbers of Eigen's that lies in memory so: `MatrixXd`, `VectorXd`, `Map`,
  /// `Ref`, blocks and rows of them.
  template <class M>
    requires detail::matrix_by_columns<M, Real>
  basic_input_matrix(const M& m) : lies_(detail::columns_of<const Real>(m)) {}
  /// A matrix to read, whose columns begin `stride` elements apart.
  basic_input_matrix(const Real* elements, Eigen::Index rows, Eigen::Index columns,
                     Eigen::Index stride)
      : lies_{elements, rows, columns, stride, true} {}

  /// Where it lies.
  const compute::matrix_view<Real>& where() const { return lies_; }

 private:
  compute::matrix_view<Real> lies_;
};

/// A matrix of the caller's that a run writes where it lies; as `input_matrix`.
template <class Real>
class basic_output_matrix {
 public:
  basic_output_matrix() = default;
  /// Any matrix of such numbers of Eigen's that lies in memory so and can be written.
  template <class M>
    requires detail::matrix_by_columns<std::remove_cvref_t<M>, Real> && requires(M& m) {
      { m.data() } -> std::same_as<Real*>;
    }
  basic_output_matrix(M&& m) : lies_(detail::columns_of<Real>(m)) {}
  /// A matrix to write, whose columns begin `stride` elements apart.
  basic_output_matrix(Real* elements, Eigen::Index rows, Eigen::Index columns, Eigen::Index stride)
      : lies_{elements, rows, columns, stride, true} {}

  /// Where it lies.
  const compute::matrix_ref<Real>& where() const { return lies_; }

 private:
  compute::matrix_ref<Real> lies_;
};

/// A matrix of doubles that a run reads.
using input_matrix = basic_input_matrix<double>;
/// A matrix of doubles that a run writes.
using output_matrix = basic_output_matrix<double>;

namespace detail {

// True if two matrices by columns have an element in common. Exact for matrices whose columns lie
// equally far apart, such as parts of one matrix; of others true if one begins inside of the other.
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
  // A single column may be one of any matrix.
  const Eigen::Index stride = a.columns != 1   ? a.stride
                              : b.columns != 1 ? b.stride
                                               : std::max(a.rows, b.rows);
  const bool alike = (b.columns == 1 || b.stride == stride) && std::max(a.rows, b.rows) <= stride;
  if (!alike || apart % sizeof(Real) != 0) return true;
  // The first element of b lies in row `row` of column `column` of what a is a part of.
  const auto distance = static_cast<Eigen::Index>(apart / sizeof(Real));
  const Eigen::Index column = distance / stride, row = distance % stride;
  const bool beside = row < a.rows && column < a.columns;
  const bool wrapped = row + b.rows > stride && column + 1 < a.columns;
  return beside || wrapped;
}

}  // namespace detail

}  // namespace wf
