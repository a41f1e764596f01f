// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

// Small dense matrices over a field defined by its arithmetic: the type `number` and the functions
// `plus`, `minus`, `times` and `over` of two numbers.
namespace wf_test {

template <class Arithmetic>
struct matrix_over {
  using number = typename Arithmetic::number;
  std::size_t rows = 0, columns = 0;
  std::vector<number> cells;
  matrix_over() = default;
  matrix_over(std::size_t r, std::size_t c) : rows(r), columns(c), cells(r * c) {}
  number& operator()(std::size_t i, std::size_t j) { return cells[i * columns + j]; }
  const number& operator()(std::size_t i, std::size_t j) const { return cells[i * columns + j]; }
  friend bool operator==(const matrix_over&, const matrix_over&) = default;

  static matrix_over unit(std::size_t n) {
    matrix_over out(n, n);
    for (std::size_t i = 0; i < n; ++i) out(i, i) = 1;
    return out;
  }
};

template <class A>
matrix_over<A> transposed(const matrix_over<A>& a) {
  matrix_over<A> out(a.columns, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.columns; ++j) out(j, i) = a(i, j);
  return out;
}
template <class A>
matrix_over<A> product(const matrix_over<A>& a, const matrix_over<A>& b) {
  matrix_over<A> out(a.rows, b.columns);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t k = 0; k < a.columns; ++k)
      for (std::size_t j = 0; j < b.columns; ++j)
        out(i, j) = A::plus(out(i, j), A::times(a(i, k), b(k, j)));
  return out;
}
// Element by element; a 1x1 matrix is combined with every element of the other.
template <class A, class F>
matrix_over<A> by_cell(const matrix_over<A>& a, const matrix_over<A>& b, F f) {
  const matrix_over<A>& shape = a.cells.size() == 1 ? b : a;
  matrix_over<A> out(shape.rows, shape.columns);
  for (std::size_t i = 0; i < out.cells.size(); ++i)
    out.cells[i] = f(a.cells[a.cells.size() == 1 ? 0 : i], b.cells[b.cells.size() == 1 ? 0 : i]);
  return out;
}

// The result of elimination: the rank, the determinant of a square matrix, and the inverse if it
// exists.
template <class A>
struct elimination {
  std::size_t rank = 0;
  typename A::number determinant = 1;
  std::optional<matrix_over<A>> inverse;
};
template <class A>
elimination<A> eliminate(const matrix_over<A>& a) {
  elimination<A> out;
  matrix_over<A> m(a.rows, a.columns + a.rows);  // [a | I]
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.columns; ++j) m(i, j) = a(i, j);
    m(i, a.columns + i) = 1;
  }
  for (std::size_t c = 0; c < a.columns && out.rank < a.rows; ++c) {
    std::size_t pivot = out.rank;
    while (pivot < a.rows && m(pivot, c) == 0) ++pivot;
    if (pivot == a.rows) continue;
    const std::size_t at = out.rank++;
    if (pivot != at) out.determinant = A::minus(0, out.determinant);
    out.determinant = A::times(out.determinant, m(pivot, c));
    const typename A::number scale = A::over(1, m(pivot, c));
    for (std::size_t j = 0; j < m.columns; ++j) {
      std::swap(m(at, j), m(pivot, j));
      m(at, j) = A::times(m(at, j), scale);
    }
    for (std::size_t i = 0; i < a.rows; ++i) {
      if (i == at) continue;
      const typename A::number factor = m(i, c);
      for (std::size_t j = 0; j < m.columns; ++j)
        m(i, j) = A::minus(m(i, j), A::times(factor, m(at, j)));
    }
  }
  if (out.rank < a.rows) out.determinant = 0;
  if (out.rank < a.rows || a.rows != a.columns) return out;
  out.inverse.emplace(a.rows, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.rows; ++j) (*out.inverse)(i, j) = m(i, a.columns + j);
  return out;
}
// The inverse; throws if there is none.
template <class A>
matrix_over<A> inverse(const matrix_over<A>& a) {
  return eliminate(a).inverse.value();
}

// An orthogonal matrix from any square one: Cayley's (I - S)(I + S)^-1 for a skew-symmetric S.
template <class A>
matrix_over<A> cayley(const matrix_over<A>& any) {
  const auto unit = matrix_over<A>::unit(any.rows), skew = by_cell(any, transposed(any), A::minus);
  return product(by_cell(unit, skew, A::minus), inverse(by_cell(unit, skew, A::plus)));
}

}  // namespace wf_test
