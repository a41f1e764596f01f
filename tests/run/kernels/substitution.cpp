// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/substitution.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../parallel/on_teams.hpp"

using wf::compute::matrix_sum;
using wf::compute::substitution;
using wf::compute::triangle;

namespace {

/// A matrix with strides in its own storage, with space between rows and columns.
struct strided {
  std::vector<double> elements;
  Eigen::Index rows, columns, row_step, column_step;

  strided(std::mt19937& random, Eigen::Index m, Eigen::Index n, bool by_columns)
      : elements(static_cast<std::size_t>((m + 3) * (n + 3))),
        rows(m),
        columns(n),
        row_step(by_columns ? 1 : n + 3),
        column_step(by_columns ? m + 3 : 1) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (double& x : elements) x = uniform(random);
  }
  double& operator()(Eigen::Index i, Eigen::Index j) {
    return elements[static_cast<std::size_t>(i * row_step + j * column_step)];
  }
  template <class Element>
  matrix_sum<Element> sum() {
    matrix_sum<Element> out;
    out.rows.step = row_step;
    out.columns.step = column_step;
    out.add(elements.data(), 1, rows, columns);
    return out;
  }
};

/// The largest element of T·X - B.
double residual(triangle kind, strided& t, strided& x, strided& b) {
  const bool upper = is_upper(kind);
  double error = 0;
  for (Eigen::Index i = 0; i < x.rows; ++i)
    for (Eigen::Index j = 0; j < x.columns; ++j) {
      double sum = has_unit_diagonal(kind) ? x(i, j) : t(i, i) * x(i, j);
      for (Eigen::Index k = upper ? i + 1 : 0; k < (upper ? x.rows : i); ++k)
        sum += t(i, k) * x(k, j);
      error = std::max(error, std::abs(sum - b(i, j)));
    }
  return error;
}
strided random_triangle(std::mt19937& random, Eigen::Index n, bool by_columns) {
  strided t(random, n, n, by_columns);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j) t(i, j) = i == j ? 2 + t(i, i) : 0.05 * t(i, j);
  return t;
}

}  // namespace

TEST_CASE("triangles are solved for any number of right sides, wherever they lie") {
  std::mt19937 random(5);
  for (const Eigen::Index n : {1, 7, 8, 9, 31, 64, 100, 256})
    for (const Eigen::Index m : {1, 5, 8, 17, 24, 50})
      for (const triangle kind :
           {triangle::lower, triangle::upper, triangle::unit_lower, triangle::unit_upper})
        for (int order = 0; order < 4; ++order) {
          CAPTURE(n);
          CAPTURE(m);
          CAPTURE(order);
          strided t = random_triangle(random, n, order % 2 == 0);
          strided x(random, n, m, order / 2 == 0), b = x;
          std::vector<double> scratch(
              static_cast<std::size_t>(wf::compute::substitution_scratch<double>(n)));
          substitution<double>(kind, n, t.sum<const double>(), scratch.data())
              .run(x.sum<double>(), m);
          CHECK(residual(kind, t, x, b) < 1e-13);
          // No other element is written.
          for (Eigen::Index i = 0; i < n; ++i)
            for (Eigen::Index j = 0; j < m; ++j) x(i, j) = b(i, j);
          CHECK(x.elements == b.elements);
        }
}

TEST_CASE("triangular right sides keep their zeros") {
  std::mt19937 random(6);
  for (const Eigen::Index n : {1, 8, 23, 24, 25, 49, 120, 250})
    for (const triangle kind : {triangle::lower, triangle::upper})
      for (int order = 0; order < 4; ++order) {
        CAPTURE(n);
        CAPTURE(order);
        strided t = random_triangle(random, n, order % 2 == 0);
        strided x(random, n, n, order / 2 == 0);
        for (Eigen::Index i = 0; i < n; ++i)
          for (Eigen::Index j = 0; j < n; ++j)
            if (i != j && (i < j) != (kind == triangle::upper)) x(i, j) = 0;
        strided b = x;
        std::vector<double> scratch(
            static_cast<std::size_t>(wf::compute::substitution_scratch<double>(n)));
        substitution<double>(kind, n, t.sum<const double>(), scratch.data())
            .run_triangle(x.sum<double>());
        CHECK(residual(kind, t, x, b) < 1e-13);
        bool zeros = true;
        for (Eigen::Index i = 0; i < n; ++i)
          for (Eigen::Index j = 0; j < n; ++j)
            zeros = zeros && (i == j || (i < j) == (kind == triangle::upper) || x(i, j) == 0);
        CHECK(zeros);
      }
}

TEST_CASE("several threads solve to the same bits as one, triangular right sides too") {
  std::mt19937 random(7);
  for (const Eigen::Index n : {150, 256})
    for (const bool shaped : {false, true})
      for (const triangle kind : {triangle::lower, triangle::upper})
        for (int order = 0; order < 4; ++order) {
          CAPTURE(n);
          CAPTURE(order);
          const Eigen::Index m = shaped ? n : 203;
          strided t = random_triangle(random, n, order % 2 == 0);
          strided b(random, n, m, order / 2 == 0);
          for (Eigen::Index i = 0; i < n && shaped; ++i)
            for (Eigen::Index j = 0; j < n; ++j)
              if (i != j && (i < j) != (kind == triangle::upper)) b(i, j) = 0;
          wf_test::same_on_teams([&] {
            strided x = b;
            const auto needed =
                static_cast<std::size_t>(wf::compute::substitution_scratch<double>(n));
            std::vector<double> scratch(needed + 8, -3);
            const substitution<double> s(kind, n, t.sum<const double>(), scratch.data());
            shaped ? s.run_triangle(x.sum<double>()) : s.run(x.sum<double>(), m);
            for (std::size_t i = needed; i < scratch.size(); ++i) CHECK(scratch[i] == -3);
            return x.elements;
          });
        }
}
