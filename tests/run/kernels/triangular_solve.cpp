// SPDX-License-Identifier: BSL-1.0
#include <wf/run/kernels/triangular_solve.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "strided.hpp"

namespace {

namespace compute = wf::compute;
using namespace strided;

}  // namespace

TEST_CASE("triangular solutions in all orders") {
  std::mt19937_64 random(53);
  using compute::triangle;
  for (const Index n : {0, 1, 2, 9, 40, 100, 300})
    for (const Index columns : {0, 1, 6, 30})
      for_all_orders([&](const orders& o) {
        for (const triangle kind :
             {triangle::lower, triangle::upper, triangle::unit_lower, triangle::unit_upper}) {
          const bool upper = is_upper(kind), unit = has_unit_diagonal(kind);
          owned t(n, n, o.a, o.apart, random), x(n, columns, o.b, o.apart, random);
          for (Index i = 0; i < n; ++i) {
            t.ref()(i, i) = 3 + t(i, i);
            for (Index j = 0; j < n; ++j)
              if (i != j) t.ref()(i, j) *= n < 100 ? 0.2 : 0.02;
          }
          const bool scratched = o.c || n >= 100;
          owned b = x;
          storage scratch(scratched ? compute::solve_scratch<double>(n, columns) : 0);
          compute::solve_triangle(kind, t.view(), x.ref(), scratch.get());
          double error = 0;
          for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < columns; ++j) {
              double sum = unit ? x(i, j) : t(i, i) * x(i, j);
              for (Index k = upper ? i + 1 : 0; k < (upper ? n : i); ++k) sum += t(i, k) * x(k, j);
              error = std::max(error, std::abs(sum - b(i, j)));
            }
          CHECK(error < 1e-12);
          CHECK(x.is_clean());
        }
      });
}

TEST_CASE("inverses of triangles in all orders") {
  std::mt19937_64 random(59);
  using compute::triangle;
  for (const Index n : {0, 1, 7, 16, 45, 130, 300})
    for (const triangle kind :
         {triangle::lower, triangle::upper, triangle::unit_lower, triangle::unit_upper})
      for_all_orders([&](const orders& o) {
        if (n == 300 && o.apart != 0) return;
        const bool upper = is_upper(kind), unit = has_unit_diagonal(kind);
        owned t(n, n, o.a, o.apart, random), x(n, n, o.b, o.apart, random);
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) t.ref()(i, j) = i == j ? 3 + t(i, i) : 0.02 * t(i, j);
        storage scratch(o.c ? compute::solve_scratch<double>(n, n) : 0);
        compute::invert_triangle(x.ref(), kind, t.view(), scratch.get());
        double error = 0;
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            const Index low = std::min(i, j), high = std::max(i, j);
            double sum = i == j ? -1 : 0;
            if (i == j || (i < j) == upper)
              for (Index k = low; k <= high; ++k) sum += (unit && i == k ? 1 : t(i, k)) * x(k, j);
            else
              sum = x(i, j);  // an exact zero
            error = std::max(error, std::abs(sum));
          }
        CHECK(error < 1e-13);
        CHECK(x.is_clean());
      });
}
