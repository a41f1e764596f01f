// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/bilinear.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>
#include <Eigen/Core>

#include "plain_scheme.hpp"

using namespace wf::compute;

namespace {

double error_of(const bilinear_scheme& s, Eigen::Index m, Eigen::Index k, Eigen::Index n,
                bool by_columns) {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(m, k), b = Eigen::MatrixXd::Random(k, n);
  Eigen::MatrixXd out = Eigen::MatrixXd::Constant(m, n, NAN);
  std::vector<double> scratch(static_cast<std::size_t>(bilinear_scratch<double>(m, n, k)));
  const Eigen::MatrixXd turned = b.transpose(), product = a * b;
  const matrix_view<double> right =
      by_columns ? columns_at(b.data(), k, n) : rows_at(turned.data(), k, n);
  const matrix_ref<double> to =
      by_columns ? columns_at(out.data(), m, n) : rows_at(out.data(), m, n);
  multiply_bilinear(s, to, columns_at(a.data(), m, k), right, scratch.data());
  double largest = 0;
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      largest = std::max(largest,
                         std::isfinite(to(i, j)) ? std::abs(to(i, j) - product(i, j)) : INFINITY);
  return largest;
}

}  // namespace

TEST_CASE("schemes multiply matrices of any extents") {
  const bilinear_scheme schemes[] = {strassen_scheme(), winograd_scheme(), plain_scheme(3, 2, 5),
                                     compose(strassen_scheme(), plain_scheme(1, 2, 2)),
                                     compose(strassen_scheme(), winograd_scheme())};
  for (const bilinear_scheme& s : schemes) {
    CHECK(is_valid(s));
    for (const bool by_columns : {true, false})
      for (const Eigen::Index m : {1, 2, 7, 50, 61})
        for (const Eigen::Index k : {1, 4, 33})
          for (const Eigen::Index n : {1, 6, 45}) {
            CAPTURE(m);
            CAPTURE(k);
            CAPTURE(n);
            CHECK(error_of(s, m, k, n, by_columns) < 1e-12);
          }
    CHECK(error_of(s, 0, 3, 4, true) == 0);
    CHECK(error_of(s, 3, 0, 4, true) == 0);
    CHECK(error_of(s, 3, 4, 0, false) == 0);
  }
}

TEST_CASE("a product by the loops of sums is a product, and can be added") {
  const Eigen::MatrixXd a = Eigen::MatrixXd::Random(37, 51), b = Eigen::MatrixXd::Random(51, 29);
  std::vector<double> scratch(static_cast<std::size_t>(bilinear_scratch<double>(37, 29, 51)));
  Eigen::MatrixXd out = Eigen::MatrixXd::Constant(37, 29, 5);
  const matrix_ref<double> to = columns_at(out.data(), 37, 29);
  multiply_fused(to, columns_at(a.data(), 37, 51), columns_at(b.data(), 51, 29), scratch.data());
  CHECK((out - a * b).norm() < 1e-12);
  multiply_fused(to, columns_at(a.data(), 37, 51), columns_at(b.data(), 51, 29), scratch.data(),
                 true);
  CHECK((out - 2 * a * b).norm() < 1e-12);
}
