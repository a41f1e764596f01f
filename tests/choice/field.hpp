// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/view.hpp>

#include "../matrix_over.hpp"

// Evaluates linear-algebra graphs exactly over the field of p² elements for the prime p = 2^61 - 1,
// where every identity between rational functions of the inputs holds, and a wrong one fails with
// probability about 1 - 10^-17. All elements of the prime field have roots in it, so that matrices
// have Cholesky factors. Shares no code with the library except the graph's accessors.
namespace field {

inline constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

inline std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<wf::uint128>(a) * b % prime);
}
inline std::uint64_t power(std::uint64_t a, std::uint64_t exponent) {
  std::uint64_t out = 1;
  for (std::uint64_t e = exponent; e != 0; e >>= 1, a = times(a, a))
    if ((e & 1) != 0) out = times(out, a);
  return out;
}

// a + b·i with i² = -1; -1 is no square modulo p.
struct number {
  std::uint64_t real = 0, imaginary = 0;
  number() = default;
  number(std::uint64_t r, std::uint64_t i = 0) : real(r), imaginary(i) {}
  friend bool operator==(const number&, const number&) = default;
};

inline number add(number a, number b) {
  return {(a.real + b.real) % prime, (a.imaginary + b.imaginary) % prime};
}
inline number subtract(number a, number b) { return add(a, {prime - b.real, prime - b.imaginary}); }
inline number multiply(number a, number b) {
  if (a.imaginary == 0 && b.imaginary == 0) return times(a.real, b.real);
  return subtract({times(a.real, b.real), times(a.real, b.imaginary)},
                  {times(a.imaginary, b.imaginary), prime - times(a.imaginary, b.real)});
}
// a/b = a·conj(b)/|b|².
inline number divide(number a, number b) {
  const std::uint64_t square = (times(b.real, b.real) + times(b.imaginary, b.imaginary)) % prime;
  return multiply(multiply(a, {b.real, (prime - b.imaginary) % prime}), power(square, prime - 2));
}
// A square root of an element of the prime field: with r = a^((p + 1)/4), r or i·r is one.
inline number root(number a) {
  if (a.imaginary != 0) throw std::string("no root of a number that is not real");
  const std::uint64_t r = power(a.real, (prime + 1) / 4);
  return times(r, r) == a.real ? number(r) : number(0, r);
}

struct arithmetic {
  using number = field::number;
  static constexpr auto plus = &add, minus = &subtract, times = &multiply, over = &divide;
};
using matrix = wf_test::matrix_over<arithmetic>;

// L with L·Lᵀ = A.
inline matrix cholesky(const matrix& a) {
  matrix l(a.rows, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      number rest = a(i, j);
      for (std::size_t k = 0; k < j; ++k) rest = subtract(rest, multiply(l(i, k), l(j, k)));
      l(i, j) = i == j ? root(rest) : divide(rest, l(j, j));
    }
  return l;
}

// The factors of P·A = L·U in one matrix; `rows` receives the permutation. Any non-zero pivot is
// valid: the last one is taken, so that exchanges occur.
inline matrix lu(matrix a, matrix& rows) {
  rows = matrix(a.rows, 1);
  for (std::size_t i = 0; i < a.rows; ++i) rows(i, 0) = i;
  for (std::size_t k = 0; k < a.rows; ++k) {
    std::size_t pivot = a.rows - 1;
    while (pivot > k && a(pivot, k) == 0) --pivot;
    std::swap(rows(k, 0), rows(pivot, 0));
    for (std::size_t j = 0; j < a.rows; ++j) std::swap(a(k, j), a(pivot, j));
    for (std::size_t i = k + 1; i < a.rows; ++i) {
      a(i, k) = divide(a(i, k), a(k, k));
      for (std::size_t j = k + 1; j < a.rows; ++j)
        a(i, j) = subtract(a(i, j), multiply(a(i, k), a(k, j)));
    }
  }
  return a;
}
// The matrix with these factors P·A = L·U.
inline matrix from_lu(const matrix& f, const matrix& rows) {
  matrix l = matrix::unit(f.rows), u(f.rows, f.rows), a(f.rows, f.rows);
  for (std::size_t i = 0; i < f.rows; ++i)
    for (std::size_t j = 0; j < f.rows; ++j) (j < i ? l : u)(i, j) = f(i, j);
  const matrix permuted = product(l, u);
  for (std::size_t i = 0; i < f.rows; ++i)
    for (std::size_t j = 0; j < f.rows; ++j)
      a(static_cast<std::size_t>(rows(i, 0).real), j) = permuted(i, j);
  return a;
}

// The factors of P·A·Pᵀ = L·D·Lᵀ in one matrix; `rows` receives the permutation. Any regular pivot
// is valid: a block of two rows if there is one, else the last non-zero element, so that exchanges
// occur.
inline matrix ldl(matrix a, matrix& rows) {
  const std::size_t n = a.rows;
  matrix f(n, n);
  rows = matrix(n, 1);
  for (std::size_t i = 0; i < n; ++i) rows(i, 0) = i;
  for (std::size_t k = 0, many = 1; k < n; k += many) {
    const bool pair = k % 3 != 2 && k + 1 < n && !(a(k, k + 1) == number(0)) &&
                      !(multiply(a(k, k), a(k + 1, k + 1)) == multiply(a(k, k + 1), a(k, k + 1)));
    many = pair ? 2 : 1;
    if (!pair) {
      std::size_t pivot = n - 1;
      while (pivot > k && a(pivot, pivot) == number(0)) --pivot;
      std::swap(rows(k, 0), rows(pivot, 0));
      for (std::size_t j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
      for (std::size_t j = 0; j < n; ++j) std::swap(a(j, k), a(j, pivot));
      for (std::size_t j = 0; j < k; ++j) std::swap(f(k, j), f(pivot, j));
    }
    matrix block(many, many);
    for (std::size_t i = 0; i < many; ++i)
      for (std::size_t j = 0; j < many; ++j) block(i, j) = a(k + i, k + j);
    for (std::size_t i = 0; i < many; ++i)
      for (std::size_t j = i; j < many; ++j) f(k + i, k + j) = block(i, j);
    const matrix inverted = inverse(block);
    for (std::size_t i = k + many; i < n; ++i)
      for (std::size_t c = 0; c < many; ++c)
        for (std::size_t e = 0; e < many; ++e)
          f(i, k + c) = add(f(i, k + c), multiply(a(i, k + e), inverted(e, c)));
    for (std::size_t i = k + many; i < n; ++i)
      for (std::size_t j = k + many; j < n; ++j)
        for (std::size_t c = k; c < k + many; ++c)
          a(i, j) = subtract(a(i, j), multiply(f(i, c), a(c, j)));
  }
  return f;
}
// The matrix with these factors P·A·Pᵀ = L·D·Lᵀ.
inline matrix from_ldl(const matrix& f, const matrix& rows) {
  const std::size_t n = f.rows;
  matrix l = matrix::unit(n), d(n, n), a(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) l(i, j) = f(i, j);
    d(i, i) = f(i, i);
    if (i + 1 < n) d(i, i + 1) = d(i + 1, i) = f(i, i + 1);
  }
  const matrix permuted = product(product(l, d), transposed(l));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      a(static_cast<std::size_t>(rows(i, 0).real), static_cast<std::size_t>(rows(j, 0).real)) =
          permuted(i, j);
  return a;
}

// T with A = T + Tᵀ, lower triangular.
inline matrix half(const matrix& a) {
  matrix t(a.rows, a.rows);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) t(i, j) = a(i, j);
    t(i, i) = divide(a(i, i), 2);
  }
  return t;
}

// An in-place Gauss-Jordan step at column k.
inline matrix eliminate(matrix a, std::size_t k) {
  const number pivot = divide(1, a(k, k));
  for (std::size_t r = 0; r < a.rows; ++r) {
    if (r == k) continue;
    const number factor = multiply(a(r, k), pivot);
    for (std::size_t j = 0; j < a.columns; ++j)
      if (j != k) a(r, j) = subtract(a(r, j), multiply(factor, a(k, j)));
    a(r, k) = subtract(0, factor);
  }
  for (std::size_t j = 0; j < a.columns; ++j)
    if (j != k) a(k, j) = multiply(a(k, j), pivot);
  a(k, k) = pivot;
  return a;
}

inline std::size_t size_of_extent(wf::extent e) { return static_cast<std::size_t>(e.size()); }

inline matrix random_input(const wf::value_type& t, std::mt19937_64& random) {
  const std::size_t rows = t.shape.rank > 0 ? size_of_extent(t.shape[0]) : 1;
  const std::size_t columns = t.shape.rank > 1 ? size_of_extent(t.shape[1]) : 1;
  matrix m(rows, columns);
  for (number& cell : m.cells) cell = random() % prime;
  if (t.known.has(wf::symmetric))
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < i; ++j) m(i, j) = m(j, i);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      if ((t.known.has(wf::lower_triangular) && j > i) ||
          (t.known.has(wf::upper_triangular) && j < i))
        m(i, j) = 0;
  for (std::size_t i = 0; i < rows && t.known.has(wf::identity); ++i) m(i, i) = 1;
  if (t.known.has(wf::permutation) && !t.known.has(wf::identity)) {
    std::vector<std::size_t> places(rows);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::shuffle(places.begin(), places.end(), random);
    m = matrix(rows, rows);
    for (std::size_t i = 0; i < rows; ++i) m(i, places[i]) = 1;
    return m;
  }
  if (t.known.has(wf::orthogonal) && !t.known.has(wf::diagonal)) return cayley(m);
  return m;
}

// Evaluates operators that only move elements: slice, concat and pad.
template <class Operands>
matrix moved(const wf::graph_view& g, const wf::node& n, const std::string& op, Operands in) {
  const wf::shape& s = g[wf::graph_view::output_of(n)].type.shape;
  matrix out(size_of_extent(s[0]), s.rank > 1 ? size_of_extent(s[1]) : 1);
  const auto number = [&](const char* name) {
    return static_cast<std::size_t>(g.integer_attribute(n, name, 0));
  };
  const bool down = number("axis") == 0, slices = op == "slice";
  std::size_t at = op == "pad" ? number("before") : 0;
  for (std::size_t k = 0; k < n.inputs.count; ++k) {
    const matrix& from = in(k);
    const std::size_t skipped = slices ? number("start") : 0;
    const matrix& walked = slices ? out : from;
    for (std::size_t i = 0; i < walked.rows; ++i)
      for (std::size_t j = 0; j < walked.columns; ++j)
        out(i + (down ? at : 0), j + (down ? 0 : at)) =
            from(i + (down ? skipped : 0), j + (down ? 0 : skipped));
    at += down ? from.rows : from.columns;
  }
  return out;
}

// All values of a static graph without loops, by value id.
inline std::vector<matrix> evaluate(const wf::graph_view& g, std::uint64_t seed) {
  std::map<std::string, matrix> inputs;
  std::mt19937_64 random(seed);
  std::vector<matrix> out(g.values.size());
  for (std::size_t i = 0; i < g.values.size(); ++i)
    if (g.values[i].producer == wf::node_id::none) out[i] = random_input(g.values[i].type, random);
  const auto order = wf::topological_order(g);
  for (const wf::node_id id : *order) {
    const wf::node& n = g[id];
    const std::string op(g.op_name(n));
    const auto in = [&](std::size_t k) -> const matrix& {
      return out[wf::index_of(g.inputs_of(n)[k])];
    };
    const auto step = static_cast<std::size_t>(g.integer_attribute(n, "step", 0));
    matrix r;
    if (op == "matmul_add" || op == "matmul_subtract") {
      r = by_cell(in(2), product(in(0), in(1)), op == "matmul_add" ? add : subtract);
    } else if (op == "syr2k") {
      const matrix once = product(in(0), in(1));
      r = by_cell(once, transposed(once), add);
    } else if (op == "matmul_half") {
      r = product(half(in(0)), in(1));
    } else if (op.starts_with("matmul") || op.starts_with("matvec") || op == "gemmt") {
      r = product(in(0), in(1));
    } else if (op == "transpose") {
      r = transposed(in(0));
    } else if (op.starts_with("inverse")) {
      r = inverse(in(0));
    } else if (op.starts_with("solve_right")) {
      r = product(in(0), inverse(in(1)));
    } else if (op == "lu_factor") {
      r = lu(in(0), out[wf::index_of(wf::graph_view::output_of(n, 1))]);
    } else if (op.starts_with("solve_lu")) {
      const matrix a = from_lu(in(0), in(1));
      r = product(inverse(op.ends_with("transposed") ? transposed(a) : a), in(2));
    } else if (op == "ldl_factor") {
      r = ldl(in(0), out[wf::index_of(wf::graph_view::output_of(n, 1))]);
    } else if (op == "solve_ldl") {
      r = product(inverse(from_ldl(in(0), in(1))), in(2));
    } else if (op.starts_with("solve")) {
      r = product(inverse(in(0)), in(1));
    } else if (op.starts_with("least_squares")) {
      r = product(inverse(product(transposed(in(0)), in(0))), product(transposed(in(0)), in(1)));
    } else if (op == "cholesky") {
      r = cholesky(in(0));
    } else if (op == "diagonal" || op == "product_diagonal") {
      const matrix whole = op == "diagonal" ? in(0) : product(in(0), in(1));
      r = matrix(whole.rows, 1);
      for (std::size_t i = 0; i < whole.rows; ++i) r(i, 0) = whole(i, i);
    } else if (op == "trace" || op == "sum") {
      r = matrix(1, 1);
      const bool all = op == "sum";
      for (std::size_t i = 0; i < in(0).rows; ++i)
        for (std::size_t j = 0; j < in(0).columns; ++j)
          if (all || i == j) r(0, 0) = add(r(0, 0), in(0)(i, j));
    } else if (op == "slice" || op == "pad" || op.starts_with("concat")) {
      r = moved(g, n, op, in);
    } else if (op == "reshape") {  // a column as a vector, or a vector as a column
      r = in(0);
    } else if (op == "identity_like") {
      r = matrix::unit(in(0).rows);
    } else if (op == "multiply") {
      r = by_cell(in(0), in(1), multiply);
    } else if (op == "negate") {
      r = by_cell(matrix(in(0).rows, in(0).columns), in(0), subtract);
    } else if (op == "reciprocal") {
      r = by_cell(matrix::unit(1), in(0), divide);
    } else if (op == "add" || op == "subtract") {
      r = by_cell(in(0), in(1), op == "add" ? add : subtract);
    } else if (op == "identity_permutation") {
      r = matrix(in(0).rows, 1);
      for (std::size_t i = 0; i < r.rows; ++i) r(i, 0) = i;
    } else if (op == "find_pivot") {
      r = in(1);
      std::size_t pivot = step;
      while (pivot + 1 < in(0).rows && in(0)(pivot, step) == 0) ++pivot;
      // Any non-zero pivot is valid: the last one is taken, so that exchanges occur.
      for (std::size_t i = pivot; i < in(0).rows; ++i)
        if (in(0)(i, step) != 0) pivot = i;
      r(step, 0) = pivot;
    } else if (op == "swap_rows") {
      r = in(0);
      for (std::size_t j = 0; j < r.columns; ++j)
        std::swap(r(step, j), r(static_cast<std::size_t>(in(1)(step, 0).real), j));
    } else if (op == "column_magnitudes") {
      r = matrix(in(0).columns, 1);  // magnitudes have no meaning in a field
    } else if (op == "row_deconstruct") {
      r = eliminate(in(0), step);
    } else if (op == "permute_columns") {
      r = in(0);
      for (std::size_t k = r.columns; k-- > 0;)
        for (std::size_t i = 0; i < r.rows; ++i)
          std::swap(r(i, k), r(i, static_cast<std::size_t>(in(1)(k, 0).real)));
    } else {
      throw std::string("no exact evaluation of ") + op;
    }
    out[wf::index_of(wf::graph_view::output_of(n))] = r;
  }
  return out;
}

}  // namespace field
