// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/fused_product.hpp>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../parallel/on_teams.hpp"

using wf::compute::fused_product;
using wf::compute::matrix_axis;
using wf::compute::matrix_sum;

namespace {

/// Matrices with the same layout in separate storage: by columns, by rows, or at random positions.
struct stored {
  std::vector<std::vector<double>> elements;
  std::vector<double> factors;
  std::vector<Eigen::Index> heights, widths;
  matrix_axis rows, columns;
  std::vector<Eigen::Index> row_offsets, column_offsets;

  stored(std::mt19937& random, Eigen::Index m, Eigen::Index n, std::size_t terms, int order) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto size = static_cast<std::size_t>(2 * (m + 3) * (n + 3));
    for (std::size_t t = 0; t < terms; ++t) {
      elements.emplace_back(size);
      for (double& x : elements.back()) x = uniform(random);
      factors.push_back(t == 0 ? 1 : uniform(random));
      heights.push_back(m - (t == 1 ? m / 3 : 0));
      widths.push_back(n - (t == 2 ? 1 : 0));
    }
    rows.step = order == 0 ? 1 : n + 3;
    columns.step = order == 0 ? m + 3 : 1;
    if (order < 2) return;
    for (Eigen::Index i = 0; i < m; ++i) row_offsets.push_back(i / 5 * 7 + i % 5);
    for (Eigen::Index j = 0; j < n; ++j) column_offsets.push_back(j * 2 * (m + 3));
    if (order == 3) std::shuffle(row_offsets.begin(), row_offsets.end(), random);
    rows.offsets = row_offsets.data();
    columns.offsets = column_offsets.data();
  }

  template <class Element>
  matrix_sum<Element> sum() {
    matrix_sum<Element> out;
    out.rows = rows;
    out.columns = columns;
    for (std::size_t t = 0; t < elements.size(); ++t)
      out.add(elements[t].data(), factors[t], heights[t], widths[t]);
    return out;
  }
  double at(std::size_t t, Eigen::Index i, Eigen::Index j) const {
    if (i >= heights[t] || j >= widths[t]) return 0;
    return elements[t][static_cast<std::size_t>(rows.at(i) + columns.at(j))];
  }
  friend std::size_t at(const stored& m, Eigen::Index i, Eigen::Index j) {
    return static_cast<std::size_t>(m.rows.at(i) + m.columns.at(j));
  }
  double sum_at(Eigen::Index i, Eigen::Index j) const {
    double out = 0;
    for (std::size_t t = 0; t < elements.size(); ++t) out += factors[t] * at(t, i, j);
    return out;
  }
};

}  // namespace

TEST_CASE("sums of matrices are multiplied and added to several results, wherever they lie") {
  std::mt19937 random(2);
  const Eigen::Index sizes[][3] = {{1, 1, 1},   {5, 7, 3},     {24, 8, 16}, {25, 9, 17},
                                   {64, 40, 0}, {49, 17, 401}, {260, 3, 9}, {30, 70, 390}};
  for (const auto& [m, n, k] : sizes)
    for (int order = 0; order < 4; ++order) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(order);
      const std::size_t terms = 1 + static_cast<std::size_t>(random() % 3);
      stored a(random, m, k, terms, static_cast<int>(random() % 4));
      stored b(random, k, n, 1 + terms % 3, order);
      stored c(random, m, n, 3, (order + static_cast<int>(terms)) % 4);
      const stored before = c;
      std::vector<double> scratch(
          static_cast<std::size_t>(wf::compute::fused_product_scratch<double>(m, n, k)));
      const std::size_t fresh = random() % 4;
      const bool begins = random() % 2 == 0;
      stored begin(random, m, n, 1, static_cast<int>(random() % 4));
      const matrix_sum<const double> first = begin.sum<const double>();
      fused_product<double>(m, n, k, scratch.data())
          .run(c.sum<double>(), fresh, a.sum<const double>(), b.sum<const double>(),
               begins ? &first : nullptr);
      double error = 0;
      for (Eigen::Index i = 0; i < m; ++i)
        for (Eigen::Index j = 0; j < n; ++j) {
          double product = 0;
          for (Eigen::Index p = 0; p < k; ++p) product += a.sum_at(i, p) * b.sum_at(p, j);
          for (std::size_t t = 0; t < 3; ++t) {
            if (i >= c.heights[t] || j >= c.widths[t]) continue;
            const double base = t >= fresh         ? before.at(t, i, j)
                                : t == 0 && begins ? begin.at(0, i, j)
                                                   : 0;
            error = std::max(error, std::abs(c.at(t, i, j) - base - c.factors[t] * product));
          }
        }
      CHECK(error < 1e-13 * static_cast<double>(k + 4));
      // No other element is written.
      double expected = 0, found = 0;
      for (std::size_t t = 0; t < 3; ++t) {
        expected += std::accumulate(before.elements[t].begin(), before.elements[t].end(), 0.0);
        found += std::accumulate(c.elements[t].begin(), c.elements[t].end(), 0.0);
        for (Eigen::Index i = 0; i < c.heights[t]; ++i)
          for (Eigen::Index j = 0; j < c.widths[t]; ++j) {
            expected -= before.at(t, i, j);
            found -= c.at(t, i, j);
          }
      }
      CHECK(std::abs(expected - found) < 1e-9);
    }
}

TEST_CASE("of a product only the lower part may be wanted") {
  std::mt19937 random(3);
  const Eigen::Index sizes[][3] = {{1, 1, 1},      {30, 30, 5},   {100, 100, 17},
                                   {300, 300, 30}, {500, 500, 9}, {40, 90, 8}};
  for (const auto& [m, n, k] : sizes)
    for (int order = 0; order < 2; ++order) {
      CAPTURE(m);
      CAPTURE(order);
      stored a(random, m, k, 1, order), b(random, k, n, 1, 1 - order), c(random, m, n, 1, 0);
      const stored before = c;
      std::vector<double> scratch(
          static_cast<std::size_t>(wf::compute::fused_product_scratch<double>(m, n, k)));
      const std::size_t fresh = random() % 2;
      fused_product<double>(m, n, k, scratch.data(), wf::compute::product_part::lower)
          .run(c.sum<double>(), fresh, a.sum<const double>(), b.sum<const double>());
      double error = 0;
      for (Eigen::Index i = 0; i < m; ++i)
        for (Eigen::Index j = 0; j <= std::min(i, n - 1); ++j) {
          double product = fresh == 0 ? before.at(0, i, j) : 0;
          for (Eigen::Index p = 0; p < k; ++p) product += a.at(0, i, p) * b.at(0, p, j);
          error = std::max(error, std::abs(c.at(0, i, j) - product));
        }
      CHECK(error < 1e-13 * static_cast<double>(k + 4));
    }
}

TEST_CASE("several threads compute the same bits as one") {
  std::mt19937 random(4);
  const Eigen::Index sizes[][3] = {{200, 301, 100}, {301, 200, 100}, {170, 163, 161},
                                   {90, 2000, 40},  {1500, 30, 97},  {400, 400, 40}};
  for (const auto& [m, n, k] : sizes)
    for (const bool lower : {false, true})
      for (int order = 0; order < 4; ++order) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(lower);
        CAPTURE(order);
        if (lower && m != n) continue;
        const std::size_t results = lower ? 1 : 2;
        stored a(random, m, k, 2, order), b(random, k, n, 1, 3 - order);
        stored begin(random, m, n, 1, 0);
        const stored before(random, m, n, results, lower ? 0 : order);
        const matrix_sum<const double> first = begin.sum<const double>();
        wf_test::same_on_teams([&] {
          stored c = before;
          c.rows.offsets = before.row_offsets.empty() ? nullptr : c.row_offsets.data();
          c.columns.offsets = before.column_offsets.empty() ? nullptr : c.column_offsets.data();
          const auto needed = wf::compute::fused_product_scratch<double>(m, n, k);
          std::vector<double> scratch(static_cast<std::size_t>(needed) + 8, -7);
          fused_product<double>(
              m, n, k, scratch.data(),
              lower ? wf::compute::product_part::lower : wf::compute::product_part::whole)
              .run(c.sum<double>(), 1, a.sum<const double>(), b.sum<const double>(), &first);
          for (std::size_t i = 0; i < 8; ++i)
            CHECK(scratch[static_cast<std::size_t>(needed) + i] == -7);
          if (lower)
            for (Eigen::Index j = 0; j < n; ++j)
              for (Eigen::Index i = 0; i < j; ++i) c.elements[0][at(c, i, j)] = 0;
          return c.elements;
        });
      }
}
