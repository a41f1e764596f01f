// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/orthogonal.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/QR>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("least squares keep the digits that the normal equations lose") {
  // Vandermonde matrices of points between 0 and 1: their condition grows tenfold per degree.
  using exact = long double;
  const int m = 60;
  double worst_ratio = 0;
  for (const int n : {5, 8, 10}) {
    std::vector<exact> wanted;
    tensor a(shape::of(m, n)), b(shape::of(m));
    for (int j = 0; j < n; ++j) wanted.push_back(j % 2 == 0 ? 1 + j : -j);
    Eigen::Matrix<exact, Eigen::Dynamic, Eigen::Dynamic> A(m, n);
    for (int i = 0; i < m; ++i) {
      exact power = 1;
      for (int j = 0; j < n; ++j, power *= static_cast<exact>(i) / m) {
        a.elements[at(i, j, n)] = static_cast<double>(power);
        A(i, j) = static_cast<exact>(a.elements[at(i, j, n)]);
      }
      b.elements[at(i, 0, 1)] = std::cos(0.37 * i) + 0.1 * std::sin(static_cast<double>(i * i));
    }
    using exact_vector = Eigen::Matrix<exact, Eigen::Dynamic, 1>;
    exact_vector right(m);
    for (int i = 0; i < m; ++i) right(i) = static_cast<exact>(b.elements[at(i, 0, 1)]);
    const exact_vector solution = A.householderQr().solve(right);
    const tensor found = *run("least_squares", {a, b}, {apply::f64(n)});
    const Eigen::MatrixXd D = A.cast<double>();
    const Eigen::VectorXd normal =
        (D.transpose() * D).llt().solve(D.transpose() * right.cast<double>());
    const auto error = [&](const auto& x) {
      exact sum = 0;
      for (int j = 0; j < n; ++j) {
        const exact difference = static_cast<exact>(x[static_cast<std::size_t>(j)]) - solution(j);
        sum += difference * difference;
      }
      return static_cast<double>(std::sqrt(sum) / solution.norm());
    };
    const double condition = std::abs(D.householderQr().matrixQR().diagonal()(0) /
                                      D.householderQr().matrixQR().diagonal()(n - 1));
    const double mine = error(found.elements);
    const double theirs = error(std::vector<double>(normal.begin(), normal.end()));
    CAPTURE(n);
    CAPTURE(condition);
    CAPTURE(mine);
    CAPTURE(theirs);
    CHECK(mine < 1e-14 * condition);
    worst_ratio = std::max(worst_ratio, theirs / mine);
  }
  CHECK(worst_ratio > 1e3);
}

TEST_CASE("least squares refuse what is not of full rank, or wide") {
  std::mt19937_64 random(41);
  for (const auto& [m, n] : {std::pair{1, 1}, {5, 2}, {40, 20}, {200, 90}}) {
    tensor a = apply::random_tensor(shape::of(m, n), random);
    const tensor b = apply::random_tensor(shape::of(m, 2), random);
    const auto solved = [&] { return run("least_squares", {a, b}, {apply::f64(n, 2)}).why; };
    CHECK(solved() == "");
    for (double& x : a.elements) x *= 1e-200;  // independent of scale
    CHECK(solved() == "");
    for (int i = 0; i < m; ++i)
      a.elements[at(i, n - 1, n)] = n > 1 ? -3 * a.elements[at(i, 0, n)] : 0.0;
    CHECK(solved() == "the matrix is not of full rank");
  }
  CHECK(run("least_squares", {tensor(shape::of(2, 3)), tensor(shape::of(2, 1))}, {apply::f64(3, 1)})
            .why == "the matrix has more columns than rows");
}

TEST_CASE("factors of tall matrices") {
  std::mt19937_64 random(22);
  for (const auto& [m, n] : {std::pair{3, 3}, {5, 2}, {30, 20}, {1, 1}, {4, 0}, {150, 130}}) {
    tensor a = apply::random_tensor(shape::of(m, n), random);
    for (int i = 0; n > 1 && i < m; ++i)  // a linearly dependent column, and a zero column
      a.elements[at(i, 1, n)] = i % 2 == 0 ? 0 : 2 * a.elements[at(i, 0, n)];
    const auto qr = run("qr", {a}, {apply::f64(m, n), apply::f64(n, n)});
    const tensor &q = *qr, &r = qr.results[1];
    apply::for_each_index(a.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += q.at({i[0], k}) * r.at({k, i[1]});
      CHECK(sum == doctest::Approx(a.at(i)));
    });
    apply::for_each_index(r.dims, [&](const auto& i) {
      double sum = 0;
      for (std::int64_t k = 0; k < m; ++k) sum += q.at({k, i[0]}) * q.at({k, i[1]});
      CHECK(sum == doctest::Approx(i[0] == i[1] ? 1.0 : 0.0));
      if (i[0] > i[1]) CHECK(r.at(i) == 0);
    });
  }
  const tensor zeros(shape::of(3, 2), std::vector<double>(6, 0.0));
  const auto of_zeros = run("qr", {zeros}, {apply::f64(3, 2), apply::f64(2, 2)});
  for (double x : (*of_zeros).elements) CHECK(std::isfinite(x));
  CHECK(run("qr", {tensor(shape::of(2, 3))}, {apply::f64(2, 3), apply::f64(3, 3)}).why ==
        "the matrix has more columns than rows");
}
