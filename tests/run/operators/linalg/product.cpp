// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/product.hpp>

#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("integers multiply exactly, or not at all") {
  const double large = 94906265;  // its square is below 2^53
  const tensor a(shape::of(2, 2), {large, large, 1, 2}, dtype::i64);
  const tensor b(shape::of(2, 2), {large, 3, 0, 4}, dtype::i64);
  const wf::value_type out = apply::of(dtype::i64, 2, 2);
  const std::vector<double> product{large * large, 7 * large, large, 11};
  CHECK((*run("matmul", {a, b}, {out})).elements == product);
  CHECK((*run("matmul_strassen", {a, b}, {out})).elements == product);
  const tensor x(shape::of(2), {large, large}, dtype::i64);
  const tensor y(shape::of(2), {large, -large}, dtype::i64);
  CHECK((*run("outer", {x, y}, {out})).elements[3] == -large * large);
  CHECK(run("dot", {x, y}, {apply::of(dtype::i64)}).why == "an integer sum exceeds 2^53");
  const tensor small(shape::of(1, 1), {16}, dtype::i8);
  CHECK(run("matmul", {small, small}, {apply::of(dtype::i8, 1, 1)}).why == "does not fit");
  CHECK(run("matmul_strassen", {small, small}, {apply::of(dtype::i8, 1, 1)}).why ==
        "Strassen's product needs matrices of even extents");
  // Large enough for packing, which exact sums must support.
  std::mt19937_64 random(20261122);
  tensor large_a = apply::random_tensor(shape::of(96, 72), random, -9, 9);
  tensor large_b = apply::random_tensor(shape::of(72, 102), random, -9, 9);
  for (tensor* t : {&large_a, &large_b}) {
    t->type = dtype::i64;
    for (double& x : t->elements) x = std::round(x);
  }
  tensor expected(shape::of(96, 102));
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 102; ++j) {
      double sum = 0;
      for (int k = 0; k < 72; ++k)
        sum += large_a.elements[at(i, k, 72)] * large_b.elements[at(k, j, 102)];
      expected.elements[at(i, j, 102)] = sum;
    }
  for (const char* op : {"matmul", "matmul_strassen"}) {
    CAPTURE(op);
    const auto found = run(op, {large_a, large_b}, {apply::of(dtype::i64, 96, 102)});
    CHECK((*found).elements == expected.elements);
  }
}

TEST_CASE("products are packed by wf where there is storage") {
  namespace compute = wf::compute;
  CHECK(compute::product_scratch<double>(200, 200, 200) > 0);
  double element = 0;
  CHECK(compute::detail::may_pack(&element));
  CHECK_FALSE(compute::detail::may_pack<double>(nullptr));
}
