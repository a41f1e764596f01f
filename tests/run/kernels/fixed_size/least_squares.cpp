// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/least_squares.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

template <class A, class B>
void check_least_squares(Eigen::Index m, Eigen::Index n, std::mt19937_64& random) {
  const matrix wide_a = matrices::random(m, n, random), wide_b = matrices::random(m, 2, random);
  const A a = narrow<A>(wide_a);
  const B b = narrow<B>(wide_b);
  Eigen::Matrix<double, A::ColsAtCompileTime, 2> x(n, 2);
  CHECK(compute::least_squares(x, a, b));
  const matrix left = sum(product(wide_a, wide(x)), wide_b, -1);
  CHECK(norm(product(transposed(wide_a), left)) < 1e-12);
  A deficient = a;
  for (Eigen::Index i = 0; i < m; ++i)
    deficient(i, n - 1) = deficient(i, 0) - (n > 2 ? 3.0 : 1.0) * deficient(i, n / 2);
  CHECK_FALSE(compute::least_squares(x, deficient, b));
}

}  // namespace

TEST_CASE("least squares: the residual is orthogonal to the columns") {
  std::mt19937_64 random(24);
  for (int round = 0; round < 20; ++round) {
    check_least_squares<Eigen::Matrix<double, 7, 3>, Eigen::Matrix<double, 7, 2>>(7, 3, random);
    check_least_squares<Eigen::Matrix<double, 4, 4>, Eigen::Matrix<double, 4, 2>>(4, 4, random);
    check_least_squares<matrix, matrix>(30, 12, random);
  }
}
