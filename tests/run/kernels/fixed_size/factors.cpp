// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/factors.hpp>

#include <cstdint>
#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

template <class A, class B>
void check_factors(Eigen::Index n, std::mt19937_64& random) {
  const matrix wide_a = random_regular(n, random), wide_b = matrices::random(n, 3, random);
  const A a = narrow<A>(wide_a);
  const B b = narrow<B>(wide_b);
  A factors(n, n);
  B x(n, 3);
  Eigen::Matrix<std::int64_t, A::RowsAtCompileTime, 1> rows(n);
  CHECK(compute::lu_factor(factors, rows, a));
  CHECK(compute::solve_lu(x, factors, rows, b));
  CHECK(distance_from(wide_a, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_lu_transposed(x, factors, rows, b));
  CHECK(distance_from(transposed(wide_a), wide(x), wide_b) < 1e-9);
}

}  // namespace

TEST_CASE("factors of fixed and dynamic size solve what the matrix does") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 20; ++round) {
    check_factors<fixed<5>, Eigen::Matrix<double, 5, 3>>(5, random);
    for (Eigen::Index n : {1, 2, 3, 5, 20}) check_factors<matrix, matrix>(n, random);
  }
}

TEST_CASE("factors to solve with are those of a nonsingular matrix") {
  Eigen::Matrix3d a = Eigen::Vector3d(1, 2, 3).asDiagonal(), out;
  Eigen::Matrix<std::int64_t, 3, 1> rows;
  CHECK(compute::lu_factor(out, rows, a));
  CHECK(compute::solve_lu(out, a, rows, a));
  a(2, 2) = 0;
  CHECK_FALSE(compute::lu_factor(out, rows, a));
  CHECK_FALSE(compute::solve_lu(out, a, rows, a));
  CHECK_FALSE(compute::solve_lu_transposed(out, a, rows, a));
  a(2, 2) = 3;
  for (const std::int64_t wrong : {0, 3, -1}) {
    rows << 0, 1, wrong;
    CHECK_FALSE(compute::solve_lu(out, a, rows, a));
    CHECK_FALSE(compute::solve_lu_transposed(out, a, rows, a));
  }
}
