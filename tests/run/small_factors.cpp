// SPDX-License-Identifier: BSL-1.0
#include <wf/run/small_factors.hpp>

#include <random>

#include <doctest/doctest.h>

#include <Eigen/LU>

namespace {

using wf::compute::detail::pivoting;
using wf::compute::detail::small_factors;

// Solutions of random systems, of badly scaled and of permuted ones; and what has none.
template <class Scalar, int N>
void check_size(std::mt19937_64& random) {
  CAPTURE(N);
  using square = Eigen::Matrix<Scalar, N, N>;
  using column = Eigen::Matrix<Scalar, N, 1>;
  std::uniform_real_distribution<Scalar> uniform(-1, 1);
  const auto some = [&] { return square(square::NullaryExpr([&] { return uniform(random); })); };
  const Scalar near = 200 * N * std::numeric_limits<Scalar>::epsilon();
  small_factors<Scalar, N, pivoting::largest> general;
  small_factors<Scalar, N, pivoting::none> definite;
  for (int round = 0; round < 20; ++round) {
    const column b = some().col(0);
    column x;
    square a = some();
    if (round % 3 == 1) a.col(0) *= Scalar(1e-6);
    if (round % 3 == 2) a = a * Scalar(0.01) / N + square(square::Identity().rowwise().reverse());
    REQUIRE(general.factorise(a));
    general.solve(x, b);
    CHECK((a * x - b).norm() <= near * (a.norm() * x.norm() + b.norm()));
    Eigen::Matrix<Scalar, 3, N> right = Eigen::Matrix<Scalar, 3, N>::Random(), rows;
    auto spent = right;
    general.solve_rows(rows, spent);
    CHECK((rows * a.transpose() - right).norm() <= near * (a.norm() * rows.norm() + right.norm()));
    // Without exchanges only where rows need not be multiplied by much.
    small_factors<Scalar, N, pivoting::tame> tame;
    const square near_identity = some() / Scalar(2 * N) + square::Identity();
    REQUIRE(tame.factorise(near_identity));
    tame.solve(x, b);
    CHECK((near_identity * x - b).norm() <= near * (2 * x.norm() + b.norm()));
    square wild = near_identity;
    wild(0, 0) = Scalar(0.01);
    wild(N - 1, 0) = 1;
    CHECK(tame.factorise(wild) == (N == 1));
    square s = some();
    s = s * s.transpose() + square::Identity() / Scalar(8);
    if (round % 2 == 1) s.diagonal().array() *= Scalar(1 + round);
    REQUIRE(definite.factorise(s));
    definite.solve(x, b);
    CHECK((s * x - b).norm() <= near * (s.norm() * x.norm() + b.norm()));
    spent = right;
    definite.solve_rows(rows, spent);
    CHECK((rows * s - right).norm() <= near * (s.norm() * rows.norm() + right.norm()));
    // At once, and one after the other.
    column at_once;
    REQUIRE(definite.factorise_and_solve(at_once, s, b));
    CHECK((at_once - x).norm() <= near * x.norm());
    REQUIRE(general.factorise_and_solve(at_once, s, b));
    CHECK((s * at_once - b).norm() <= near * (s.norm() * at_once.norm() + b.norm()));

    // A column that is a combination of others, or zero; an eigenvalue below zero; no numbers.
    square singular = a;
    singular.col(N - 1) = N > 1 ? column(singular.col(0) * Scalar(2)) : column(column::Zero());
    CHECK_FALSE(general.factorise(singular));
    singular.col(N / 2).setZero();
    CHECK_FALSE(general.factorise(singular));
    square indefinite = s;
    indefinite(N / 2, N / 2) = -indefinite(N / 2, N / 2);
    CHECK_FALSE(definite.factorise(indefinite));
    a(0, N - 1) = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK_FALSE(general.factorise(a));
    s(N - 1, N - 1) = std::numeric_limits<Scalar>::quiet_NaN();
    CHECK_FALSE(definite.factorise(s));
  }
}

}  // namespace

TEST_CASE("small matrices are eliminated column by column") {
  std::mt19937_64 random(2029);
  check_size<double, 1>(random);
  check_size<double, 3>(random);
  check_size<double, 4>(random);
  check_size<double, 8>(random);
  check_size<double, 17>(random);
  check_size<double, 32>(random);
  check_size<double, 64>(random);
  check_size<float, 9>(random);
  check_size<float, 48>(random);
}
