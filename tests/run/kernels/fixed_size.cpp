// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fixed_size.hpp>

#include <memory>
#include <random>

#include <doctest/doctest.h>

#include "../matrices.hpp"

namespace {

using namespace matrices;
namespace compute = wf::compute;

matrix random_spd(Eigen::Index size, std::mt19937_64& random) {
  const matrix a = matrices::random(size, size, random);
  return sum(product(a, transposed(a)), identity(size));
}
// The norm of a·x - b.
double distance_from(const matrix& a, const matrix& x, const matrix& b) {
  return distance(product(a, x), b);
}

// Every solver on matrices of type A (fixed or dynamic) of one size against its definition.
template <class A, class B>
void check_solvers(Eigen::Index n, std::mt19937_64& random) {
  const matrix wide_a = sum(matrices::random(n, n, random), identity(n), 2);
  const matrix wide_s = random_spd(n, random), wide_b = matrices::random(n, 3, random);
  const matrix unit = identity(n), turned = transposed(wide_a), row = transposed(wide_b);
  const A a = narrow<A>(wide_a), s = narrow<A>(wide_s);
  const B b = narrow<B>(wide_b);
  const auto right = narrow<Eigen::Matrix<double, 3, B::RowsAtCompileTime>>(row);
  A inverted(n, n);
  B x(n, 3);
  auto y = right;
  CHECK(compute::inverse(inverted, a));
  CHECK(distance_from(wide_a, wide(inverted), unit) < 1e-9);
  CHECK(compute::inverse(inverted, a.transpose()));
  CHECK(distance_from(turned, wide(inverted), unit) < 1e-9);
  CHECK(compute::inverse_cholesky(inverted, s));
  CHECK(distance_from(wide_s, wide(inverted), unit) < 1e-9);
  CHECK(compute::solve(x, a, b));
  CHECK(distance_from(wide_a, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve(x, a.transpose(), b));
  CHECK(distance_from(turned, wide(x), wide_b) < 1e-9);
  A factors(n, n);
  Eigen::Matrix<std::int64_t, A::RowsAtCompileTime, 1> rows(n);
  CHECK(compute::lu_factor(factors, rows, a));
  CHECK(compute::solve_lu(x, factors, rows, b));
  CHECK(distance_from(wide_a, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_lu_transposed(x, factors, rows, b));
  CHECK(distance_from(turned, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_cholesky(x, s, b));
  CHECK(distance_from(wide_s, wide(x), wide_b) < 1e-9);
  CHECK(compute::solve_right(y, right, a));
  CHECK(distance_from(wide(y), wide_a, row) < 1e-9);
  CHECK(compute::solve_right_cholesky(y, b.transpose(), s));
  CHECK(distance_from(wide(y), wide_s, row) < 1e-9);
}

template <int N>
using fixed = Eigen::Matrix<double, N, N>;
template <int N>
using fixed_side = Eigen::Matrix<double, N, 3>;

// A failure must be seen by both ways to invert, fixed and dynamic.
template <int N>
bool any_inverts(const matrix& a) {
  fixed<N> small;
  matrix large(N, N);
  return compute::inverse(small, narrow<fixed<N>>(a)) || compute::inverse(large, a);
}

}  // namespace

TEST_CASE("solvers of fixed and dynamic size against their definition") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 20; ++round) {
    check_solvers<fixed<5>, fixed_side<5>>(5, random);
    for (Eigen::Index n : {1, 2, 3, 5, 20}) check_solvers<matrix, matrix>(n, random);
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

TEST_CASE("least squares: the residual is orthogonal to the columns") {
  std::mt19937_64 random(24);
  for (int round = 0; round < 20; ++round) {
    check_least_squares<Eigen::Matrix<double, 7, 3>, Eigen::Matrix<double, 7, 2>>(7, 3, random);
    check_least_squares<Eigen::Matrix<double, 4, 4>, Eigen::Matrix<double, 4, 2>>(4, 4, random);
    check_least_squares<matrix, matrix>(30, 12, random);
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

TEST_CASE("Strassen's product, fixed and dynamic") {
  std::mt19937_64 random(23);
  for (Eigen::Index m : {2, 4, 10})
    for (Eigen::Index k : {2, 6})
      for (Eigen::Index n : {2, 8}) {
        const matrix a = matrices::random(m, k, random), b = matrices::random(k, n, random);
        matrix c(m, n);
        CHECK(compute::strassen(c, a, b));
        CHECK(distance_from(a, b, c) < 1e-12);
      }
  const auto a = narrow<Eigen::Matrix<double, 4, 6>>(matrices::random(4, 6, random));
  const auto b = narrow<Eigen::Matrix<double, 2, 6>>(matrices::random(2, 6, random));
  Eigen::Matrix<double, 4, 2> c;
  CHECK(compute::strassen(c, a, b.transpose()));
  CHECK(distance_from(wide(a), transposed(wide(b)), wide(c)) < 1e-12);
  matrix odd(3, 3);
  CHECK_FALSE(compute::strassen(odd, matrix(matrix::Ones(3, 3)), matrix(matrix::Ones(3, 3))));
}

TEST_CASE("large fixed products go in tiles") {
  std::mt19937_64 random(24);
  using left = Eigen::Matrix<double, 70, 130>;
  using right = Eigen::Matrix<double, 130, 66>;
  const auto a = std::make_unique<left>(narrow<left>(matrices::random(70, 130, random)));
  const auto b = std::make_unique<right>(narrow<right>(matrices::random(130, 66, random)));
  const auto c = std::make_unique<Eigen::Matrix<double, 70, 66>>();
  static_assert(compute::detail::is_large<left>);
  CHECK(compute::product(*c, *a, *b));
  CHECK(distance_from(wide(*a), wide(*b), wide(*c)) < 1e-10);
}

TEST_CASE("elementwise operations broadcast as dimensions align on the right") {
  const auto minus = [](double x, double y) { return x - y; };
  const Eigen::Vector3d v(1, 2, 3);
  const Eigen::Matrix<double, 3, 1> column(10, 20, 30);
  Eigen::Matrix3d square;
  CHECK(compute::elementwise(square, v, column, 1, 2, minus));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) CHECK(square(i, j) == v(j) - column(i));
  Eigen::Vector3d same;
  CHECK(compute::elementwise(same, v, column, 1, 1, minus));
  CHECK(same == v - column);
  const Eigen::Matrix<double, 1, 1> scalar(5);
  CHECK(compute::elementwise(same, scalar, v, 0, 1, minus));
  CHECK(same == Eigen::Vector3d(4, 3, 2));
  CHECK(compute::elementwise(same, v, scalar, 1, 0, minus));
  CHECK(same == Eigen::Vector3d(-4, -3, -2));
  const Eigen::Matrix<double, 1, 3, Eigen::RowMajor> row(1, 2, 3);
  CHECK(compute::elementwise(square, column, row, 2, 2, minus));
  CHECK(square(2, 0) == 29);
  CHECK(square(0, 2) == 7);
}

TEST_CASE("softmax, reshape and reductions") {
  std::mt19937_64 random(26);
  const matrix a = matrices::random(3, 4, random) * 800;
  matrix out(3, 4), shaped(2, 6);
  CHECK(compute::softmax(out, a, false));
  CHECK(out.allFinite());
  CHECK(out.rowwise().sum().isApprox(Eigen::Vector3d::Ones()));
  CHECK(compute::reshape(shaped, a));
  for (int i = 0; i < 12; ++i) CHECK(shaped(i / 6, i % 6) == a(i / 4, i % 4));
  const auto sum = [](const auto& x) { return x.sum(); };
  Eigen::VectorXd rows(3), columns(4), all(1);
  CHECK(compute::reduce(rows, a, 1, false, sum));
  CHECK(rows.isApprox(a.rowwise().sum()));
  CHECK(compute::reduce(columns, a, 0, false, sum));
  CHECK(columns.isApprox(a.colwise().sum().transpose()));
  CHECK(compute::reduce(all, a, -1, false, sum));
  CHECK(all(0) == doctest::Approx(a.sum()));
}
