// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/solution.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <Eigen/Core>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("inverses of definite matrices of all sizes, by columns and by rows") {
  std::mt19937_64 random(31);
  for (const Eigen::Index n : {1, 2, 63, 64, 65, 127, 129, 200, 300}) {
    CAPTURE(n);
    const Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(
        n, n, [&] { return std::uniform_real_distribution<double>(-1, 1)(random); });
    const Eigen::MatrixXd s = x * x.transpose() + Eigen::MatrixXd::Identity(n, n);
    tensor a(shape::of(n, n), std::vector<double>(s.data(), s.data() + s.size()));
    const auto made = run("inverse_cholesky", {a}, {apply::f64(n, n)});
    const auto factor = run("cholesky", {a}, {apply::f64(n, n)});
    const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> inverse(
        (*made).elements.data(), n, n),
        lower((*factor).elements.data(), n, n);
    CHECK((s * inverse - Eigen::MatrixXd::Identity(n, n)).norm() < 1e-9 * static_cast<double>(n));
    CHECK(inverse == inverse.transpose());
    CHECK((lower * lower.transpose() - s).norm() < 1e-10 * s.norm());
    CHECK(lower.isLowerTriangular(0));
  }
}

TEST_CASE("symmetric matrices that are not definite: solutions of every size and order") {
  std::mt19937_64 random(37);
  for (int n = 1; n <= 130; ++n)
    for (const bool hollow : {false, true}) {
      if (hollow && n % 2 != 0) continue;  // zero diagonal: 2x2 blocks
      CAPTURE(n);
      CAPTURE(hollow);
      tensor a = apply::random_tensor(shape::of(n, n), random), upper(a.dims);
      for (int i = 0; i < n; ++i) {
        if (hollow) a.elements[at(i, i, n)] = 0;
        for (int j = 0; j < i; ++j) a.elements[at(j, i, n)] = a.elements[at(i, j, n)];
      }
      const int m = 1 + n % 11;
      const apply::layout lies{static_cast<unsigned>(n % 8), n % 3};
      // The residual in rounding units of its sums.
      const auto residual = [&](const tensor& x, const tensor& b, int columns) {
        double worst = 0, largest = 0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < columns; ++j) {
            long double sum = -b.elements[at(i, j, columns)];
            for (int k = 0; k < n; ++k)
              sum +=
                  static_cast<long double>(a.elements[at(i, k, n)]) * x.elements[at(k, j, columns)];
            worst = std::max(worst, std::abs(static_cast<double>(sum)));
            largest = std::max(largest, std::abs(x.elements[at(i, j, columns)]));
          }
        return worst / (n * largest);
      };
      const auto apply = [&](const char* op, const std::vector<tensor>& in,
                             const wf::value_type& out) {
        return *apply::run(compute::linalg_operators<double>(), op, in, {out}, {}, {}, lies);
      };
      const tensor b = apply::random_tensor(shape::of(n, m), random);
      CHECK(residual(apply("solve_symmetric", {a, b}, apply::f64(n, m)), b, m) < 1e-14);
      const tensor v = apply::random_tensor(shape::of(n), random);
      CHECK(residual(apply("solve_symmetric", {a, v}, apply::f64(n)), v, 1) < 1e-14);
      // By factors that are values: the same, step by step.
      const auto factorised =
          apply::run(compute::linalg_operators<double>(), "ldl_factor", {a},
                     {apply::f64(n, n), apply::of(dtype::i64, n)}, {}, {}, lies);
      REQUIRE(factorised.why == "");
      const tensor &f = factorised.results[0], &p = factorised.results[1];
      CHECK(residual(apply("solve_ldl", {f, p, b}, apply::f64(n, m)), b, m) < 1e-14);
      CHECK(residual(apply("solve_ldl", {f, p, v}, apply::f64(n)), v, 1) < 1e-14);
      bool zeros = true;
      for (int i = 0; i < n; ++i)
        for (int j = i + 2; j < n; ++j) zeros = zeros && f.elements[at(i, j, n)] == 0;
      CHECK(zeros);
      tensor unit(a.dims);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) unit.elements[at(i, j, n)] = i == j ? 1 : 0;
      const tensor inverse = apply("inverse_symmetric", {a}, apply::f64(n, n));
      CHECK(residual(inverse, unit, n) < 1e-12);
      bool mirrored = true;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j)
          mirrored = mirrored && inverse.elements[at(i, j, n)] == inverse.elements[at(j, i, n)];
      CHECK(mirrored);
    }
}

TEST_CASE("symmetric matrices that are singular are refused at every scale") {
  std::mt19937_64 random(38);
  for (const int n : {2, 3, 8, 33, 40})
    for (const double scale : {1e-200, 1e-9, 1.0, 1e9, 1e200})
      for (const int kind : {0, 1, 2}) {
        CAPTURE(n);
        CAPTURE(kind);
        tensor a = apply::random_tensor(shape::of(n, n), random, -scale, scale);
        const auto set = [&](int i, int j, double x) {
          a.elements[at(i, j, n)] = a.elements[at(j, i, n)] = x;
        };
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < i; ++j) set(i, j, a.elements[at(i, j, n)]);
        for (int i = 0; i < n; ++i) {
          if (kind == 0) set(i, n / 2, 0);                        // a zero row
          if (kind == 1) set(i, n - 1, a.elements[at(i, 0, n)]);  // equal columns
          if (kind == 2)                                          // rank 1
            for (int j = 0; j < n; ++j)
              set(i, j, (i % 3 == 0 ? -scale : scale) * (j % 3 == 0 ? -1 : 1));
        }
        if (kind == 1) set(n - 1, n - 1, a.elements[at(0, 0, n)]);
        if (kind == 1) set(0, n - 1, a.elements[at(0, 0, n)]);
        CHECK(run("solve_symmetric", {a, a}, {apply::f64(n, n)}).why == "the matrix is singular");
        CHECK(run("inverse_symmetric", {a}, {apply::f64(n, n)}).why == "the matrix is singular");
        CHECK(run("ldl_factor", {a}, {apply::f64(n, n), apply::of(dtype::i64, n)}).why ==
              "the matrix is singular");
      }
  // Regular matrices are solved at every scale.
  for (const double scale : {1e-150, 1e-80, 1e80, 1e150}) {
    const tensor a(shape::of(3, 3), {0, scale, 0, scale, 0, 0, 0, 0, -scale});
    const tensor made = *run("inverse_symmetric", {a}, {apply::f64(3, 3)});
    CHECK(made.elements[1] * scale == doctest::Approx(1));
    CHECK(made.elements[8] * scale == doctest::Approx(-1));
  }
}
