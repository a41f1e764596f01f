// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/direct_product.hpp>

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

using Eigen::Index;
using wf::compute::direct_product;
using wf::compute::product_part;

namespace {

// A matrix by columns or by rows with `gap` elements in between, in exactly sized storage.
struct stored {
  std::vector<double> elements;
  wf::compute::stepped_matrix<double> lies;

  stored(Index rows, Index columns, bool by_columns, Index gap, std::mt19937& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const Index run = by_columns ? rows : columns, runs = by_columns ? columns : rows;
    const Index stride = run + gap;
    elements.resize(static_cast<std::size_t>(runs == 0 ? 0 : (runs - 1) * stride + run));
    for (double& x : elements) x = uniform(random);
    lies = {elements.data(), by_columns ? 1 : stride, by_columns ? stride : 1};
  }
  double operator()(Index i, Index j) const { return *lies.at(i, j); }
};

struct product {
  Index m, n, k;
  bool a_by_columns, b_by_columns, adds;
  product_part part;
  Index gap;
};

// The largest error of the result; infinite if any other element was written.
double error_of(const product& p, std::mt19937& random) {
  const stored a(p.m, p.k, p.a_by_columns, p.gap, random);
  const stored b(p.k, p.n, p.b_by_columns, p.gap, random);
  stored out(p.m, p.n, true, 3, random);
  const std::vector<double> before = out.elements;
  direct_product<double>(p.m, p.n, p.k, p.adds, -2, p.part)
      .run(out.elements.data(), p.m + 3, a.lies, b.lies);
  double error = 0;
  for (Index j = 0; j < p.n; ++j)
    for (Index i = 0; i < p.m + 3; ++i) {
      const auto at = static_cast<std::size_t>(j * (p.m + 3) + i);
      if (at >= before.size()) continue;
      if (i >= p.m) {
        if (out.elements[at] != before[at]) return INFINITY;
        continue;
      }
      if (p.part == product_part::lower && i < j) continue;
      double expected = p.adds ? before[at] : 0;
      for (Index l = 0; l < p.k; ++l) expected -= 2 * a(i, l) * b(l, j);
      error = std::max(error, std::abs(out.elements[at] - expected));
    }
  return error;
}

}  // namespace

TEST_CASE("products of matrices of all sizes and orders, as they lie") {
  std::mt19937 random(8);
  for (const Index m : {1, 3, 7, 8, 9, 12, 23, 24, 25, 28, 50})
    for (const Index n : {0, 1, 2, 3, 7, 8, 9, 15, 26})
      for (const Index k : {0, 1, 7, 8, 13, 40})
        for (int order = 0; order < 4; ++order) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          CAPTURE(order);
          const bool adds = random() % 2 == 0;
          const product_part part = random() % 2 == 0 ? product_part::whole : product_part::lower;
          CHECK(error_of({m, n, k, order % 2 == 0, order < 2, adds, part, order}, random) < 1e-12);
        }
}

TEST_CASE("long sums are added up in parts") {
  std::mt19937 random(9);
  for (const Index k : {383, 384, 385, 800})
    for (int order = 0; order < 4; ++order)
      for (const bool adds : {false, true})
        CHECK(error_of({29, 11, k, order % 2 == 0, order < 2, adds, product_part::whole, 2},
                       random) < 1e-11);
}

TEST_CASE("columns that lie far apart are packed") {
  std::mt19937 random(10);
  for (const Index m : {5, 9, 33})
    for (const Index n : {4, 104})
      for (const Index stride : {256, 512, 600, 1024})
        CHECK(error_of({m, n, 20, true, true, true, product_part::whole, stride - m}, random) <
              1e-12);
}

TEST_CASE("large results arrive in the cache before they are written") {
  std::mt19937 random(11);
  CHECK(error_of({260, 257, 5, true, false, true, product_part::whole, 1}, random) < 1e-12);
}

TEST_CASE("several threads compute the same bits as one, lower parts too") {
  std::mt19937 random(9);
  const Index sizes[][3] = {{2001, 40, 60}, {170, 165, 170}, {3000, 31, 90}, {200, 200, 150}};
  for (const auto& [m, n, k] : sizes)
    for (int order = 0; order < 4; ++order)
      for (const product_part part : {product_part::whole, product_part::lower}) {
        CAPTURE(m);
        CAPTURE(order);
        const stored a(m, k, order % 2 == 0, order, random), b(k, n, order < 2, order, random);
        const stored before(m, n, true, 3, random);
        wf_test::same_on_teams([&] {
          std::vector<double> out = before.elements;
          direct_product<double>(m, n, k, order == 1, -1.5, part)
              .run(out.data(), m + 3, a.lies, b.lies);
          for (Index j = 0; j < n && part == product_part::lower; ++j)
            for (Index i = 0; i < std::min(j, m); ++i)
              out[static_cast<std::size_t>(j * (m + 3) + i)] = 0;
          return out;
        });
      }
}
