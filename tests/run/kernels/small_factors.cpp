// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/small_factors.hpp>

#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "../matrices.hpp"

namespace {

using wf::compute::detail::pivoting;
using wf::compute::detail::small_factors;

using namespace matrices;

// A random, badly scaled or permuted matrix, depending on the round.
matrix general_matrix(Eigen::Index n, int round, std::mt19937_64& random) {
  matrix a = matrices::random(n, n, random);
  if (round % 3 == 1)
    for (Eigen::Index i = 0; i < n; ++i) a(i, 0) *= 1e-6;
  if (round % 3 == 2) {
    a = scaled(a, 0.01 / static_cast<double>(n));
    for (Eigen::Index i = 0; i < n; ++i) a(i, n - 1 - i) += 1;
  }
  return a;
}
matrix definite_matrix(Eigen::Index n, int round, std::mt19937_64& random) {
  const matrix a = matrices::random(n, n, random);
  matrix s = sum(product(a, transposed(a)), identity(n, 0.125));
  if (round % 2 == 1)
    for (Eigen::Index i = 0; i < n; ++i) s(i, i) *= 1 + round;
  return s;
}
// True if x solves a·x = b up to this factor of rounding errors.
bool solves(const matrix& a, const matrix& x, const matrix& b, double near) {
  return distance(product(a, x), b) <= near * (norm(a) * norm(x) + norm(b));
}

// Tests solutions of random, badly scaled and permuted systems; and singular ones.
template <class Scalar, int N>
void check_size(std::mt19937_64& random) {
  CAPTURE(N);
  using square = Eigen::Matrix<Scalar, N, N>;
  using column = Eigen::Matrix<Scalar, N, 1>;
  using sides = Eigen::Matrix<Scalar, 3, N>;
  const double near = 200 * N * double{std::numeric_limits<Scalar>::epsilon()};
  small_factors<Scalar, N, pivoting::largest> general;
  small_factors<Scalar, N, pivoting::none> definite;
  small_factors<Scalar, N, pivoting::tame> tame;
  for (int round = 0; round < 20; ++round) {
    const column b = narrow<column>(matrices::random(N, 1, random));
    const matrix wide_b = wide(b);
    column x;
    square a = narrow<square>(general_matrix(N, round, random));
    REQUIRE(general.factorise(a));
    general.solve(x, b);
    CHECK(solves(wide(a), wide(x), wide_b, near));
    const sides right = narrow<sides>(matrices::random(3, N, random));
    const matrix wide_right = transposed(wide(right));
    sides rows, spent = right;
    general.solve_rows(rows, spent);
    CHECK(solves(wide(a), transposed(wide(rows)), wide_right, near));
    // Solves without exchanges, but only if the multipliers are small.
    square near_identity = narrow<square>(
        sum(identity(N), matrices::random(N, N, random), 1 / static_cast<double>(2 * N)));
    REQUIRE(tame.factorise(near_identity));
    tame.solve(x, b);
    CHECK(distance(product(wide(near_identity), wide(x)), wide_b) <=
          near * (2 * norm(wide(x)) + norm(wide_b)));
    near_identity(0, 0) = Scalar(0.01);  // no longer small
    near_identity(N - 1, 0) = 1;
    CHECK(tame.factorise(near_identity) == (N == 1));
    square s = narrow<square>(definite_matrix(N, round, random));
    REQUIRE(definite.factorise(s));
    definite.solve(x, b);
    CHECK(solves(wide(s), wide(x), wide_b, near));
    spent = right;
    definite.solve_rows(rows, spent);
    // s is symmetric up to rounding.
    CHECK(solves(transposed(wide(s)), transposed(wide(rows)), wide_right, near));
    // Together, and one after the other.
    column at_once;
    REQUIRE(definite.factorise_and_solve(at_once, s, b));
    CHECK(distance(wide(at_once), wide(x)) <= near * norm(wide(x)));
    REQUIRE(general.factorise_and_solve(at_once, s, b));
    CHECK(solves(wide(s), wide(at_once), wide_b, near));

    // A linearly dependent column, a zero column, a negative eigenvalue, NaN.
    square singular = a;
    for (int i = 0; i < N; ++i) singular(i, N - 1) = N > 1 ? singular(i, 0) * Scalar(2) : Scalar(0);
    CHECK_FALSE(general.factorise(singular));
    for (int i = 0; i < N; ++i) singular(i, N / 2) = 0;
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
