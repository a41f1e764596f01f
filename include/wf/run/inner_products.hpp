// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <wf/run/fused_product.hpp>

// Products of small results and long sums, whose operands lie along the sum: nothing is packed,
// since vectors of both are read as they lie and their products added up in registers.
namespace wf::compute {

/// Vectors that lie at a distance from each other: the rows of a left operand, or the columns of a
/// right one.
struct vectors_apart {
  const double* elements = nullptr;  ///< of the first one
  Eigen::Index stride = 0;           ///< from one to the next
  Eigen::Index count = 0;            ///< how many

  /// One of them; beyond the end the last.
  const double* at(Eigen::Index i) const { return elements + std::min(i, count - 1) * stride; }
};

namespace detail {

// A tile of inner products: as many as there are registers for, and vectors to read.
inline constexpr Eigen::Index inner_rows =
    Eigen::internal::gebp_traits<double, double>::NumberOfRegisters >= 32 ? 4 : 3;
inline constexpr Eigen::Index inner_columns =
    Eigen::internal::gebp_traits<double, double>::NumberOfRegisters >= 32 ? 6 : 4;
inline constexpr Eigen::Index inner_depth = 512;  // a tile's vectors stay in the first cache

template <Eigen::Index... I, Eigen::Index... J>
inline void inner_product_tile(indices<I...>, indices<J...>, Eigen::Index depth,
                               const double* const* a, const double* const* b, double* out) {
  using namespace Eigen::internal;
  constexpr Eigen::Index rows = sizeof...(I), columns = sizeof...(J);
  packet sum[columns][rows];
  const auto start = [&](packet* column) __attribute__((always_inline)) {
    ((column[I] = pset1<packet>(0.0)), ...);
  };
  (start(sum[J]), ...);
  Eigen::Index p = 0;
  for (; p + lanes <= depth; p += lanes) {
    const packet x[] = {ploadu<packet>(a[I] + p)...};
    const auto column = [&](Eigen::Index j) __attribute__((always_inline)) {
      const packet y = ploadu<packet>(b[j] + p);
      ((sum[j][I] = pmadd(x[I], y, sum[j][I])), ...);
    };
    (column(J), ...);
  }
  const auto store = [&](Eigen::Index j) __attribute__((always_inline)) {
    ((out[j * rows + I] = predux(sum[j][I])), ...);
  };
  (store(J), ...);
  for (; p < depth; ++p)
    for (Eigen::Index j = 0; j < columns; ++j)
      for (Eigen::Index i = 0; i < rows; ++i) out[j * rows + i] += a[i][p] * b[j][p];
}

}  // namespace detail

/// out[i, j] (+)= factor · the inner product of vectors i of `a` and j of `b`, of `depth` elements
/// each; added if it `adds`. The columns of `out` lie `stride` apart. Perhaps only the lower part:
/// then what is above becomes anything. `out` shares no element with the vectors.
inline void inner_products(double* out, Eigen::Index stride, const vectors_apart& a,
                           const vectors_apart& b, Eigen::Index depth, bool adds, double factor,
                           product_part part) {
  using namespace detail;
  double tile[inner_rows * inner_columns];
  for (Eigen::Index p = 0; p == 0 || p < depth; p += inner_depth)
    for (Eigen::Index j = 0; j < b.count; j += inner_columns)
      for (Eigen::Index i = 0; i < a.count; i += inner_rows) {
        if (part == product_part::lower && i + inner_rows <= j) continue;
        const double *left[inner_rows], *right[inner_columns];
        for (Eigen::Index r = 0; r < inner_rows; ++r) left[r] = a.at(i + r) + p;
        for (Eigen::Index c = 0; c < inner_columns; ++c) right[c] = b.at(j + c) + p;
        inner_product_tile(first_indices<inner_rows>(), first_indices<inner_columns>(),
                           std::min(inner_depth, depth - p), left, right, tile);
        for (Eigen::Index c = 0; c < std::min(inner_columns, b.count - j); ++c)
          for (Eigen::Index r = 0; r < std::min(inner_rows, a.count - i); ++r) {
            double& at = out[(j + c) * stride + i + r];
            const double product = factor * tile[c * inner_rows + r];
            at = adds || p > 0 ? at + product : product;
          }
      }
}

}  // namespace wf::compute
