// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <wf/formula/rational.hpp>
#include <wf/ir/properties.hpp>

// Small matrices of exact fractions, random ones with given properties, and whether a matrix has a
// property by its definition.
namespace exact {

using wf::rational;

struct matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<rational> cells;
  matrix() = default;
  matrix(std::size_t r, std::size_t c) : rows(r), columns(c), cells(r * c) {}
  rational& operator()(std::size_t i, std::size_t j) { return cells[i * columns + j]; }
  const rational& operator()(std::size_t i, std::size_t j) const { return cells[i * columns + j]; }
  friend bool operator==(const matrix&, const matrix&) = default;
};

// Overflow throws: a test that meets one is no test.
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

inline matrix unit(std::size_t n) {
  matrix out(n, n);
  for (std::size_t i = 0; i < n; ++i) out(i, i) = 1;
  return out;
}
inline matrix transposed(const matrix& a) {
  matrix out(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) out(j, i) = a(i, j);
  return out;
}
inline matrix product(const matrix& a, const matrix& b) {
  matrix out(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j)
        out(i, j) = plus(out(i, j), times(a(i, k), b(k, j)));
  return out;
}
// Cell by cell; a matrix of one cell goes with every cell of the other.
template <class F>
matrix by_cell(const matrix& a, const matrix& b, F f) {
  const matrix& shape = a.cells.size() == 1 ? b : a;
  matrix out(shape.rows, shape.columns);
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] = f(a.cells[a.cells.size() == 1 ? 0 : i], b.cells[b.cells.size() == 1 ? 0 : i]);
  return out;
}

// Elimination: the rank, the determinant of a square matrix, and the inverse if there is one.
struct elimination {
  std::size_t rank = 0;
  rational determinant = 1;
  std::optional<matrix> inverse;
};
inline elimination eliminate(matrix a) {
  elimination out;
  matrix right = unit(a.rows);
  for (std::size_t c = 0; c < a.columns && out.rank < a.rows; ++c) {
    std::size_t pivot = out.rank;
    while (pivot < a.rows && a(pivot, c).sign() == 0) ++pivot;
    if (pivot == a.rows) continue;
    const std::size_t at = out.rank++;
    if (pivot != at) out.determinant = minus(0, out.determinant);
    for (std::size_t j = 0; j < a.columns; ++j) std::swap(a(at, j), a(pivot, j));
    for (std::size_t j = 0; j < a.rows; ++j) std::swap(right(at, j), right(pivot, j));
    const rational lead = a(at, c);
    out.determinant = times(out.determinant, lead);
    for (std::size_t j = 0; j < a.columns; ++j) a(at, j) = over(a(at, j), lead);
    for (std::size_t j = 0; j < a.rows; ++j) right(at, j) = over(right(at, j), lead);
    for (std::size_t i = 0; i < a.rows; ++i) {
      if (i == at) continue;
      const rational factor = a(i, c);
      for (std::size_t j = 0; j < a.columns; ++j) a(i, j) = minus(a(i, j), times(factor, a(at, j)));
      for (std::size_t j = 0; j < a.rows; ++j)
        right(i, j) = minus(right(i, j), times(factor, right(at, j)));
    }
  }
  if (a.rows == a.columns && out.rank == a.rows) out.inverse = right;
  if (out.rank < a.rows) out.determinant = 0;
  return out;
}

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

// What a matrix has by definition; a matrix of one cell counts as a scalar if `scalar`.
inline wf::properties properties_of(const matrix& a, bool scalar = false) {
  if (scalar) return a.cells[0].sign() > 0 ? wf::properties(wf::positive) : wf::properties();
  const elimination e = eliminate(a);
  const bool full = e.rank == std::min(a.rows, a.columns);
  wf::properties out = full ? wf::properties(wf::full_rank) : wf::properties();
  bool lower = true, upper = true;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) {
      lower = lower && (j <= i || a(i, j).sign() == 0);
      upper = upper && (j >= i || a(i, j).sign() == 0);
    }
  // Of a matrix that is not square only these two, as bits: together they would mean more.
  out.bits |= (lower ? wf::properties(wf::lower_triangular).bits : 0) |
              (upper ? wf::properties(wf::upper_triangular).bits : 0);
  if (a.rows != a.columns) return out;
  out = out | (full ? wf::properties(wf::nonsingular) : wf::properties());
  if (a == transposed(a)) out = out | wf::symmetric;
  if (out.has(wf::symmetric) && is_semidefinite(a)) out = out | wf::psd;
  if (product(a, transposed(a)) == unit(a.rows)) {
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

// A random matrix that has the properties, and often few others; `scalar`: of one cell.
inline matrix random_matrix(std::size_t rows, std::size_t columns, wf::properties wanted,
                            std::mt19937& random) {
  for (;;) {
    matrix m = random_cells(rows, columns, random);
    if (rows == columns) {
      if (wanted.has(wf::identity)) {
        m = unit(rows);
      } else if (wanted.has(wf::permutation)) {
        m = unit(rows);
        for (std::size_t i = rows; i-- > 1;) {
          const std::size_t other = random() % (i + 1);
          for (std::size_t j = 0; j < rows; ++j) std::swap(m(i, j), m(other, j));
        }
      } else if (wanted.has(wf::orthogonal) && !wanted.has(wf::diagonal)) {
        // Cayley: (I - S)(I + S)^-1 of a skew S; sometimes with a row negated.
        const matrix skew = by_cell(m, transposed(m), minus);
        m = product(by_cell(unit(rows), skew, minus),
                    *eliminate(by_cell(unit(rows), skew, plus)).inverse);
        if (random() % 2 == 0)
          for (std::size_t j = 0; j < rows; ++j) m(0, j) = minus(0, m(0, j));
        if (wanted.has(wf::symmetric)) m = random() % 2 == 0 ? unit(rows) : by_cell(m, m, minus);
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
