// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/own_routines.hpp>

#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::compute::columns_at, wf::compute::own_routines, wf::compute::triangle;

}  // namespace

TEST_CASE("the routines together: a product with a factor is what the factor solves") {
  constexpr Eigen::Index n = 20, m = 4;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> root(n * n), x(n * m), a(n * n), b(n * m), spare(1 << 14), scratch(1 << 16);
  for (double& each : root) each = uniform(random);
  for (double& each : x) each = uniform(random);
  for (Eigen::Index i = 0; i < n; ++i) root[static_cast<std::size_t>(i * (n + 1))] += n;
  const auto r = columns_at(root.data(), n, n);
  // A = R·R', symmetric and positive definite, and b = A·x.
  own_routines::multiply_symmetric<double>(columns_at(a.data(), n, n), r, r.transposed(),
                                           scratch.data());
  const auto product = columns_at(a.data(), n, n);
  own_routines::multiply_by_symmetric<double>(columns_at(b.data(), n, m), product,
                                              columns_at(x.data(), n, m), scratch.data());
  std::vector<double> same(b.size()), rest(b.size());
  own_routines::multiply<double>(columns_at(same.data(), n, m), product, columns_at(x.data(), n, m),
                                 scratch.data());
  own_routines::multiply_onto<double>(columns_at(rest.data(), n, m), columns_at(b.data(), n, m), -1,
                                      product, columns_at(x.data(), n, m), scratch.data());
  for (const double each : rest) CHECK(std::abs(each) < 1e-10);
  for (std::size_t i = 0; i < b.size(); ++i) CHECK(same[i] == doctest::Approx(b[i]));
  std::vector<double> lu = a, rows(n), solved = b, triangular(b.size());
  REQUIRE(own_routines::factorise_cholesky<double>(product, scratch.data()));
  own_routines::multiply_triangle<double>(columns_at(triangular.data(), n, m), triangle::lower,
                                          product, columns_at(x.data(), n, m), scratch.data());
  own_routines::solve_triangle<double>(triangle::lower, product,
                                       columns_at(triangular.data(), n, m), scratch.data());
  own_routines::solve_triangle<double>(triangle::lower, product, columns_at(solved.data(), n, m),
                                       scratch.data());
  own_routines::solve_triangle<double>(triangle::upper, product.transposed(),
                                       columns_at(solved.data(), n, m), scratch.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(triangular[i] == doctest::Approx(x[i]));
    CHECK(solved[i] == doctest::Approx(x[i]));
  }
  own_routines::factorise_lu<double>(columns_at(lu.data(), n, n), rows.data(), scratch.data());
  double determinant = 1, square = 1;
  for (std::size_t i = 0; i < n; ++i) {
    determinant *= lu[i * (n + 1)] * (rows[i] == static_cast<double>(i) ? 1 : -1);
    square *= a[i * (n + 1)] * a[i * (n + 1)];
  }
  CHECK(determinant == doctest::Approx(square));
}
