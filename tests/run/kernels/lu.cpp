// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/lu.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/run/kernels/matrix_copy.hpp>

#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("factors in place of a matrix") {
  std::mt19937_64 random(54);
  for (const Index n : {0, 1, 2, 5, 16, 17, 33, 100, 200})
    for (const Index more : {0, 4})
      for (const bool deficient : {false, true}) {
        owned a(n + more, n, true, more, random);
        if (deficient && n > 2)
          for (Index i = 0; i < n + more; ++i) a.ref()(i, 1) = 2 * a(i, 0);
        owned f = a, exchanged = a;
        std::vector<double> rows(static_cast<std::size_t>(n));
        storage scratch(more == 0 ? 0 : compute::solve_scratch<double>(n + more, n));
        compute::factorise_lu(f.ref(), rows.data(), scratch.get());
        compute::exchange_rows(exchanged.ref(), rows.data(), n);
        // The same exchanges on the rows of a matrix stored by rows.
        owned by_rows(n + more, n, false, 1, random);
        compute::copy(by_rows.ref(), a.view());
        compute::exchange_rows(by_rows.ref(), rows.data(), n);
        for (Index i = 0; i < n + more; ++i)
          for (Index j = 0; j < n; ++j) {
            double sum = 0;
            for (Index k = 0; k <= std::min(i, j); ++k) sum += (k == i ? 1 : f(i, k)) * f(k, j);
            CHECK(sum == doctest::Approx(exchanged(i, j)));
            CHECK(by_rows(i, j) == exchanged(i, j));
            if (i > j) CHECK(std::abs(f(i, j)) <= 1);
          }
        CHECK(f.is_clean());
      }
}
