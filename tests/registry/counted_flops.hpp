// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

// Flops of the algorithms with which matrices are multiplied, factorised and solved with, counted
// by textbook loops without arithmetic. An addition, a multiplication, a division and a square root
// are one flop each; a change of sign that a subtraction absorbs is none. A complex addition is two
// flops, a complex multiplication six. Independent of the kernels' formulas.
namespace counted_flops {

using count = std::int64_t;

// Flops of an addition and of a multiplication.
inline count an_addition = 1, a_product = 1;
struct complex_arithmetic {
  complex_arithmetic() { an_addition = 2, a_product = 6; }
  ~complex_arithmetic() { an_addition = a_product = 1; }
};

// The extents named M, N and K in a kernel's signature.
struct sizes {
  count m = 1, n = 1, k = 1;
};

// A sum of `terms` products that starts with the first product; `onto` adds to an existing value.
inline count sum_of(count terms) {
  return terms == 0 ? 0 : terms * a_product + (terms - 1) * an_addition;
}
inline count onto(count terms) { return terms * (a_product + an_addition); }

// C (m by n) = A (m by k) · B, with sums that start from zero.
inline count product(count m, count n, count k) {
  count flops = 0;
  for (count i = 0; i < m; ++i)
    for (count j = 0; j < n; ++j) flops += onto(k);
  return flops;
}
// The lower triangle of a product with m rows, diagonal included.
inline count half_product(count m, count k) {
  count flops = 0;
  for (count i = 0; i < m; ++i)
    for (count j = 0; j <= i; ++j) flops += onto(k);
  return flops;
}
inline count triangle_times(count m, count n) {
  count flops = 0;
  for (count i = 0; i < m; ++i) flops += n * onto(i + 1);
  return flops;
}

// L of A = L·L' by columns; each is multiplied by the reciprocal of its diagonal element.
inline count cholesky(count m) {
  count flops = 0;
  for (count j = 0; j < m; ++j) {
    flops += onto(j) + a_product;                  // the diagonal element and its root
    flops += (m - j - 1) * (onto(j) + a_product);  // the elements below it
  }
  return flops;
}
// L and U of P·A = L·U: a reciprocal per column, then a product with it per element.
inline count lu(count m) {
  count flops = 0;
  for (count j = 0; j < m; ++j) flops += (m - j) * a_product + onto((m - j - 1) * (m - j - 1));
  return flops;
}
// One right side: with a unit diagonal, and with a division by the diagonal.
inline count substitute_unit(count m) {
  count flops = 0;
  for (count i = 0; i < m; ++i) flops += onto(i);
  return flops;
}
inline count substitute(count m) { return substitute_unit(m) + m * a_product; }
// L⁻¹ by columns; each diagonal element is inverted once.
inline count invert_triangle(count m) {
  count flops = m * a_product;
  for (count j = 0; j < m; ++j)
    for (count i = j + 1; i < m; ++i) flops += sum_of(i - j) + a_product;
  return flops;
}
// The lower triangle of L⁻ᵀ·L⁻¹.
inline count square_of_triangle(count m) {
  count flops = 0;
  for (count i = 0; i < m; ++i)
    for (count j = 0; j <= i; ++j) flops += sum_of(m - i);
  return flops;
}
// U⁻¹, then X with X·L = U⁻¹ column by column, from the last to the first.
inline count invert_by_lu(count m) {
  count flops = lu(m) + invert_triangle(m);
  for (count j = 0; j < m; ++j) flops += m * onto(m - j - 1);
  return flops;
}
// D and L of A = L·D·L' without exchanges, by Cholesky's scheme: only a triangle of each update.
inline count ldl(count m) {
  count flops = 0;
  for (count j = 0; j < m; ++j) {
    const count below = m - j - 1;
    flops += (1 + below) * a_product +
             onto(below * (below + 1) / 2);  // a reciprocal, the column, half of a rank-1 update
  }
  return flops;
}
// The reflections of A (m by n, m >= n) and their application to n more columns.
inline count reflections(count m, count n) {
  count flops = 0;
  for (count j = 0; j < n; ++j) {
    const count rows = m - j, columns = n - j - 1;
    flops += onto(rows) + 4 + rows;                // a norm and the reflector
    flops += columns * (onto(rows) + onto(rows));  // v'·a, a - v·(v'·a)
  }
  return flops;
}
inline count reflect(count m, count n, count columns) {
  count flops = 0;
  for (count j = 0; j < n; ++j) flops += columns * (2 * onto(m - j));
  return flops;
}
inline count orthogonal_factor(count m, count n) {
  count flops = 0;
  for (count j = n; j-- > 0;) flops += (n - j) * 2 * onto(m - j);
  return flops;
}

// An algorithm, and the allowed difference of the kernel's formula: where that is LAPACK's own
// count (LAPACK Working Note 41), its loops treat signs, norms and first elements differently.
struct row {
  std::function<count(const sizes&)> flops;
  std::function<count(const sizes&)> slack = [](const sizes&) { return count{0}; };
};

inline const std::map<std::string, row>& algorithms() {
  using s = const sizes&;
  static const std::map<std::string, row> all = {
      {"matmul", {[](s x) { return product(x.m, x.n, x.k); }}},
      {"matmul_add", {[](s x) { return product(x.m, x.n, x.k); }}},
      {"matmul_subtract", {[](s x) { return product(x.m, x.n, x.k); }}},
      {"gemmt", {[](s x) { return half_product(x.m, x.k); }}},
      {"syr2k", {[](s x) { return product(x.m, x.m, x.k) + x.m * (x.m + 1) / 2 * an_addition; }}},
      // T·B with T + T' for the matrix: its diagonal is halved once.
      {"matmul_half", {[](s x) { return x.m + triangle_times(x.m, x.n); }}},
      {"matmul_symmetric", {[](s x) { return product(x.m, x.n, x.m); }}},
      {"matmul_triangular", {[](s x) { return triangle_times(x.m, x.n); }}},
      {"matmul_diagonal", {[](s x) { return x.m * x.n * a_product; }}},
      {"matmul_permutation", {[](s) { return count{0}; }}},
      {"matvec_permutation", {[](s) { return count{0}; }}},
      {"matvec", {[](s x) { return product(x.m, 1, x.k); }}},
      {"matvec_symmetric", {[](s x) { return product(x.m, 1, x.m); }}},
      {"inverse", {[](s x) { return invert_by_lu(x.m); }, [](s x) { return x.m; }}},
      {"inverse_cholesky",
       {[](s x) { return cholesky(x.m) + invert_triangle(x.m) + square_of_triangle(x.m); }}},
      {"inverse_symmetric",
       {[](s x) { return ldl(x.m) + invert_triangle(x.m) + square_of_triangle(x.m); },
        [](s x) { return x.m * (x.m + 2); }}},
      {"inverse_triangular", {[](s x) { return invert_triangle(x.m); }}},
      {"inverse_diagonal", {[](s x) { return x.m * a_product; }}},
      {"solve", {[](s x) { return lu(x.m) + x.n * (substitute_unit(x.m) + substitute(x.m)); }}},
      {"solve_right",
       {[](s x) { return lu(x.m) + x.n * (substitute_unit(x.m) + substitute(x.m)); }}},
      {"solve_cholesky", {[](s x) { return cholesky(x.m) + x.n * 2 * substitute(x.m); }}},
      {"solve_right_cholesky", {[](s x) { return cholesky(x.m) + x.n * 2 * substitute(x.m); }}},
      {"solve_symmetric",
       {[](s x) { return ldl(x.m) + x.n * (2 * substitute_unit(x.m) + x.m * a_product); },
        [](s x) { return 3 * x.m; }}},
      {"dot", {[](s x) { return onto(x.n); }}},
      {"outer", {[](s x) { return x.m * x.n * a_product; }}},
      {"axpy", {[](s x) { return onto(x.n); }}},
      // The squares, their sum, and a root.
      {"norm", {[](s x) { return sum_of(x.n) + 1; }}},
      {"trace", {[](s x) { return (x.m - 1) * an_addition; }}},
      {"diagonal", {[](s) { return count{0}; }}},
      {"product_diagonal", {[](s x) { return x.m * onto(x.k); }}},
      {"identity_like", {[](s) { return count{0}; }}},
      {"cholesky", {[](s x) { return cholesky(x.m); }}},
      {"lu", {[](s x) { return lu(x.m); }}},
      {"lu_factor", {[](s x) { return lu(x.m); }}},
      {"solve_lu", {[](s x) { return x.n * (substitute_unit(x.m) + substitute(x.m)); }}},
      {"solve_lu_transposed", {[](s x) { return x.n * (substitute_unit(x.m) + substitute(x.m)); }}},
      {"ldl_factor", {[](s x) { return ldl(x.m); }, [](s x) { return 3 * x.m; }}},
      {"solve_ldl", {[](s x) { return x.n * (2 * substitute_unit(x.m) + x.m * a_product); }}},
      {"qr",
       {[](s x) { return reflections(x.m, x.n) + orthogonal_factor(x.m, x.n); },
        [](s x) { return 3 * x.m * x.n; }}},
      {"least_squares",
       {[](s x) { return reflections(x.m, x.n) + reflect(x.m, x.n, x.k) + x.k * substitute(x.n); },
        [](s x) { return x.n * (x.n + x.k + 2); }}},
      {"solve_triangular", {[](s x) { return x.n * substitute(x.m); }}},
      {"solve_diagonal", {[](s x) { return x.m * x.n * a_product; }}},
  };
  return all;
}

}  // namespace counted_flops
