// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <wf/formula/number/rational.hpp>
#include <wf/ir/type/properties.hpp>

#include "../matrix_over.hpp"

// Small matrices of exact fractions, random ones with given properties, and tests of properties by
// definition.
namespace exact {

using wf::rational;

// Throws on overflow, which would invalidate a test.
template <wf::errc Operation(const rational&, const rational&, rational&)>
rational checked(const rational& a, const rational& b) {
  rational out;
  if (Operation(a, b, out) != wf::errc::none) throw std::overflow_error("rational");
  return out;
}
inline constexpr auto plus = &checked<&wf::add>;
inline constexpr auto minus = &checked<&wf::subtract>;
inline constexpr auto times = &checked<&wf::multiply>;
inline constexpr auto over = &checked<&wf::divide>;

struct arithmetic {
  using number = rational;
  static constexpr auto plus = exact::plus, minus = exact::minus, times = exact::times,
                        over = exact::over;
};
using matrix = wf_test::matrix_over<arithmetic>;

// The signs of all principal minors: positive semidefinite if none is negative.
inline bool is_semidefinite(const matrix& a) {
  for (std::uint32_t chosen = 1; chosen < (1U << a.rows); ++chosen) {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < a.rows; ++i)
      if ((chosen >> i & 1) != 0) of.push_back(i);
    matrix minor(of.size(), of.size());
    for (std::size_t i = 0; i < of.size(); ++i)
      for (std::size_t j = 0; j < of.size(); ++j) minor(i, j) = a(of[i], of[j]);
    if (eliminate(minor).determinant.sign() < 0) return false;
  }
  return true;
}

// The properties of a matrix by definition; a 1x1 matrix counts as a scalar if `scalar`.
inline wf::properties properties_of(const matrix& a, bool scalar = false) {
  if (scalar) return a.cells[0].sign() > 0 ? wf::properties(wf::positive) : wf::properties();
  const auto e = eliminate(a);
  const bool full = e.rank == std::min(a.rows, a.columns);
  wf::properties out = full ? wf::properties(wf::full_rank) : wf::properties();
  bool lower = true, upper = true;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) {
      lower = lower && (j <= i || a(i, j).sign() == 0);
      upper = upper && (j >= i || a(i, j).sign() == 0);
    }
  // Only these two apply to a rectangular matrix, set as bits: combined properties would imply
  // more.
  out.bits |= (lower ? wf::properties(wf::lower_triangular).bits : 0) |
              (upper ? wf::properties(wf::upper_triangular).bits : 0);
  if (a.rows != a.columns) return out;
  out = out | (full ? wf::properties(wf::nonsingular) : wf::properties());
  if (a == transposed(a)) out = out | wf::symmetric;
  if (out.has(wf::symmetric) && is_semidefinite(a)) out = out | wf::psd;
  if (product(a, transposed(a)) == matrix::unit(a.rows)) {
    out = out | wf::orthogonal;
    bool entries = true;
    for (const rational& x : a.cells) entries = entries && (x == rational(0) || x == rational(1));
    if (entries) out = out | wf::permutation;
  }
  return out;
}

inline rational small(std::mt19937& random) {
  return rational(static_cast<std::int64_t>(random() % 5) - 2);
}
inline matrix random_cells(std::size_t rows, std::size_t columns, std::mt19937& random) {
  matrix out(rows, columns);
  for (rational& x : out.cells) x = small(random);
  return out;
}

// A random matrix with at least the given properties, and often few others; `scalar`: 1x1.
inline matrix random_matrix(std::size_t rows, std::size_t columns, wf::properties wanted,
                            std::mt19937& random) {
  for (;;) {
    matrix m = random_cells(rows, columns, random);
    if (rows == columns) {
      if (wanted.has(wf::identity)) {
        m = matrix::unit(rows);
      } else if (wanted.has(wf::permutation)) {
        m = matrix::unit(rows);
        for (std::size_t i = rows; i-- > 1;) {
          const std::size_t other = random() % (i + 1);
          for (std::size_t j = 0; j < rows; ++j) std::swap(m(i, j), m(other, j));
        }
      } else if (wanted.has(wf::orthogonal) && !wanted.has(wf::diagonal)) {
        m = cayley(m);  // sometimes with a row negated
        if (random() % 2 == 0)
          for (std::size_t j = 0; j < rows; ++j) m(0, j) = minus(0, m(0, j));
        if (wanted.has(wf::symmetric))
          m = random() % 2 == 0 ? matrix::unit(rows) : by_cell(m, m, minus);
      } else if (wanted.has(wf::psd) && !wanted.has(wf::diagonal)) {
        const matrix root = random_cells(rows, 1 + random() % (rows + 1), random);
        m = product(root, transposed(root));
      } else if (wanted.has(wf::symmetric)) {
        m = by_cell(m, transposed(m), plus);
      }
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        if ((wanted.has(wf::lower_triangular) && j > i) ||
            (wanted.has(wf::upper_triangular) && j < i))
          m(i, j) = 0;
        if (i == j && wanted.has(wf::diagonal) && wanted.has(wf::orthogonal))
          m(i, j) = random() % 2 == 0 ? 1 : -1;
      }
    if (properties_of(m, wanted.has(wf::positive)).has(wanted)) return m;
  }
}

}  // namespace exact
