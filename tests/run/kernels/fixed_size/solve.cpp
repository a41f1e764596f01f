// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/solve.hpp>

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include <wf/run/kernels/fixed_size/inverse.hpp>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

// Tests every solver on matrices of type A, fixed or dynamic, by definition.
template <class A, class B>
void check_solvers(Eigen::Index n, std::mt19937_64& random) {
  const matrix wide_a = random_regular(n, random), wide_s = random_definite(n, random);
  const matrix wide_b = matrices::random(n, 3, random), row = transposed(wide_b);
  const A a = narrow<A>(wide_a), s = narrow<A>(wide_s);
  const B b = narrow<B>(wide_b);
  const auto right = narrow<Eigen::Matrix<double, 3, B::RowsAtCompileTime>>(row);
  B x(n, 3);
  auto y = right;
  CHECK(compute::solve(x, a, b));
  CHECK(distance_from(wide_a, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve(x, a.transpose(), b));
  CHECK(distance_from(transposed(wide_a), wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_cholesky(x, s, b));
  CHECK(distance_from(wide_s, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_right(y, right, a));
  CHECK(distance_from(wide(y), wide_a, row) < 1e-9);
  CHECK(compute::solve_right_cholesky(y, b.transpose(), s));
  CHECK(distance_from(wide(y), wide_s, row) < 1e-9);
}

}  // namespace

TEST_CASE("solvers of fixed and dynamic size against their definition") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 20; ++round) {
    check_solvers<fixed<5>, Eigen::Matrix<double, 5, 3>>(5, random);
    for (Eigen::Index n : {1, 2, 3, 5, 20}) check_solvers<matrix, matrix>(n, random);
  }
}

TEST_CASE("Cholesky refuses what is not positive definite") {
  const auto accepts = [](const matrix& a) {
    matrix out(a.rows(), a.rows()), b = matrix::Ones(a.rows(), 1), row = b.transpose();
    const bool inverts = compute::inverse_cholesky(out, a);
    CHECK(compute::solve_cholesky(b, a, matrix(b)) == inverts);
    CHECK(compute::solve_right_cholesky(row, matrix(row), a) == inverts);
    return inverts;
  };
  matrix indefinite(2, 2), semidefinite(3, 3);
  indefinite << 1, 2, 2, 1;
  semidefinite << 1, 1, 0, 1, 1, 0, 0, 0, 1;
  CHECK_FALSE(accepts(indefinite));
  CHECK_FALSE(accepts(semidefinite));
  CHECK_FALSE(accepts(semidefinite * 0.1));
  CHECK_FALSE(accepts(matrix::Constant(2, 2, std::nan(""))));
  CHECK_FALSE(accepts(-matrix::Identity(3, 3)));
  CHECK(accepts(matrix::Identity(3, 3)));
}
