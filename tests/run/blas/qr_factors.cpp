// SPDX-License-Identifier: BSL-1.0
#include <wf/run/blas/qr_factors.hpp>

#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "in_library.hpp"

TEST_CASE("Q is orthogonal, R a triangle, and their product the matrix, by the library and by wf") {
  using namespace in_library;
  std::mt19937_64 random(8);
  for (int round = 0; round < 40; ++round) {
    constexpr int sizes[] = {0, 1, 2, 7, 33, 70};
    const int n = sizes[random() % 6], rows = n + sizes[random() % 6];
    CAPTURE(n);
    CAPTURE(rows);
    const matrix a = random_matrix(rows, n, random);
    const apply::layout lies{static_cast<unsigned>(random() % 8), static_cast<int>(random() % 3)};
    for (const int which : {0, 1}) {
      const auto qr = in_library::run(which, "qr", {a.as_tensor()},
                                      {apply::f64(rows, n), apply::f64(n, n)}, {}, lies);
      const matrix q(*qr), r(qr.results[1]);
      CHECK(r.elements == r.triangle(true).elements);
      const matrix back(*applied::run("matmul", {*qr, qr.results[1]}, {apply::f64(rows, n)}));
      const matrix unit(
          *applied::run("matmul", {q.transposed().as_tensor(), *qr}, {apply::f64(n, n)}));
      // Of n reflections of vectors of `rows` elements: Higham, theorem 19.4, with elements
      // below 1.
      const double bound = 1e-15 * (rows + 1) * (n + 1);
      double worst = 0;
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) worst = std::max(worst, std::abs(back(i, j) - a(i, j)));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          worst = std::max(worst, std::abs(unit(i, j) - (i == j ? 1 : 0)));
      CHECK(worst <= bound);
    }
  }
}
