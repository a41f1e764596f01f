// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/symmetric_product.hpp>

#include <random>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("symmetric matrices by one triangle, of every size and order") {
  std::mt19937_64 random(20261123);
  for (const int n : {1, 7, 40, 96, 97, 130, 220})
    for (const int m : {1, 5, 40, 75})
      for (const unsigned lies : {0u, 1u, 2u, 4u, 7u}) {
        CAPTURE(n);
        CAPTURE(m);
        const apply::layout layout{lies, 3};
        tensor p = apply::random_tensor(shape::of(n, n), random), half(p.dims), whole(p.dims);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            const double x = p.elements[at(std::max(i, j), std::min(i, j), n)];
            whole.elements[at(i, j, n)] = x;
            half.elements[at(i, j, n)] = i < j ? 0 : i == j ? x / 2 : x;
          }
        const tensor b = apply::random_tensor(shape::of(n, m), random);
        const tensor c = apply::random_tensor(shape::of(m, n), random);
        const tensor x = apply::random_tensor(shape::of(n), random);
        const auto apply = [&](const char* op, const tensor& left, const tensor& right,
                               const wf::value_type& out) {
          return *apply::run(compute::linalg_operators<double>(), op, {left, right}, {out}, {}, {},
                             layout);
        };
        const tensor halved = apply("matmul_half", whole, b, apply::f64(n, m));
        CHECK(is_near(halved, apply("matmul", half, b, apply::f64(n, m))));
        CHECK(is_near(apply("matmul_symmetric", whole, b, apply::f64(n, m)),
                      apply("matmul", whole, b, apply::f64(n, m))));
        CHECK(is_near(apply("matvec_symmetric", whole, x, apply::f64(n)),
                      apply("matvec", whole, x, apply::f64(n))));
        const tensor once = apply("matmul", c, b, apply::f64(m, m));
        tensor twice = once;
        for (int i = 0; i < m; ++i)
          for (int j = 0; j < m; ++j) twice.elements[at(i, j, m)] += once.elements[at(j, i, m)];
        CHECK(is_near(apply("syr2k", c, b, apply::f64(m, m)), twice));
      }
}
