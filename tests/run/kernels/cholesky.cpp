// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/cholesky.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("Cholesky factors in place of a matrix") {
  std::mt19937_64 random(60);
  for (const Index n : {0, 1, 3, 40, 97, 150, 230})
    for (const bool scratched : {false, true}) {
      owned b(n, n, true, 0, random), a(n, n, true, 2, random);
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j)
          a.ref()(i, j) = (i == j ? 1 : 0) + product_at_transposed(b, i, j, n);
      storage scratch(scratched ? compute::solve_scratch<double>(n, n) : 0);
      owned l = a;
      CHECK(compute::factorise_cholesky(l.ref(), scratch.get()));
      double error = 0;
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j <= i; ++j) {
          double sum = 0;
          for (Index k = 0; k <= j; ++k) sum += l(i, k) * l(j, k);
          error = std::max(error, std::abs(sum - a(i, j)));
        }
      CHECK(error < 1e-11);
      CHECK(l.is_clean());
      if (n == 0) continue;
      l = a;
      l.ref()(n - 1, n - 1) = -1;
      CHECK_FALSE(compute::factorise_cholesky(l.ref(), scratch.get()));
    }
}
