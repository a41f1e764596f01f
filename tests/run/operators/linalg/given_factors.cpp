// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/given_factors.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("factors that are singular, or no permutation, solve nothing") {
  const tensor b(shape::of(2, 2), {1, 0, 0, 1}), v(shape::of(2), {1, 1});
  const tensor rows(shape::of(2), {1, 0}, dtype::i64);
  // A 1x1 block, and a 2x2 block.
  for (const tensor& f :
       {tensor(shape::of(2, 2), {1, 0, 3, 0}), tensor(shape::of(2, 2), {4, 2, 0, 1}),
        tensor(shape::of(2, 2), {0, 0, 3, 1})}) {
    CHECK(run("solve_ldl", {f, rows, b}, {apply::f64(2, 2)}).why == "the matrix is singular");
    CHECK(run("solve_ldl", {f, rows, v}, {apply::f64(2)}).why == "the matrix is singular");
  }
  for (const double wrong : {1.0, 2.0, -1.0})
    CHECK(run("solve_ldl", {b, tensor(shape::of(2), {1, wrong}, dtype::i64), b}, {apply::f64(2, 2)})
              .why == "the rows of the factors are no permutation");
  for (const char* op : {"solve_lu", "solve_lu_transposed"}) {
    CHECK(run(op, {tensor(shape::of(2, 2), {1, 2, 3, 0}), rows, b}, {apply::f64(2, 2)}).why ==
          "the matrix is singular");
    for (const double wrong : {1.0, 2.0, -1.0})
      CHECK(run(op, {b, tensor(shape::of(2), {1, wrong}, dtype::i64), b}, {apply::f64(2, 2)}).why ==
            "the rows of the factors are no permutation");
  }
}

TEST_CASE("factors solve as their matrix does, and as its transpose does") {
  std::mt19937_64 random(44);
  for (const int n : {1, 2, 9, 40}) {
    const tensor a = apply::random_tensor(shape::of(n, n), random);
    const tensor x = apply::random_tensor(shape::of(n, 3), random);
    const auto lu = run("lu_factor", {a}, {apply::f64(n, n), apply::of(dtype::i64, n)});
    REQUIRE(lu.why == "");
    const tensor b = *run("matmul", {a, x}, {apply::f64(n, 3)});
    const tensor turned = *run("transpose", {a}, {apply::f64(n, n)});
    const tensor c = *run("matmul", {turned, x}, {apply::f64(n, 3)});
    const tensor &f = lu.results[0], &p = lu.results[1];
    const auto differs = [&](const char* op, const tensor& right) {
      const tensor found = *run(op, {f, p, right}, {apply::f64(n, 3)});
      double worst = 0;
      for (std::size_t i = 0; i < found.elements.size(); ++i)
        worst = std::max(worst, std::abs(found.elements[i] - x.elements[i]));
      return worst;
    };
    CHECK(differs("solve_lu", b) < 1e-9);
    CHECK(differs("solve_lu_transposed", c) < 1e-9);
  }
}
