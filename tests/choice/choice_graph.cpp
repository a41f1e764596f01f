// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/choice_graph.hpp>

#include <doctest/doctest.h>

#include <wf/registry/builtin.hpp>

namespace {

const wf::value_type square{wf::dtype::f64, {}, wf::shape::of(3, 3)};

wf::graph inverse_of(wf::properties known) {
  wf::graph g("inverse");
  const wf::value_id a = g.add_input("A", {wf::dtype::f64, known, wf::shape::of(3, 3)});
  const wf::node_id n =
      g.add_node({.op = "inverse", .domain = "linalg", .name = "B"}, {&a, 1}, {&square, 1});
  g.add_output("B", wf::graph_view::output_of(g[n]));
  return g;
}

}  // namespace

TEST_CASE("a class has candidates, a representative, and all that is known") {
  wf::choice_graph c(inverse_of({}).view());
  const wf::value_id a{0}, b{1};
  CHECK_FALSE(c.has_choice(b));
  c.set_origin(wf::origin_id{3});
  const auto other = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  REQUIRE(other);
  CHECK(c.class_of(*other) != c.class_of(b));
  c.assume(*other, wf::symmetric);
  c.unite(b, *other);
  CHECK(c.class_of(*other) == c.class_of(b));
  CHECK(c.representative(*other) == b);
  CHECK(c.type_of(b).known.has(wf::symmetric));
  CHECK(c.has_choice(b));
  CHECK(c.origin_of(c.view()[*other].producer) == wf::origin_id{3});
  CHECK(c.origin_of(c.view()[b].producer) == wf::origin_id::captured);
}

TEST_CASE("equal candidates are stored once, through representatives") {
  wf::choice_graph c(inverse_of({}).view());
  const wf::value_id a{0}, b{1};
  const auto other = c.add(wf::kernels::inverse_cholesky, {&a, 1});
  REQUIRE(other);
  c.unite(b, *other);
  const auto x = c.add(wf::kernels::transpose, {&b, 1});
  const auto y = c.add(wf::kernels::transpose, {&*other, 1});
  REQUIRE(x);
  REQUIRE(y);
  CHECK(*x == *y);
}

TEST_CASE("an ill-typed candidate is refused") {
  wf::choice_graph c(inverse_of({}).view());
  const wf::value_id a{0};
  CHECK(c.add(wf::kernels::matmul, {&a, 1}).error().code == wf::errc::shape_mismatch);
}
