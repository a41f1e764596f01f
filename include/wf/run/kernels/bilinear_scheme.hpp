// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::compute {

/// A bilinear algorithm for products of block matrices: `rank` products of a linear combination of
/// left blocks and one of right blocks, each added to result blocks with factors. Blocks are
/// numbered row-major.
struct bilinear_scheme {
  std::uint32_t rows = 0;     ///< block rows of the left matrix and of the result
  std::uint32_t depth = 0;    ///< block columns of the left matrix, block rows of the right one
  std::uint32_t columns = 0;  ///< block columns of the right matrix and of the result
  std::uint32_t rank = 0;     ///< number of products
  table<std::int8_t> left;    ///< factor of each left block, by product
  table<std::int8_t> right;   ///< factor of each right block, by product
  table<std::int8_t> result;  ///< factor of the product in each result block, by product

  /// Number of blocks of the left operand.
  constexpr std::uint32_t left_blocks() const { return rows * depth; }
  /// Number of blocks of the right operand.
  constexpr std::uint32_t right_blocks() const { return depth * columns; }
  /// Number of blocks of the result.
  constexpr std::uint32_t result_blocks() const { return rows * columns; }
};

/// True if a scheme is correct for matrices over any ring: the sum over its products is the matrix
/// multiplication tensor (R. P. Brent, Algorithms for matrix multiplication, 1970). O(rank · (rows
/// · depth · columns)²).
constexpr bool is_valid(const bilinear_scheme& s) {
  const std::uint32_t a = s.left_blocks(), b = s.right_blocks(), c = s.result_blocks();
  if (s.left.size() != std::size_t{s.rank} * a || s.right.size() != std::size_t{s.rank} * b ||
      s.result.size() != std::size_t{s.rank} * c)
    return false;
  table<int> sums(std::size_t{a} * b * c);
  for (std::uint32_t r = 0; r < s.rank; ++r)
    for (std::uint32_t x = 0; x < a; ++x) {
      const int of_left = s.left[r * a + x];
      for (std::uint32_t y = 0; y < b && of_left != 0; ++y) {
        const int both = of_left * s.right[r * b + y];
        for (std::uint32_t z = 0; z < c && both != 0; ++z)
          sums[(x * b + y) * c + z] += both * s.result[r * c + z];
      }
    }
  for (std::uint32_t x = 0; x < a; ++x)
    for (std::uint32_t y = 0; y < b; ++y)
      for (std::uint32_t z = 0; z < c; ++z) {
        const bool wanted = x % s.depth == y / s.columns && x / s.depth == z / s.columns &&
                            y % s.columns == z % s.columns;
        if (sums[(x * b + y) * c + z] != (wanted ? 1 : 0)) return false;
      }
  return true;
}

/// Strassen's scheme: 7 products of halves instead of 8, with the fewest terms of any. Source: V.
/// Strassen, Gaussian elimination is not optimal, 1969.
constexpr bilinear_scheme strassen_scheme() {
  return {2,
          2,
          2,
          7,
          {1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, -1, 0, 1, 0, 0, 1, 0, -1},
          {1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1},
          {1, 0, 0, 1, 0, 0, 1, -1, 0, 1, 0, 1, 1, 0, 1, 0, -1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}};
}
/// Winograd's variant, with fewer additions if intermediate sums are kept. Source: S. Winograd; P.
/// C. Fischer, R. L. Probert, Efficient procedures for using matrix algorithms, 1974.
constexpr bilinear_scheme winograd_scheme() {
  return {2,
          2,
          2,
          7,
          {1, 0, 0, 0, 0, 1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 1, 0, 0, 1, 1, -1, 0, 1, 1, 1, 0, -1, 0},
          {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, -1, -1, 1, -1, 1, 0, 0, 1, -1, 0, 1, 0, -1, 0, 1},
          {1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1}};
}

/// Nests schemes: each product of the outer one is computed by the inner one.
constexpr bilinear_scheme compose(const bilinear_scheme& outer, const bilinear_scheme& inner) {
  bilinear_scheme out{outer.rows * inner.rows,
                      outer.depth * inner.depth,
                      outer.columns * inner.columns,
                      outer.rank * inner.rank,
                      {},
                      {},
                      {}};
  const auto product = [&](const table<std::int8_t>& x, const table<std::int8_t>& y,
                           std::uint32_t x_rows, std::uint32_t x_columns, std::uint32_t y_rows,
                           std::uint32_t y_columns) {
    table<std::int8_t> all;
    for (std::uint32_t r = 0; r < outer.rank; ++r)
      for (std::uint32_t q = 0; q < inner.rank; ++q)
        for (std::uint32_t i = 0; i < x_rows * y_rows; ++i)
          for (std::uint32_t j = 0; j < x_columns * y_columns; ++j)
            all.push_back(
                static_cast<std::int8_t>(x[(r * x_rows + i / y_rows) * x_columns + j / y_columns] *
                                         y[(q * y_rows + i % y_rows) * y_columns + j % y_columns]));
    return all;
  };
  out.left = product(outer.left, inner.left, outer.rows, outer.depth, inner.rows, inner.depth);
  out.right =
      product(outer.right, inner.right, outer.depth, outer.columns, inner.depth, inner.columns);
  out.result =
      product(outer.result, inner.result, outer.rows, outer.columns, inner.rows, inner.columns);
  return out;
}

/// The scheme of B'·A', from that of A·B.
constexpr bilinear_scheme transposed(const bilinear_scheme& s) {
  bilinear_scheme out{s.columns, s.depth, s.rows, s.rank, {}, {}, {}};
  const auto turn = [&](const table<std::int8_t>& from, std::uint32_t rows, std::uint32_t columns) {
    table<std::int8_t> all;
    for (std::uint32_t r = 0; r < s.rank; ++r)
      for (std::uint32_t j = 0; j < columns; ++j)
        for (std::uint32_t i = 0; i < rows; ++i) all.push_back(from[(r * rows + i) * columns + j]);
    return all;
  };
  out.left = turn(s.right, s.depth, s.columns);
  out.right = turn(s.left, s.rows, s.depth);
  out.result = turn(s.result, s.rows, s.columns);
  return out;
}

}  // namespace wf::compute
