// SPDX-License-Identifier: BSL-1.0
#include <wf/run/structured.hpp>

#include <limits>
#include <memory>
#include <random>

#include <doctest/doctest.h>

namespace {

using matrix = Eigen::MatrixXd;
namespace compute = wf::compute;

// Every kernel on matrices of types A (square) and B (of as many rows), against its definition.
template <class A, class B>
void check_structured(Eigen::Index n, Eigen::Index columns, std::mt19937_64& random) {
  CAPTURE(n);
  CAPTURE(columns);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto some = [&](Eigen::Index r, Eigen::Index c) {
    return matrix(matrix::NullaryExpr(r, c, [&] { return uniform(random); }));
  };
  const double near = 1e-9;
  const B b = some(n, columns);
  A s(n, n), x(n, n);
  CHECK(compute::gemmt(s, b, b.transpose()));
  CHECK((s - b * b.transpose()).norm() < near);
  CHECK(s == s.transpose());
  const B other = some(n, columns);
  CHECK(compute::syr2k(x, b, other.transpose()));
  CHECK((x - b * other.transpose() - other * b.transpose()).norm() < near);
  CHECK(x == x.transpose());
  const A definite = s + A::Identity(n, n);
  CHECK(compute::cholesky(x, definite));
  CHECK((x * x.transpose() - definite).norm() < near);
  CHECK(x.isLowerTriangular(0));

  const A full = some(n, n) / static_cast<double>(n + 1) + 2 * matrix::Identity(n, n);
  B y(n, columns);
  {
    A one = s;  // the other triangle must not be read
    one.template triangularView<Eigen::StrictlyUpper>().setConstant(7);
    A half = s.template triangularView<Eigen::Lower>();
    half.diagonal() *= 0.5;
    CHECK(compute::matmul_half(y, one, b));
    CHECK((y - half * b).norm() < near);
    CHECK(compute::matmul_symmetric(y, s, b));
    CHECK((y - s * b).norm() < near);
    const A indefinite = s - 3 * A::Identity(n, n);
    CHECK(compute::solve_symmetric(y, indefinite, b));
    CHECK((indefinite * y - b).norm() < 1e-8);
    CHECK(compute::inverse_symmetric(x, indefinite));
    CHECK((indefinite * x - A::Identity(n, n)).norm() < 1e-8);
    if (n > 0) CHECK_FALSE(compute::solve_symmetric(y, A(0 * indefinite), b));
  }
  for (const bool lower : {true, false}) {
    A t = full;  // the other triangle is not zero, and must not be read
    A zeroed = lower ? A(t.template triangularView<Eigen::Lower>())
                     : A(t.template triangularView<Eigen::Upper>());
    CHECK(compute::matmul_triangular(y, t, b, lower));
    CHECK((y - zeroed * b).norm() < near);
    CHECK(compute::matmul_triangular(y, t.transpose(), b, !lower));
    CHECK((y - zeroed.transpose() * b).norm() < near);
    CHECK(compute::solve_triangular(y, t, b, lower));
    CHECK((zeroed * y - b).norm() < near);
    CHECK(compute::solve_triangular(y, t.transpose(), b, !lower));
    CHECK((zeroed.transpose() * y - b).norm() < near);
    CHECK(compute::inverse_triangular(x, t, lower));
    CHECK((zeroed * x - A::Identity(n, n)).norm() < near);
    CHECK((lower ? x.isLowerTriangular(0) : x.isUpperTriangular(0)));
    if (n > 0) t(n / 2, n / 2) = 0;
    CHECK(compute::solve_triangular(y, t, b, lower) == (n == 0));
    CHECK(compute::inverse_triangular(x, t, lower) == (n == 0));
  }
  A p = A::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) p(i, (i + n / 2) % n) = 1;
  CHECK(compute::matmul_permutation(y, p, b));
  CHECK(y == p * b);
  CHECK(compute::matmul_permutation(y, p.transpose(), b));
  CHECK(y == p.transpose() * b);
  if (n > 0) p(n / 2, 0) += 1;  // twice, or 2
  CHECK(compute::matmul_permutation(y, p, b) == (n == 0));
  A d = full.diagonal().asDiagonal();
  CHECK(compute::matmul_diagonal(y, d, b));
  CHECK((y - d * b).norm() < near);
  CHECK(compute::solve_diagonal(y, d, b));
  CHECK((d * y - b).norm() < near);
  CHECK(compute::inverse_diagonal(x, d));
  CHECK((d * x - A::Identity(n, n)).norm() < near);
  if (n > 0) d(n / 2, n / 2) = 0;
  CHECK(compute::solve_diagonal(y, d, b) == (n == 0));
  CHECK(compute::inverse_diagonal(x, d) == (n == 0));
  CHECK(compute::cholesky(x, A(-definite)) == (n == 0));
}

// Factors of symmetric matrices as values, and solutions by them. Half of the diagonal is zero, or
// all of it, so that blocks have two rows.
template <class A, class B>
void check_symmetric_factors(Eigen::Index n, Eigen::Index columns, std::mt19937_64& random) {
  using scalar = typename A::Scalar;
  CAPTURE(n);
  CAPTURE(columns);
  std::uniform_real_distribution<scalar> uniform(-1, 1);
  const auto next = [&] { return uniform(random); };
  const B b = B::NullaryExpr(n, columns, next);
  A f(n, n);
  B x(n, columns);
  Eigen::Matrix<std::int64_t, A::RowsAtCompileTime, 1> rows(n);
  for (const bool hollow : {false, true}) {
    if (hollow && n % 2 != 0) continue;  // of a random matrix without a diagonal
    A s = A::NullaryExpr(n, n, next);
    s = (s + s.transpose()).eval();
    for (Eigen::Index i = 0; i < n; i += hollow ? 1 : 2) s(i, i) = i == 0 && !hollow ? 1 : 0;
    CHECK(compute::ldl_factor(f, rows, s));
    CHECK(compute::solve_ldl(x, f, rows, b));
    const scalar allowed =
        std::numeric_limits<scalar>::epsilon() * static_cast<scalar>(20 * (n + 1));
    CHECK((s * x - b).norm() <= allowed * s.norm() * (1 + x.norm()));
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i + 1 < j; ++i) CHECK(f(i, j) == 0);
    if (n == 0) continue;
    rows(0) = rows(n - 1) + (n == 1 ? 1 : 0);
    CHECK_FALSE(compute::solve_ldl(x, f, rows, b));
    rows(0) = -1;
    CHECK_FALSE(compute::solve_ldl(x, f, rows, b));
    for (Eigen::Index i = 0; i < n; ++i) rows(i) = i;
    CHECK_FALSE(compute::solve_ldl(x, A(A::Zero(n, n)), rows, b));
    CHECK_FALSE(compute::ldl_factor(f, rows, A(A::Zero(n, n))));
    s.row(n / 2).setZero(), s.col(n / 2).setZero();
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

TEST_CASE("structured kernels by their definitions: of any size") {
  std::mt19937_64 random(2026);
  for (const Eigen::Index n : {0, 1, 2, 5, 63, 64, 65, 130, 200})
    for (const Eigen::Index columns : {1, 3, 70})
      check_structured<matrix, matrix>(n, columns, random);
}

TEST_CASE("parts, parts put together, and diagonals") {
  std::mt19937_64 random(2028);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto some = [&](Eigen::Index r, Eigen::Index c) {
    return matrix(matrix::NullaryExpr(r, c, [&] { return uniform(random); }));
  };
  const Eigen::Matrix<double, 4, 6> a = some(4, 6);
  const Eigen::Matrix<double, 6, 4> b = some(6, 4);
  Eigen::Matrix<double, 2, 6> rows;
  CHECK(compute::slice(rows, a, 1, false));
  CHECK(rows == a.middleRows<2>(1));
  Eigen::Matrix<double, 4, 3> columns;
  CHECK(compute::slice(columns, a, 2, true));
  CHECK(columns == a.middleCols<3>(2));
  Eigen::Matrix<double, 6, 6> above;
  CHECK(compute::concat(above, false, rows, a));
  CHECK((above.topRows<2>() == rows && above.bottomRows<4>() == a));
  Eigen::Matrix<double, 4, 9> beside;
  CHECK(compute::concat(beside, true, columns, a));
  CHECK((beside.leftCols<3>() == columns && beside.rightCols<6>() == a));
  Eigen::Vector4d d;
  CHECK(compute::product_diagonal(d, a, b));
  CHECK((d - (a * b).diagonal()).norm() < 1e-14);
  matrix part(2, 2);
  CHECK(compute::slice(part, matrix(a.leftCols(2)), 2, false));
  CHECK(part == a.block(2, 0, 2, 2));
}

TEST_CASE("structured kernels by their definitions: of fixed size") {
  std::mt19937_64 random(2027);
  check_structured<Eigen::Matrix<double, 3, 3>, Eigen::Matrix<double, 3, 2>>(3, 2, random);
  check_structured<Eigen::Matrix<double, 8, 8>, Eigen::Matrix<double, 8, 1>>(8, 1, random);
}
