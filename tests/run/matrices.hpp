// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cmath>
#include <random>

#include <Eigen/Core>

// Matrices of the tests of the executors, by plain loops: expressions of Eigen take long to
// compile.
namespace matrices {

using matrix = Eigen::MatrixXd;

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

// The largest difference between a matrix and what f(i, j) says; infinite if it has another size.
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
// Row `to` becomes row `from`.
inline void copy_row(matrix& m, Eigen::Index from, Eigen::Index to) {
  for (Eigen::Index j = 0; j < m.cols(); ++j) m(to, j) = m(from, j);
}

}  // namespace matrices
