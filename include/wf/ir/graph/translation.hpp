// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <utility>

#include <wf/ir/graph/node.hpp>

namespace wf {

/// Describes one value of a workflow by a C++ type: `element`, the element type, and `extents`, the
/// shape, with the extent -1 for sizes known only at run time. For objects also `extent_of(object,
/// dimension)` and `element_of(object, i)`, element `i` in row-major order.
///
/// Supported are element types (see `dtype_of`); arrays, `std::array`, `std::span` and
/// `std::vector` of supported types; and Eigen matrices, where one column makes a vector.
/// Specialise it for your own containers. A tuple is several values: see `is_tuple`.
template <class T>
struct translation {
  using element = T;                 ///< the element type
  static constexpr shape extents{};  ///< the shape; rank 0, a scalar
  static constexpr std::int64_t extent_of(const T&, std::size_t) { return 1; }  ///< unused
  static constexpr const T& element_of(const T& x, std::int64_t) { return x; }  ///< the scalar
};

/// True for a type that describes one value of a workflow.
template <class T>
concept translatable =
    dtype_of<typename translation<std::remove_cv_t<T>>::element> != dtype::unknown;

namespace detail {

// A sequence of `Count` objects, -1 if the size is known only at run time.
template <class Row, class T, std::int64_t Count>
struct row_translation {
  using inner = translation<std::remove_cv_t<T>>;
  using element = typename inner::element;
  static constexpr shape extents = [] {
    shape s;
    extent first;
    first.code = Count;
    s.push_back(first);
    for (std::size_t d = 0; d < inner::extents.rank; ++d) s.push_back(inner::extents[d]);
    return s;
  }();
  // The first element gives the inner extents; those of the others are assumed equal.
  static constexpr std::int64_t extent_of(const Row& r, std::size_t dimension) {
    if (dimension == 0) return size_of_row(r);
    return size_of_row(r) == 0 ? 0 : inner::extent_of(r[0], dimension - 1);
  }
  static constexpr element element_of(const Row& r, std::int64_t i) {
    const std::int64_t each = size_of_row(r) == 0 ? 1 : elements_of(r[0]);
    return inner::element_of(r[static_cast<std::size_t>(i / each)], i % each);
  }

 private:
  static constexpr std::int64_t size_of_row(const Row& r) {
    if constexpr (Count >= 0)
      return Count;
    else
      return static_cast<std::int64_t>(r.size());
  }
  static constexpr std::int64_t elements_of(const T& x) {
    std::int64_t n = 1;
    for (std::size_t d = 0; d < inner::extents.rank; ++d) n *= inner::extent_of(x, d);
    return n == 0 ? 1 : n;
  }
};

}  // namespace detail

template <class T, std::size_t N>
struct translation<T[N]> : detail::row_translation<T[N], T, static_cast<std::int64_t>(N)> {};
/// `std::array`, and `std::span` with static or dynamic extent.
template <template <class, std::size_t> class Row, class T, std::size_t N>
  requires requires(const Row<T, N>& r) {
    r[0];
    r.size();
  }
struct translation<Row<T, N>>
    : detail::row_translation<
          Row<T, N>, T, N == static_cast<std::size_t>(-1) ? -1 : static_cast<std::int64_t>(N)> {};
/// `std::vector`; its size is known only at run time.
template <template <class...> class Row, class T, class... More>
  requires requires(const Row<T, More...>& r) {
    { r.data() } -> std::same_as<const T*>;
    r.size();
    typename Row<T, More...>::allocator_type;
    requires !std::same_as<T, char>;
  }
struct translation<Row<T, More...>> : detail::row_translation<Row<T, More...>, T, -1> {};
/// Eigen matrices, recognised by their members; one column makes a vector.
template <class T>
  requires requires(const T& m) {
    typename T::Scalar;
    { static_cast<int>(T::RowsAtCompileTime) + static_cast<int>(T::ColsAtCompileTime) };
    m.rows();
    m.cols();
  }
struct translation<T> {
  using element = typename T::Scalar;  ///< the scalar type of the matrix
  static constexpr int fixed_rows = static_cast<int>(T::RowsAtCompileTime);     ///< -1: dynamic
  static constexpr int fixed_columns = static_cast<int>(T::ColsAtCompileTime);  ///< -1: dynamic
  /// Rank 2, or rank 1 for matrices with one column at compile time.
  static constexpr shape extents = [] {
    shape s;
    extent rows, columns;
    rows.code = fixed_rows, columns.code = fixed_columns;
    s.push_back(rows);
    if (fixed_columns != 1) s.push_back(columns);
    return s;
  }();
  /// Rows for dimension 0, else columns.
  static constexpr std::int64_t extent_of(const T& m, std::size_t dimension) {
    return static_cast<std::int64_t>(dimension == 0 ? m.rows() : m.cols());
  }
  /// Element `i` in row-major order.
  static constexpr element element_of(const T& m, std::int64_t i) {
    const auto columns = static_cast<std::int64_t>(m.cols());
    return m(static_cast<decltype(m.rows())>(i / columns),
             static_cast<decltype(m.rows())>(i % columns));
  }
};

/// The element type and shape that a C++ type fixes; extents known only at run time are unknown.
/// `value_type_of<std::array<float, 3>>` is f32 of shape [3].
template <translatable T>
inline constexpr value_type value_type_of{
    dtype_of<typename translation<std::remove_cv_t<T>>::element>,
    {},
    translation<std::remove_cv_t<T>>::extents};

/// The element type and the shape of an object. O(dimensions).
template <translatable T>
constexpr value_type type_of_object(const T& object) {
  value_type t = value_type_of<T>;
  for (std::size_t d = 0; d < t.shape.rank; ++d)
    t.shape.extents[d] = extent(translation<std::remove_cv_t<T>>::extent_of(object, d));
  return t;
}

/// True for `std::tuple`, `std::pair` and similar types: their components are separate values,
/// named "p.0", "p.1", ... for a tuple "p".
template <class T>
concept is_tuple = requires { std::tuple_size<std::remove_cv_t<T>>::value; } && !translatable<T>;

/// The name of a tuple's component: "p.1". O(length).
constexpr text component_name(text_view tuple, std::size_t index) {
  return text() << tuple << '.' << static_cast<std::int64_t>(index);
}

}  // namespace wf
