// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

// Products of small fixed-size matrices: tiles of the result stay in registers, operands are read
// in place. At these sizes a library's packing and checks cost more than the arithmetic.
namespace wf::compute {

/// Fixed-size products with no extent above this use `small_product`, unless all extents are below
/// `min_small_product`: those the library unrolls equally well. In elements.
inline constexpr int max_small_product = 64;
/// Least value of the largest extent for which `small_product` is used, in elements.
inline constexpr int min_small_product = 5;

/// Use of a product a·b.
enum class product_use : std::uint8_t {
  alone,       ///< a·b
  added,       ///< c + a·b
  subtracted,  ///< c - a·b
};

namespace detail {

// Compilers note that a vector as an argument of a template is not as aligned as it could be.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

// The widest packet of at most `Count` numbers; a single number if there is none.
template <class Scalar, int Count, class Packet>
struct packet_within {
  using half = typename Eigen::internal::unpacket_traits<Packet>::half;
  static constexpr int size = Eigen::internal::unpacket_traits<Packet>::size;
  static constexpr auto choose() {
    if constexpr (size <= Count)
      return std::type_identity<Packet>();
    else if constexpr (std::is_same_v<half, Packet>)
      return std::type_identity<Scalar>();
    else
      return std::type_identity<typename packet_within<Scalar, Count, half>::type>();
  }
  using type = typename decltype(choose())::type;
};
template <class Scalar, int Count>
using small_packet =
    typename packet_within<Scalar, Count,
                           typename Eigen::internal::packet_traits<Scalar>::type>::type;

template <class A>
inline constexpr bool is_small = int(A::RowsAtCompileTime) >= 1 && int(A::ColsAtCompileTime) >= 1 &&
                                 int(A::RowsAtCompileTime) <= max_small_product &&
                                 int(A::ColsAtCompileTime) <= max_small_product;
// True if the elements are in memory.
template <class A>
inline constexpr bool is_direct =
    (int(Eigen::internal::traits<std::remove_const_t<A>>::Flags) & Eigen::DirectAccessBit) != 0;
// True if the elements of each column are contiguous.
template <class A>
inline constexpr bool has_solid_columns =
    is_direct<A> && !A::IsRowMajor &&
    int(Eigen::internal::inner_stride_at_compile_time<A>::ret) == 1;
// True if all elements are contiguous, column-major.
template <class A>
inline constexpr bool is_solid =
    has_solid_columns<A> &&
    (int(A::ColsAtCompileTime) == 1 ||
     int(Eigen::internal::outer_stride_at_compile_time<A>::ret) == int(A::RowsAtCompileTime));

// Address and strides of a matrix.
template <class Scalar>
struct element_steps {
  Scalar* first;
  Eigen::Index row, column;

  Scalar* at(Eigen::Index i, Eigen::Index j) const { return first + i * row + j * column; }
};
template <class A>
auto steps_of(A& a) {
  using scalar = std::remove_reference_t<decltype(*a.data())>;
  return element_steps<scalar>{a.data(), A::IsRowMajor ? a.outerStride() : a.innerStride(),
                               A::IsRowMajor ? a.innerStride() : a.outerStride()};
}

// A product whose depth and use are known at compile time.
template <class Scalar, int Depth, product_use Use>
struct small_product_tiles {
  element_steps<Scalar> out;
  element_steps<const Scalar> a, b, c;

  // Tile at (row, column): as many packets of rows as V, as many columns as J.
  template <class Packet, int... V, int... J>
  __attribute__((always_inline)) void tile(std::integer_sequence<int, V...>,
                                           std::integer_sequence<int, J...>, Eigen::Index row,
                                           Eigen::Index column) const {
    using namespace Eigen::internal;
    constexpr int lanes = unpacket_traits<Packet>::size;
    Packet sum[sizeof...(V)][sizeof...(J)];
    const auto start = [&](Packet* line, int v) __attribute__((always_inline)) {
      ((line[J] = ploadu<Packet>(c.at(row + v * lanes, column + J))), ...);
    };
    if constexpr (Use != product_use::alone) (start(sum[V], V), ...);
    const auto multiply = [&]<bool First>(std::bool_constant<First>,
                                          int p) __attribute__((always_inline)) {
      const Packet x[] = {ploadu<Packet>(a.at(row + V * lanes, p))...};
      const auto multiply_column = [&](int j) __attribute__((always_inline)) {
        const Packet each = pset1<Packet>(*b.at(p, column + j));
        if constexpr (Use == product_use::subtracted)
          ((sum[V][j] = pmadd(pnegate(x[V]), each, sum[V][j])), ...);
        else if constexpr (First)
          ((sum[V][j] = pmul(x[V], each)), ...);
        else
          ((sum[V][j] = pmadd(x[V], each, sum[V][j])), ...);
      };
      (multiply_column(J), ...);
    };
    constexpr bool begins = Use == product_use::alone;
    if constexpr (begins) multiply(std::true_type(), 0);
    for (int p = begins; p < Depth; ++p) multiply(std::false_type(), p);
    const auto store = [&](int j) __attribute__((always_inline)) {
      (pstoreu(out.at(row + V * lanes, column + j), sum[V][j]), ...);
    };
    (store(J), ...);
  }

  // A strip of V packets of rows, over all columns.
  template <class Packet, int V, int Columns>
  __attribute__((always_inline)) void strip(Eigen::Index row) const {
    constexpr bool many = Eigen::internal::gebp_traits<Scalar, Scalar>::NumberOfRegisters >= 32;
    constexpr int width = std::min(Columns, many || V == 1 ? 8 : 4);
    constexpr std::make_integer_sequence<int, V> packets;
    for (int j = 0; j + width <= Columns; j += width)
      tile<Packet>(packets, std::make_integer_sequence<int, width>(), row, j);
    if constexpr (constexpr int rest = Columns % width; rest != 0)
      tile<Packet>(packets, std::make_integer_sequence<int, rest>(), row, Columns - rest);
  }

  template <int Rows, int Columns>
  __attribute__((always_inline)) void run(Eigen::Index row = 0) const {
    using packet = small_packet<Scalar, Rows>;
    constexpr int lanes = Eigen::internal::unpacket_traits<packet>::size;
    constexpr int whole = Rows / lanes, most = whole == 4 ? 2 : std::min(whole, 3);
    for (int done = 0; done + most <= whole; done += most)
      strip<packet, most, Columns>(row + done * lanes);
    if constexpr (constexpr int rest = Rows - whole / most * most * lanes; rest != 0)
      run<rest, Columns>(row + Rows - rest);
  }
};

#pragma GCC diagnostic pop

}  // namespace detail

/// True if `small_product` can compute out = a·b for these types.
template <class Dst, class A, class B>
inline constexpr bool is_small_product =
    detail::is_small<A> && detail::is_small<B> &&
    std::max({int(A::RowsAtCompileTime), int(A::ColsAtCompileTime), int(B::ColsAtCompileTime)}) >=
        min_small_product &&
    int(A::RowsAtCompileTime) == int(Dst::RowsAtCompileTime) &&
    int(B::ColsAtCompileTime) == int(Dst::ColsAtCompileTime) && int(Dst::RowsAtCompileTime) != 1 &&
    int(Dst::ColsAtCompileTime) != 1 && detail::has_solid_columns<Dst> && detail::is_direct<A> &&
    detail::is_direct<B> && std::is_floating_point_v<typename Dst::Scalar> &&
    std::is_same_v<typename A::Scalar, typename Dst::Scalar> &&
    std::is_same_v<typename B::Scalar, typename Dst::Scalar>;

/// out = a·b, or with a matrix c: c + a·b or c - a·b. `out` may be c, but shares no element with a
/// or b. Sums run over the inner extent in order.
template <product_use Use, class Dst, class A, class B, class C>
  requires is_small_product<std::remove_cvref_t<Dst>, A, B>
void small_product(Dst&& out, const A& a, const B& b, const C& c) {
  using dst = std::remove_cvref_t<Dst>;
  using scalar = typename dst::Scalar;
  constexpr int rows = dst::RowsAtCompileTime, columns = dst::ColsAtCompileTime;
  if constexpr (!detail::has_solid_columns<A>) {
    Eigen::Matrix<scalar, rows, A::ColsAtCompileTime> copy;
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index p = 0; p < a.cols(); ++p) copy(i, p) = a(i, p);
    small_product<Use>(out, copy, b, c);
  } else if constexpr (!detail::has_solid_columns<C>) {
    out = c;
    small_product<Use>(out, a, b, out);
  } else {
    detail::small_product_tiles<scalar, A::ColsAtCompileTime, Use>{
        detail::steps_of(out), detail::steps_of(a), detail::steps_of(b), detail::steps_of(c)}
        .template run<rows, columns>();
  }
}
/// out = a·b, in the same order of summation.
template <class Dst, class A, class B>
  requires is_small_product<std::remove_cvref_t<Dst>, A, B>
void small_product(Dst&& out, const A& a, const B& b) {
  small_product<product_use::alone>(out, a, b, out);
}

}  // namespace wf::compute
