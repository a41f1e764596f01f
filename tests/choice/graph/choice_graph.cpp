// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/choice_graph.hpp>

#include <doctest/doctest.h>

#include <wf/registry/domain/builtin.hpp>

#include "../expressions.hpp"

using expressions::inverse_of;

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

namespace {

constexpr wf::value_type square{wf::dtype::f64, {}, wf::shape::of(3, 3)};

// a + b and c + d, each transposed, and each transpose added to e.
constexpr wf::graph two_towers() {
  wf::graph g("towers");
  wf::value_id in[5]{};
  for (int i = 0; i < 5; ++i) in[i] = g.add_input((wf::text() << "x" << i).view(), square);
  for (int tower = 0; tower < 2; ++tower) {
    const wf::value_id terms[] = {in[2 * tower], in[2 * tower + 1]};
    const auto sum = wf::graph_view::output_of(g[g.add_node({.op = "add"}, terms, {&square, 1})]);
    const auto turned =
        wf::graph_view::output_of(g[g.add_node({.op = "transpose"}, {&sum, 1}, {&square, 1})]);
    const wf::value_id last[] = {turned, in[4]};
    const auto top = wf::graph_view::output_of(g[g.add_node({.op = "add"}, last, {&square, 1})]);
    g.add_output(tower == 0 ? "s" : "t", top);
  }
  return g;
}

constexpr bool merges_upwards() {
  wf::choice_graph c(two_towers().view());
  const auto top = [&](std::size_t i) { return c.view().outputs[i].source; };
  if (c.class_of(top(0)) == c.class_of(top(1))) return false;
  // By two steps: x0 + x1 equals x2 + x3 if x0 equals x2 and x1 equals x3.
  c.unite(wf::value_id{0}, wf::value_id{2});
  if (c.class_of(top(0)) == c.class_of(top(1))) return false;
  c.unite(wf::value_id{3}, wf::value_id{1});
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < c.size(); ++i) kept += c.is_kept(wf::node_id{i}) ? 1 : 0;
  return c.class_of(top(0)) == c.class_of(top(1)) && kept == 3 &&
         c.readers_of(wf::value_id{3}).size() == 1;
}
static_assert(merges_upwards());

}  // namespace

TEST_CASE("readers of values found equal are equal too, upwards to the outputs") {
  CHECK(merges_upwards());
  // The transposes are united: the sums below stay apart, the nodes above merge.
  wf::choice_graph c(two_towers().view());
  c.unite(c.result_of(wf::node_id{0}), c.result_of(wf::node_id{3}));
  CHECK(c.class_of(c.result_of(wf::node_id{2})) == c.class_of(c.result_of(wf::node_id{5})));
  CHECK(c.candidates_of(c.result_of(wf::node_id{3})).size() == 2);
  CHECK(c.is_kept(wf::node_id{3}));
  CHECK(c.is_merged(wf::node_id{4}));
  CHECK(c.is_merged(wf::node_id{5}));
  // A new node on either value is the existing one.
  const wf::value_id sum = c.result_of(wf::node_id{3});
  const auto turned = c.add(wf::kernels::transpose, {&sum, 1});
  REQUIRE(turned);
  CHECK(*turned == c.result_of(wf::node_id{1}));
}

TEST_CASE("an earlier node that becomes equal to a later one is the one that stays") {
  wf::graph g("g");
  const wf::value_id a = g.add_input("A", square), b = g.add_input("B", square);
  const wf::value_id later =
      wf::graph_view::output_of(g[g.add_node({.op = "relu"}, {&b, 1}, {&square, 1})]);
  const wf::value_id first =
      wf::graph_view::output_of(g[g.add_node({.op = "relu"}, {&a, 1}, {&square, 1})]);
  g.add_output("x", later);
  g.add_output("y", first);
  wf::choice_graph c(g.view());
  c.unite(a, b);
  CHECK(c.is_kept(wf::node_id{0}));
  CHECK(c.is_merged(wf::node_id{1}));
  const auto found = c.add(wf::kernels::relu, {&b, 1});
  REQUIRE(found);
  CHECK(*found == later);
}

TEST_CASE("what is known of one value of a class is known of all, and of equal nodes") {
  wf::choice_graph c(inverse_of({}).view());
  const wf::value_id a{0}, b{1};
  const auto turned = c.add(wf::kernels::transpose, {&b, 1});
  REQUIRE(turned);
  CHECK(c.changes().empty());
  c.assume(a, wf::spd);
  CHECK(c.changes().size() == 1);
  c.assume(a, wf::symmetric);  // already known
  CHECK(c.changes().size() == 1);
  c.unite(b, *turned);
  c.assume(*turned, wf::symmetric);
  CHECK(c.known_of(b).has(wf::symmetric));
  // An equal node that is added again updates the properties that follow from its operands.
  const auto again = c.add(wf::kernels::inverse, {&a, 1});
  REQUIRE(again);
  CHECK(*again == b);
  CHECK(c.known_of(b).has(wf::spd));
}

TEST_CASE("nodes that edges order are kept apart, but their values are equal") {
  wf::graph g("g");
  const wf::value_id a = g.add_input("A", square), b = g.add_input("B", square);
  const wf::node_id first = g.add_node({.op = "relu"}, {&a, 1}, {&square, 1});
  const wf::node_id between = g.add_node({.op = "transpose"}, {&b, 1}, {&square, 1});
  const wf::node_id last = g.add_node({.op = "relu"}, {&a, 1}, {&square, 1});
  g.add_edge(wf::edge_kind::control, first, between);
  g.add_edge(wf::edge_kind::control, between, last);
  g.add_output("x", wf::graph_view::output_of(g[first]));
  g.add_output("y", wf::graph_view::output_of(g[last]));
  const wf::choice_graph c(g.view());
  REQUIRE(c.size() == 3);
  CHECK(c.is_fixed(first));
  CHECK(c.is_kept(last));
  CHECK(c.class_of(c.result_of(first)) == c.class_of(c.result_of(last)));
  REQUIRE(c.view().edges.size() == 2);
  CHECK(wf::topological_order(c.view()));
}

TEST_CASE("a derivation leads back to the workflow") {
  wf::choice_graph c(inverse_of({}).view());
  const wf::value_id a{0};
  CHECK(c.derivation_of(wf::node_id{0}).empty());
  c.set_origin(wf::origin_id{3}, wf::node_id{0});
  REQUIRE(c.add(wf::kernels::inverse_cholesky, {&a, 1}));
  CHECK(c.made_by_asked(wf::node_id{1}));
  c.set_origin(wf::origin_id{2}, wf::node_id{1});
  REQUIRE(c.add(wf::kernels::transpose, {&a, 1}));
  const auto steps = c.derivation_of(wf::node_id{2});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == wf::derivation_step{wf::origin_id{2}, wf::node_id{1}});
  CHECK(steps[1] == wf::derivation_step{wf::origin_id{3}, wf::node_id{0}});
  CHECK_FALSE(c.made_by_asked(wf::node_id{1}));
}
