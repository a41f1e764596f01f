// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/elimination.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

template <int N, int Sides>
void check_elimination(std::mt19937_64& random) {
  using compute::detail::pivoting;
  using square = Eigen::Matrix<double, N, N>;
  const matrix wide_a = random_regular(N, random), wide_s = random_definite(N, random);
  const matrix wide_b = matrices::random(N, Sides, random), row = transposed(wide_b);
  const square a = narrow<square>(wide_a), s = narrow<square>(wide_s), none = square::Zero();
  const auto b = narrow<Eigen::Matrix<double, N, Sides>>(wide_b);
  const Eigen::Matrix<double, Sides, N, Sides == 1 ? Eigen::RowMajor : 0> across = b.transpose();
  Eigen::Matrix<double, N, Sides> x;
  Eigen::Matrix<double, Sides, N, Sides == 1 ? Eigen::RowMajor : 0> y;
  static_assert(compute::detail::is_eliminated<square, Sides>);
  CHECK(compute::detail::eliminate<pivoting::largest>(x, a, b));
  CHECK(distance_from(wide_a, wide(x), wide_b) < 1e-9);
  CHECK(compute::detail::eliminate<pivoting::none>(x, s, b));
  CHECK(distance_from(wide_s, wide(x), wide_b) < 1e-9);
  CHECK(compute::detail::eliminate_right<pivoting::largest>(y, a, across));
  CHECK(distance_from(wide(y), wide_a, row) < 1e-9);
  CHECK_FALSE(compute::detail::eliminate<pivoting::largest>(x, none, b));
  CHECK_FALSE(compute::detail::eliminate_right<pivoting::none>(y, none, across));
}

}  // namespace

TEST_CASE("few rows are eliminated for one right-hand side, a few and many, from either side") {
  std::mt19937_64 random(32);
  check_elimination<1, 1>(random);
  check_elimination<4, 2>(random);
  check_elimination<9, 1>(random);
  check_elimination<9, 5>(random);
  check_elimination<17, 8>(random);
  static_assert(!compute::detail::is_eliminated<matrix, 1>);
  static_assert(!compute::detail::is_eliminated<Eigen::Matrix<double, 65, 65>, 1>);
}
