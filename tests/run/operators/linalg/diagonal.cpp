// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/diagonal.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("diagonals scale rows, of every size and however they lie") {
  std::mt19937_64 random(29);
  for (const auto& [m, n] : {std::pair{0, 3}, {1, 1}, {3, 70}, {64, 64}, {65, 1}, {65, 130}}) {
    CAPTURE(m);
    CAPTURE(n);
    const tensor d = apply::random_tensor(shape::of(m, m), random);  // elements off the diagonal
                                                                     // are not read
    const tensor b = apply::random_tensor(shape::of(m, n), random);
    for (unsigned bits = 0; bits < 16; ++bits) {
      const apply::layout lies{bits % 8, bits < 8 ? 0 : 5};
      for (const char* op : {"matmul_diagonal", "solve_diagonal"}) {
        CAPTURE(op);
        const auto made = apply::run(compute::linalg_operators<double>(), op, {d, b},
                                     {apply::f64(m, n)}, {}, {}, lies);
        REQUIRE(made.why == "");
        double farthest = 0;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < n; ++j) {
            const double scale = d.elements[at(i, i, m)], x = b.elements[at(i, j, n)];
            const double expected = op[0] == 'm' ? scale * x : 1 / scale * x;
            farthest = std::max(farthest, std::abs((*made).elements[at(i, j, n)] - expected));
          }
        CHECK(farthest == 0);
      }
    }
  }
}
