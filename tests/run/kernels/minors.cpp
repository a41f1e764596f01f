// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/minors.hpp>

#include <random>

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace {

using wf::compute::detail::most_condition;
using wf::compute::detail::solve_by_minors;

template <class Scalar>
struct system_of_four {
  using square = Eigen::Matrix<Scalar, 4, 4>;
  using column = Eigen::Matrix<Scalar, 4, 1>;
  std::mt19937_64 random{2032};
  std::uniform_real_distribution<Scalar> uniform{-1, 1};

  square some() {
    return square::NullaryExpr([&] { return uniform(random); });
  }
  template <bool Definite = false>
  bool solve(column& x, const square& a, const column& b) {
    return solve_by_minors<Definite>(x, a.data(), 4, b.data());
  }
  // Checks that an accepted solution is as accurate as the condition number allows.
  template <bool Definite = false>
  bool check(const square& a, const column& b) {
    column x;
    if (!solve<Definite>(x, a, b)) return false;
    const auto values = Eigen::JacobiSVD<square>(a).singularValues();
    CHECK(values(0) <= most_condition * values(3));
    const Scalar near = 20 * most_condition * std::numeric_limits<Scalar>::epsilon();
    CHECK((a * x - b).norm() <= near * a.norm() * x.norm());
    const column exact = a.template cast<double>()
                             .fullPivLu()
                             .solve(b.template cast<double>())
                             .template cast<Scalar>();
    CHECK((x - exact).norm() <= near * exact.norm());
    return true;
  }
};

template <class Scalar>
void check_general() {
  system_of_four<Scalar> of;
  using square = typename system_of_four<Scalar>::square;
  using column = typename system_of_four<Scalar>::column;
  int trusted = 0;
  for (int round = 0; round < 2000; ++round) {
    const square a = of.some() * std::ldexp(Scalar(1), round % 9 - 4);
    const column b = of.some().col(0) * std::ldexp(Scalar(1), round % 13 - 6);
    trusted += of.check(a, b) ? 1 : 0;
  }
  CHECK(trusted > 1000);
  // A permutation matrix, which elimination cannot solve without exchanges.
  square turned = square::Identity().rowwise().reverse();
  CHECK(of.check(turned, of.some().col(0)));

  column x;
  const column b = of.some().col(0);
  for (int round = 0; round < 200; ++round) {
    square singular = of.some();
    singular.col(round % 4) = singular.col((round + 1) % 4) * of.uniform(of.random);
    CHECK_FALSE(of.solve(x, singular, b));
    singular.row(round % 4).setZero();
    CHECK_FALSE(of.solve(x, singular, b));
  }
  CHECK_FALSE(of.solve(x, square::Zero(), b));
  const Scalar nan = std::numeric_limits<Scalar>::quiet_NaN();
  const Scalar infinity = std::numeric_limits<Scalar>::infinity();
  for (const Scalar wrong : {nan, infinity, -infinity})
    for (int i = 0; i < 16; ++i) {
      square a = square::Identity();
      a.data()[i] = wrong;
      CHECK_FALSE(of.solve(x, a, b));
      column c = b;
      c(i % 4) = wrong;
      CHECK_FALSE(of.solve(x, square::Identity(), c));
    }
  // Matrices with possible overflow or underflow are rejected.
  const int range = std::numeric_limits<Scalar>::max_exponent;
  for (const int exponent : {range / 4, range / 2, range - 2})
    for (const int sign : {1, -1}) {
      const Scalar scale = std::ldexp(Scalar(1), sign * exponent);
      CHECK_FALSE(of.solve(x, square::Identity() * scale, b));
      if (exponent > range / 4) CHECK_FALSE(of.solve(x, square::Identity(), b * scale));
    }
}

template <class Scalar>
void check_definite() {
  system_of_four<Scalar> of;
  using square = typename system_of_four<Scalar>::square;
  using column = typename system_of_four<Scalar>::column;
  int trusted = 0;
  column x;
  for (int round = 0; round < 500; ++round) {
    const square a = of.some();
    const square definite = a * a.transpose() + square::Identity() / Scalar(4);
    const column b = of.some().col(0);
    trusted += of.template check<true>(definite, b) ? 1 : 0;
    // Negative eigenvalues: every combination of signs except all positive.
    const square turned = a.householderQr().householderQ();
    for (int signs = 1; signs < 16; ++signs) {
      column values;
      for (int i = 0; i < 4; ++i)
        values(i) = ((signs >> i) % 2 != 0 ? -1 : 1) * (Scalar(1.5) + of.uniform(of.random));
      const square indefinite = turned * values.asDiagonal() * turned.transpose();
      CHECK_FALSE(of.template solve<true>(x, indefinite, b));
    }
  }
  CHECK(trusted > 250);
}

}  // namespace

TEST_CASE("four equations are solved by determinants where those can be trusted") {
  check_general<double>();
  check_general<float>();
}

TEST_CASE("a matrix that is not definite is never taken for one") {
  check_definite<double>();
  check_definite<float>();
}
