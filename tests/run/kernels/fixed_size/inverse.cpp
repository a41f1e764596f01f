// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/inverse.hpp>

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

// Tests inversion of matrices of type A, fixed or dynamic, by definition.
template <class A>
void check_inverses(Eigen::Index n, std::mt19937_64& random) {
  const matrix wide_a = random_regular(n, random), wide_s = random_definite(n, random);
  const A a = narrow<A>(wide_a), s = narrow<A>(wide_s);
  A inverted(n, n);
  CHECK(compute::inverse(inverted, a));
  CHECK(distance_from(wide_a, wide(inverted), identity(n)) < 1e-9);
  CHECK(compute::inverse(inverted, a.transpose()));
  CHECK(distance_from(transposed(wide_a), wide(inverted), identity(n)) < 1e-9);
  CHECK(compute::inverse_cholesky(inverted, s));
  CHECK(distance_from(wide_s, wide(inverted), identity(n)) < 1e-9);
}

// Both ways to invert, fixed and dynamic, must detect a failure.
template <int N>
bool any_inverts(const matrix& a) {
  fixed<N> small;
  matrix large(N, N);
  return compute::inverse(small, narrow<fixed<N>>(a)) || compute::inverse(large, a);
}

}  // namespace

TEST_CASE("inverses of fixed and dynamic size against their definition") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 20; ++round) {
    check_inverses<fixed<5>>(5, random);
    for (Eigen::Index n : {1, 2, 3, 5, 20}) check_inverses<matrix>(n, random);
  }
}

TEST_CASE("singular matrices are found at every size and scale") {
  std::mt19937_64 random(22);
  for (int round = 0; round < 200; ++round) {
    for (double scale : {1e-200, 1e-9, 1.0, 1e9, 1e200}) {
      matrix five = matrices::random(5, 5, random);
      matrix three = matrices::random(3, 3, random);
      three.row(2) = three.row(0) / 2;
      five.col(4) = five.leftCols(4).rowwise().sum();
      CHECK_FALSE(any_inverts<3>(three * scale));
      CHECK_FALSE(any_inverts<5>(five * scale));
    }
  }
  CHECK_FALSE(any_inverts<3>(matrix::Zero(3, 3)));
  CHECK_FALSE(any_inverts<3>(matrix::Constant(3, 3, std::nan(""))));
  CHECK_FALSE(any_inverts<5>(matrix::Constant(5, 5, std::nan(""))));
}

TEST_CASE("regular matrices of extreme scale or condition are inverted") {
  fixed<3> inverted;
  for (double scale : {1e-150, 1e-80, 1e80, 1e150}) {
    CHECK(compute::inverse(inverted, narrow<fixed<3>>(identity(3, scale))));
    CHECK(distance(scaled(wide(inverted), scale), identity(3)) < 1e-12);
  }
  const fixed<3> units = Eigen::Vector3d(1e10, 1, 1e-10).asDiagonal();
  CHECK(compute::inverse(inverted, units));
  CHECK(distance_from(wide(units), wide(inverted), identity(3)) < 1e-12);
  CHECK(compute::inverse_cholesky(inverted, units));
  CHECK(distance_from(wide(units), wide(inverted), identity(3)) < 1e-12);
  const fixed<3> hilbert =
      fixed<3>::NullaryExpr([](auto i, auto j) { return 1.0 / static_cast<double>(i + j + 1); });
  CHECK(compute::inverse(inverted, hilbert));
  CHECK(distance_from(wide(hilbert), wide(inverted), identity(3)) < 1e-9);
  fixed<3> nearly = fixed<3>::Ones();
  nearly(1, 1) += 1e-12, nearly(2, 2) += 1;
  CHECK(compute::inverse(inverted, nearly));
  CHECK(distance_from(wide(nearly), wide(inverted), identity(3)) < 1e-3);
}
