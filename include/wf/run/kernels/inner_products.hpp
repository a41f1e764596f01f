// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include <wf/run/kernels/fused_product.hpp>

// Products of small results and long sums, whose operands are contiguous along the sum: nothing is
// packed, since vectors of both are read in place and their products summed in registers.
namespace wf::compute {

/// Vectors at a constant stride: the rows of a left operand, or the columns of a right one.
template <class Real>
struct vectors_apart {
  const Real* elements = nullptr;  ///< first element of the first vector
  Eigen::Index stride = 0;         ///< elements between the starts of consecutive vectors
  Eigen::Index count = 0;          ///< number of vectors

  /// Start of vector i; beyond the end the last vector.
  const Real* at(Eigen::Index i) const { return elements + std::min(i, count - 1) * stride; }
};

namespace detail {

// Tile size: the inner products and the vectors that they read fill the registers.
inline constexpr Eigen::Index inner_rows =
    Eigen::internal::gebp_traits<double, double>::NumberOfRegisters >= 32 ? 4 : 3;
inline constexpr Eigen::Index inner_columns =
    Eigen::internal::gebp_traits<double, double>::NumberOfRegisters >= 32 ? 6 : 4;
inline constexpr Eigen::Index inner_depth = 512;  // a tile's vectors stay in the first cache
inline constexpr Eigen::Index few_vectors = 300;  // of that depth stay in the second cache

template <class Real>
using bits_of = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

// A mask that keeps lanes from `first` on, so that the end of a vector is read as a whole packet.
template <class Real>
packet<Real> lanes_from(Eigen::Index first) {
  alignas(64) static constexpr auto bits = [] {
    std::array<bits_of<Real>, 2 * lanes<Real>> made{};
    for (Eigen::Index i = 0; i < lanes<Real>; ++i)
      made[static_cast<std::size_t>(lanes<Real> + i)] = static_cast<bits_of<Real>>(-1);
    return made;
  }();
  Real from[lanes<Real>];
  std::memcpy(static_cast<void*>(from), bits.data() + lanes<Real> - first, sizeof from);
  return Eigen::internal::ploadu<packet<Real>>(from);
}

// If `depth` is not a multiple of `lanes`, `lanes` elements before the end must be readable.
template <Eigen::Index... I, Eigen::Index... J, class Real>
void inner_product_tile(indices<I...>, indices<J...>, Eigen::Index depth, const Real* const* a,
                        const Real* const* b, Real* out) {
  using namespace Eigen::internal;
  constexpr Eigen::Index rows = sizeof...(I), columns = sizeof...(J);
  packet<Real> sum[columns][rows];
  const auto start = [&](packet<Real>* column) __attribute__((always_inline)) {
    ((column[I] = pset1<packet<Real>>(Real(0))), ...);
  };
  (start(sum[J]), ...);
  const auto add = [&](const auto& read) __attribute__((always_inline)) {
    const packet<Real> x[] = {read(a[I])...};
    const auto column = [&](Eigen::Index j) __attribute__((always_inline)) {
      const packet<Real> y = read(b[j]);
      ((sum[j][I] = pmadd(x[I], y, sum[j][I])), ...);
    };
    (column(J), ...);
  };
  Eigen::Index p = 0;
  for (; p + lanes<Real> <= depth; p += lanes<Real>)
    add([&](const Real* at)
            __attribute__((always_inline)) { return ploadu<packet<Real>>(at + p); });
  if (p < depth) {
    const packet<Real> kept = lanes_from<Real>(lanes<Real> - (depth - p));
    add([&](const Real* at) __attribute__((always_inline)) {
      return pand(kept, ploadu<packet<Real>>(at + depth - lanes<Real>));
    });
  }
  const auto store = [&](Eigen::Index j) __attribute__((always_inline)) {
    ((out[j * rows + I] = predux(sum[j][I])), ...);
  };
  (store(J), ...);
}

// Calls use(column indices) for a width of at most that of a tile.
template <Eigen::Index Most = inner_columns, class Use>
inline void with_width(Eigen::Index width, Use use) {
  if constexpr (Most > 1)
    if (width < Most) return with_width<Most - 1>(width, use);
  use(first_indices<Most>());
}

}  // namespace detail

/// Least length of the inner products, in elements.
template <class Real>
inline constexpr Eigen::Index shortest_inner_product = detail::lanes<Real>;

/// out[i, j] (+)= factor · the inner product of vectors i of `a` and j of `b`, of `depth` elements,
/// at least `shortest_inner_product`; `adds`: adds to `out`. The columns of `out` are `stride`
/// elements apart. With `product_part::lower` elements above the diagonal are unspecified. `out`
/// shares no element with the vectors.
template <class Real>
void inner_products(Real* out, Eigen::Index stride, const vectors_apart<Real>& a,
                    const vectors_apart<Real>& b, Eigen::Index depth, bool adds,
                    std::type_identity_t<Real> factor, product_part part) {
  using namespace detail;
  Real tile[inner_rows * inner_columns];
  const auto run = [&]<Eigen::Index... I, Eigen::Index... J>(
                       indices<I...> rows, indices<J...> columns, Eigen::Index i, Eigen::Index j,
                       Eigen::Index p, Eigen::Index length) {
    const Real* const left[] = {a.at(i + I) + p...};
    const Real* const right[] = {b.at(j + J) + p...};
    inner_product_tile(rows, columns, length, left, right, tile);
    for (Eigen::Index c : {J...})
      for (Eigen::Index r = 0; r < std::min(inner_rows, a.count - i); ++r) {
        Real& at = out[(j + c) * stride + i + r];
        const Real product = factor * tile[c * inner_rows + r];
        at = adds || p > 0 ? at + product : product;
      }
  };
  // Tiles have nearly equal width: narrow ones take longer per product.
  const Eigen::Index tiles = (b.count + inner_columns - 1) / inner_columns;
  const auto run_column = [&](Eigen::Index t, Eigen::Index first, Eigen::Index end, Eigen::Index p,
                              Eigen::Index length) {
    const Eigen::Index j = t * b.count / tiles, width = (t + 1) * b.count / tiles - j;
    with_width(width, [&](auto columns) {
      for (Eigen::Index i = first; i < end; i += inner_rows)
        if (part == product_part::whole || i + inner_rows > j)
          run(first_indices<inner_rows>(), columns, i, j, p, length);
    });
  };
  // Many rows are processed a few at a time for all columns, so that memory is read once.
  const Eigen::Index height = a.count > few_vectors ? inner_rows : a.count;
  for (Eigen::Index p = 0; p < depth;) {
    const Eigen::Index rest = depth - p;
    const Eigen::Index length = rest < inner_depth + lanes<Real> ? rest : inner_depth;
    for (Eigen::Index i = 0; i < a.count; i += height)
      for (Eigen::Index t = 0; t < tiles; ++t)
        run_column(t, i, std::min(a.count, i + height), p, length);
    p += length;
  }
}

}  // namespace wf::compute
