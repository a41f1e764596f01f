// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size/ldl.hpp>

#include <cstdint>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "../../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

matrix random_symmetric(Eigen::Index n, bool hollow, std::mt19937_64& random) {
  const matrix a = matrices::random(n, n, random);
  matrix s = sum(a, transposed(a));
  for (Eigen::Index i = 0; i < n; i += hollow ? 1 : 2) s(i, i) = i == 0 && !hollow ? 1 : 0;
  return s;
}

// Tests factors of symmetric matrices as values, and solutions with them. Half or all of the
// diagonal is zero, so that 2x2 blocks occur.
template <class A, class B>
void check_symmetric_factors(Eigen::Index n, Eigen::Index columns, std::mt19937_64& random) {
  using scalar = typename A::Scalar;
  CAPTURE(n);
  CAPTURE(columns);
  const B b = narrow<B>(matrices::random(n, columns, random));
  const A none = narrow<A>(filled(n, n, 0));
  A f(n, n);
  B x(n, columns);
  Eigen::Matrix<std::int64_t, A::RowsAtCompileTime, 1> rows(n);
  for (const bool hollow : {false, true}) {
    if (hollow && n % 2 != 0) continue;  // singular for an odd size
    A s = narrow<A>(random_symmetric(n, hollow, random));
    CHECK(compute::ldl_factor(f, rows, s));
    CHECK(compute::solve_ldl(x, f, rows, b));
    const double allowed =
        std::numeric_limits<scalar>::epsilon() * static_cast<double>(20 * (n + 1));
    CHECK(distance(product(wide(s), wide(x)), wide(b)) <=
          allowed * norm(wide(s)) * (1 + norm(wide(x))));
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i + 1 < j; ++i) CHECK(f(i, j) == 0);
    if (n == 0) continue;
    rows(0) = rows(n - 1) + (n == 1 ? 1 : 0);
    CHECK_FALSE(compute::solve_ldl(x, f, rows, b));
    rows(0) = -1;
    CHECK_FALSE(compute::solve_ldl(x, f, rows, b));
    for (Eigen::Index i = 0; i < n; ++i) rows(i) = i;
    CHECK_FALSE(compute::solve_ldl(x, none, rows, b));
    CHECK_FALSE(compute::ldl_factor(f, rows, none));
    for (Eigen::Index i = 0; i < n; ++i) s(n / 2, i) = s(i, n / 2) = 0;
    CHECK_FALSE(compute::ldl_factor(f, rows, s));
  }
}
template <class Scalar, int N, int Columns>
void check_fixed_symmetric_factors(std::mt19937_64& random) {
  check_symmetric_factors<Eigen::Matrix<Scalar, N, N>, Eigen::Matrix<Scalar, N, Columns>>(
      N, Columns, random);
}

}  // namespace

TEST_CASE("symmetric factors of any size and type, and of fixed size") {
  std::mt19937_64 random(2029);
  for (const Eigen::Index n : {0, 1, 2, 3, 7, 16, 33, 90, 128}) {
    check_symmetric_factors<matrix, matrix>(n, 3, random);
    check_symmetric_factors<Eigen::MatrixXf, Eigen::MatrixXf>(n, 3, random);
  }
  check_fixed_symmetric_factors<double, 1, 2>(random);
  check_fixed_symmetric_factors<double, 2, 1>(random);
  check_fixed_symmetric_factors<double, 16, 5>(random);
  check_fixed_symmetric_factors<double, 100, 2>(random);
  check_fixed_symmetric_factors<float, 20, 1>(random);
}
