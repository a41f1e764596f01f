// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/blas/blas_kernels.hpp>

#include "../operators/linalg/applied.hpp"

// Applies wf's operators and those of a library to the same operands, and bounds their errors.
namespace in_library {

using namespace applied;

// An operator by wf (0) or by the library (1).
inline apply::outcome run(int which, wf::text_view op, const std::vector<tensor>& in,
                          const std::vector<wf::value_type>& out,
                          const std::vector<wf::properties>& known = {},
                          const apply::layout& lies = {}) {
  const auto& library = compute::blas_operators<double>;
  const auto family = which == 0 ? compute::linalg_operators<double>()
                                 : wf::view<compute::operator_implementation<double>>(
                                       library.data(), library.size());
  return apply::run(family, op, in, out, {}, known, lies);
}

// Matrices as functions of row and column.
struct matrix {
  int rows = 0, columns = 0;
  std::vector<double> elements;  // by rows

  matrix(int m, int n) : rows(m), columns(n), elements(static_cast<std::size_t>(m * n)) {}
  explicit matrix(const tensor& t)
      : rows(static_cast<int>(t.dims[0].size())),
        columns(t.dims.rank == 2 ? static_cast<int>(t.dims[1].size()) : 1),
        elements(t.elements) {}
  double& operator()(int i, int j) { return elements[at(i, j, columns)]; }
  double operator()(int i, int j) const { return elements[at(i, j, columns)]; }
  matrix transposed() const {
    matrix out(columns, rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) out(j, i) = (*this)(i, j);
    return out;
  }
  // One triangle, with ones on its diagonal if `unit`.
  matrix triangle(bool upper, bool unit = false) const {
    matrix out(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        if (i == j ? !unit : (i < j) == upper) out(i, j) = (*this)(i, j);
    for (int i = 0; unit && i < rows; ++i) out(i, i) = 1;
    return out;
  }
  tensor as_tensor() const { return {shape::of(rows, columns), elements}; }
};

inline matrix random_matrix(int rows, int columns, std::mt19937_64& random) {
  return matrix(apply::random_tensor(shape::of(rows, columns), random));
}
// The rows of a matrix in the order of a permutation.
inline matrix permuted(const matrix& m, const tensor& order) {
  matrix out(m.rows, m.columns);
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j)
      out(i, j) = m(static_cast<int>(order.elements[static_cast<std::size_t>(i)]), j);
  return out;
}

// True if |a·b + c - found| ≤ 4·(k + 4)·ε·(|a|·|b| + |c| + |found|) in each element, for k
// summands: four times the bound of one product or substitution in any order. Source: N. Higham,
// Accuracy and Stability of Numerical Algorithms, 2002, sections 3.5, 8.1, 9.3 and 10.1.
inline bool is_product(const matrix& found, const matrix& a, const matrix& b,
                       const matrix* c = nullptr) {
  bool within = found.rows == a.rows && found.columns == b.columns && a.columns == b.rows;
  for (int i = 0; within && i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      long double sum = c == nullptr ? 0 : (*c)(i, j), scale = std::abs(sum);
      for (int k = 0; k < a.columns; ++k) {
        const long double term = static_cast<long double>(a(i, k)) * b(k, j);
        sum += term, scale += std::abs(term);
      }
      const long double bound = 4.0L * (a.columns + 4) * 2.3e-16L *
                                (scale + std::abs(static_cast<long double>(found(i, j))));
      within = within && std::abs(sum - found(i, j)) <= bound;  // false for a NaN
    }
  return within;
}

}  // namespace in_library
