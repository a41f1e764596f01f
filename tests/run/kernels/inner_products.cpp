// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/inner_products.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using Eigen::Index;
using wf::compute::product_part;

TEST_CASE("inner products of all pairs of vectors") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto filled = [&](Index size) {
    std::vector<double> out(static_cast<std::size_t>(size));
    for (double& x : out) x = uniform(random);
    return out;
  };
  for (const Index m : {1, 3, 4, 9, 25})
    for (const Index n : {1, 2, 4, 5, 6, 8, 13, 25})
      for (const Index depth : {8, 9, 15, 16, 100, 512, 513, 519, 520, 1100})
        for (const product_part part : {product_part::whole, product_part::lower}) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(depth);
          const std::vector<double> a = filled(m * (depth + 2)), b = filled(n * (depth + 5));
          std::vector<double> out = filled(n * (m + 3));
          const std::vector<double> before = out;
          const bool adds = random() % 2 == 0;
          wf::compute::inner_products(out.data(), m + 3, {a.data(), depth + 2, m},
                                      {b.data(), depth + 5, n}, depth, adds, -2, part);
          double error = 0;
          bool clean = true;
          for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m + 3; ++i) {
              const auto at = static_cast<std::size_t>(j * (m + 3) + i);
              if (i >= m) {
                clean = clean && out[at] == before[at];
                continue;
              }
              if (part == product_part::lower && i < j) continue;
              double expected = adds ? before[at] : 0;
              for (Index p = 0; p < depth; ++p)
                expected -= 2 * a[static_cast<std::size_t>(i * (depth + 2) + p)] *
                            b[static_cast<std::size_t>(j * (depth + 5) + p)];
              error = std::max(error, std::abs(out[at] - expected));
            }
          CHECK(error < 1e-12);
          CHECK(clean);
        }
}
