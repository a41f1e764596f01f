// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <random>

#include <Eigen/Core>

// Matrices for the tests of executors, with plain loops: Eigen's expressions take long to compile.
namespace matrices {

using matrix = Eigen::MatrixXd;
template <int N>
using fixed = Eigen::Matrix<double, N, N>;

inline matrix random(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& source) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = uniform(source);
  return m;
}
inline matrix filled(Eigen::Index rows, Eigen::Index columns, double with) {
  matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m(i) = with;
  return m;
}

// The largest difference between a matrix and f(i, j); infinite if sizes differ.
template <class F>
double distance(const matrix& m, Eigen::Index rows, Eigen::Index columns, F f) {
  if (m.rows() != rows || m.cols() != columns) return INFINITY;
  double largest = 0;
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      largest = std::fmax(largest, std::abs(m(i, j) - f(i, j)));
  return largest;
}
// The norm of a·b - 1 of two square matrices.
inline double distance_from_inverse(const matrix& a, const matrix& b) {
  double square = 0;
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.rows(); ++j) {
      double sum = i == j ? -1 : 0;
      for (Eigen::Index k = 0; k < a.cols(); ++k) sum += a(i, k) * b(k, j);
      square += sum * sum;
    }
  return std::sqrt(square);
}
// Copies row `from` to row `to`.
inline void copy_row(matrix& m, Eigen::Index from, Eigen::Index to) {
  for (Eigen::Index j = 0; j < m.cols(); ++j) m(to, j) = m(from, j);
}

// Any matrix as a dynamic one of doubles, so that sums, products and norms of references are
// compiled once instead of for each type.
template <class A>
matrix wide(const A& a) {
  matrix m(a.rows(), a.cols());
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < a.rows(); ++i) m(i, j) = static_cast<double>(a(i, j));
  return m;
}
// The converse: a matrix of doubles as one of type A.
template <class A>
A narrow(const matrix& m) {
  A a(m.rows(), m.cols());
  for (Eigen::Index j = 0; j < m.cols(); ++j)
    for (Eigen::Index i = 0; i < m.rows(); ++i) a(i, j) = static_cast<typename A::Scalar>(m(i, j));
  return a;
}
inline matrix identity(Eigen::Index size, double with = 1) {
  matrix m = filled(size, size, 0);
  for (Eigen::Index i = 0; i < size; ++i) m(i, i) = with;
  return m;
}
inline matrix transposed(const matrix& a) {
  matrix m(a.cols(), a.rows());
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < a.cols(); ++j) m(j, i) = a(i, j);
  return m;
}
// a + factor·b.
inline matrix sum(const matrix& a, const matrix& b, double factor = 1) {
  matrix m = a;
  for (Eigen::Index i = 0; i < a.size(); ++i) m(i) += factor * b(i);
  return m;
}
inline matrix scaled(const matrix& a, double factor) {
  matrix m = a;
  for (Eigen::Index i = 0; i < a.size(); ++i) m(i) *= factor;
  return m;
}
inline matrix product(const matrix& a, const matrix& b) {
  matrix m = filled(a.rows(), b.cols(), 0);
  for (Eigen::Index j = 0; j < b.cols(); ++j)
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      const double factor = b(k, j);
      const double* const from = a.data() + k * a.rows();
      double* const to = m.data() + j * a.rows();
      for (Eigen::Index i = 0; i < a.rows(); ++i) to[i] += from[i] * factor;
    }
  return m;
}
// A triangle with its diagonal, and zeros elsewhere.
inline matrix lower(const matrix& a) {
  matrix m = a;
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < j && i < a.rows(); ++i) m(i, j) = 0;
  return m;
}
inline matrix upper(const matrix& a) { return transposed(lower(transposed(a))); }
inline double norm(const matrix& a) {
  double square = 0;
  for (Eigen::Index i = 0; i < a.size(); ++i) square += a(i) * a(i);
  return std::sqrt(square);
}
// The norm of the difference: NaN if an element is NaN, infinite if sizes differ.
inline double distance(const matrix& a, const matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  return norm(sum(a, b, -1));
}

// A symmetric matrix that is positive definite.
inline matrix random_definite(Eigen::Index size, std::mt19937_64& source) {
  const matrix a = random(size, size, source);
  return sum(product(a, transposed(a)), identity(size));
}
// A square matrix that is far from singular.
inline matrix random_regular(Eigen::Index size, std::mt19937_64& source) {
  return sum(random(size, size, source), identity(size), 2);
}
// The norm of a·x - b.
inline double distance_from(const matrix& a, const matrix& x, const matrix& b) {
  return distance(product(a, x), b);
}

}  // namespace matrices
