// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/linalg/contraction.hpp>

#include <vector>

#include <doctest/doctest.h>

#include "applied.hpp"

namespace {

using namespace applied;

}  // namespace

TEST_CASE("contractions: diagonals, sums, outer products, one operand") {
  const tensor a(shape::of(2, 2), {1, 2, 3, 4}), v(shape::of(2), {10, 100});
  const auto einsum = [&](const std::vector<tensor>& in, const wf::value_type& out,
                          wf::text_view equation) {
    return (*run(in.size() == 1 ? "rearrange" : "einsum", in, {out},
                 {wf::attribute_value::string("equation", equation)}))
        .elements;
  };
  CHECK(einsum({a, v}, apply::f64(2), "ij,j->i") == std::vector<double>{210, 430});
  CHECK(einsum({a, v}, apply::f64(), "ij,i->") == std::vector<double>{730});
  CHECK(einsum({a, v}, apply::f64(2), "ii,i->i") == std::vector<double>{10, 400});
  CHECK(einsum({v, v}, apply::f64(2, 2), "i,j->ji") == std::vector<double>{100, 1000, 1000, 10000});
  CHECK(einsum({v, tensor(shape(), {3})}, apply::f64(2), "i,->i") == std::vector<double>{30, 300});
  CHECK(einsum({tensor(shape(), {3}), v}, apply::f64(), ",i->") == std::vector<double>{330});
  CHECK(einsum({a}, apply::f64(2), "ii->i") == std::vector<double>{1, 4});
  CHECK(einsum({a}, apply::f64(2, 2), "ij->ji") == std::vector<double>{1, 3, 2, 4});
}
