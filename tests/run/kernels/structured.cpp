// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/structured.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../matrices.hpp"

namespace {

using matrices::matrix;
namespace compute = wf::compute;

bool is_symmetric(const matrix& a) { return matrices::distance(a, matrices::transposed(a)) == 0; }
bool is_lower(const matrix& a) { return matrices::distance(a, matrices::lower(a)) == 0; }
matrix twice_symmetric(const matrix& a) { return matrices::sum(a, matrices::transposed(a)); }
matrix diagonal_of(const matrix& a) { return matrices::lower(matrices::upper(a)); }
// The matrix with one nonzero element above the diagonal.
matrix with_above(matrix a, double above) {
  for (Eigen::Index j = 0; j < a.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i) a(i, j) = above;
  return a;
}

// Tests every kernel on matrices of types A (square) and B (with as many rows) by definition.
template <class A, class B>
void check_structured(Eigen::Index n, Eigen::Index columns, std::mt19937_64& random) {
  using namespace matrices;
  CAPTURE(n);
  CAPTURE(columns);
  const double near = 1e-9;
  const matrix unit = identity(n);
  const matrix wide_b = matrices::random(n, columns, random);
  const B b = narrow<B>(wide_b);
  A s(n, n), x(n, n);
  CHECK(compute::gemmt(s, b, b.transpose()));
  const matrix wide_s = wide(s);
  CHECK(distance(wide_s, product(wide_b, transposed(wide_b))) < near);
  CHECK(is_symmetric(wide_s));
  const matrix wide_other = matrices::random(n, columns, random);
  const B other = narrow<B>(wide_other);
  CHECK(compute::syr2k(x, b, other.transpose()));
  CHECK(distance(wide(x), twice_symmetric(product(wide_b, transposed(wide_other)))) < near);
  CHECK(is_symmetric(wide(x)));
  const matrix wide_definite = sum(wide_s, unit);
  const A definite = narrow<A>(wide_definite);
  CHECK(compute::cholesky(x, definite));
  CHECK(distance(product(wide(x), transposed(wide(x))), wide_definite) < near);
  CHECK(is_lower(wide(x)));

  const matrix full =
      sum(scaled(matrices::random(n, n, random), 1 / static_cast<double>(n + 1)), unit, 2);
  B y(n, columns);
  {
    const A one = narrow<A>(with_above(wide_s, 7));  // the other triangle must not be read
    const matrix half = sum(lower(wide_s), diagonal_of(wide_s), -0.5);
    CHECK(compute::matmul_half(y, one, b));
    CHECK(distance(wide(y), product(half, wide_b)) < near);
    CHECK(compute::matmul_symmetric(y, s, b));
    CHECK(distance(wide(y), product(wide_s, wide_b)) < near);
    const matrix wide_indefinite = sum(wide_s, unit, -3);
    const A indefinite = narrow<A>(wide_indefinite);
    CHECK(compute::solve_symmetric(y, indefinite, b));
    CHECK(distance(product(wide_indefinite, wide(y)), wide_b) < 1e-8);
    CHECK(compute::inverse_symmetric(x, indefinite));
    CHECK(distance(product(wide_indefinite, wide(x)), unit) < 1e-8);
    if (n > 0) CHECK_FALSE(compute::solve_symmetric(y, narrow<A>(filled(n, n, 0)), b));
  }
  for (const bool below : {true, false}) {
    A t = narrow<A>(full);  // the other triangle is nonzero and must not be read
    const matrix zeroed = below ? lower(full) : upper(full);
    CHECK(compute::matmul_triangular(y, t, b, below));
    CHECK(distance(wide(y), product(zeroed, wide_b)) < near);
    CHECK(compute::matmul_triangular(y, t.transpose(), b, !below));
    CHECK(distance(wide(y), product(transposed(zeroed), wide_b)) < near);
    CHECK(compute::solve_triangular(y, t, b, below));
    CHECK(distance(product(zeroed, wide(y)), wide_b) < near);
    CHECK(compute::solve_triangular(y, t.transpose(), b, !below));
    CHECK(distance(product(transposed(zeroed), wide(y)), wide_b) < near);
    CHECK(compute::inverse_triangular(x, t, below));
    CHECK(distance(product(zeroed, wide(x)), unit) < near);
    CHECK(is_lower(below ? wide(x) : transposed(wide(x))));
    if (n > 0) t(n / 2, n / 2) = 0;
    CHECK(compute::solve_triangular(y, t, b, below) == (n == 0));
    CHECK(compute::inverse_triangular(x, t, below) == (n == 0));
  }
  matrix wide_p = filled(n, n, 0);
  for (Eigen::Index i = 0; i < n; ++i) wide_p(i, (i + n / 2) % n) = 1;
  A p = narrow<A>(wide_p);
  CHECK(compute::matmul_permutation(y, p, b));
  CHECK(distance(wide(y), product(wide_p, wide_b)) == 0);
  CHECK(compute::matmul_permutation(y, p.transpose(), b));
  CHECK(distance(wide(y), product(transposed(wide_p), wide_b)) == 0);
  if (n > 0) p(n / 2, 0) += 1;  // a repeated 1, or a 2
  CHECK(compute::matmul_permutation(y, p, b) == (n == 0));
  const matrix wide_d = diagonal_of(full);
  A d = narrow<A>(wide_d);
  CHECK(compute::matmul_diagonal(y, d, b));
  CHECK(distance(wide(y), product(wide_d, wide_b)) < near);
  CHECK(compute::solve_diagonal(y, d, b));
  CHECK(distance(product(wide_d, wide(y)), wide_b) < near);
  CHECK(compute::inverse_diagonal(x, d));
  CHECK(distance(product(wide_d, wide(x)), unit) < near);
  if (n > 0) d(n / 2, n / 2) = 0;
  CHECK(compute::solve_diagonal(y, d, b) == (n == 0));
  CHECK(compute::inverse_diagonal(x, d) == (n == 0));
  CHECK(compute::cholesky(x, narrow<A>(scaled(wide_definite, -1))) == (n == 0));
}

}  // namespace

TEST_CASE("structured kernels by their definitions: of any size") {
  std::mt19937_64 random(2026);
  for (const Eigen::Index n : {0, 1, 2, 5, 63, 64, 65, 130, 200})
    for (const Eigen::Index columns : {1, 3, 70})
      check_structured<matrix, matrix>(n, columns, random);
}

TEST_CASE("the diagonal of a product, alone") {
  std::mt19937_64 random(2028);
  const auto a = matrices::narrow<Eigen::Matrix<double, 4, 6>>(matrices::random(4, 6, random));
  const auto b = matrices::narrow<Eigen::Matrix<double, 6, 4>>(matrices::random(6, 4, random));
  Eigen::Vector4d d;
  CHECK(compute::product_diagonal(d, a, b));
  CHECK((d - (a * b).diagonal()).norm() < 1e-14);
}

TEST_CASE("structured kernels by their definitions: of fixed size") {
  std::mt19937_64 random(2027);
  check_structured<Eigen::Matrix<double, 3, 3>, Eigen::Matrix<double, 3, 2>>(3, 2, random);
  check_structured<Eigen::Matrix<double, 8, 8>, Eigen::Matrix<double, 8, 1>>(8, 1, random);
}
