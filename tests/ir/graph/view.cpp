// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/view.hpp>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>

namespace {

// x -> a -> b, and a control edge from a to c, which has no operands of its own.
constexpr wf::graph small() {
  wf::graph g("small");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 3)};
  const wf::value_id x = g.add_input("x", t);
  const auto stride = wf::attribute_value::integer("stride", 2);
  const wf::node_id a =
      g.add_node({.op = "relu", .domain = "nn", .attributes = {&stride, 1}}, {&x, 1}, {&t, 1});
  const wf::value_id ax = wf::graph_view::output_of(g[a]);
  const wf::node_id b = g.add_node({.op = "relu", .domain = "nn", .name = "b"}, {&ax, 1}, {&t, 1});
  const wf::node_id c =
      g.add_node({.op = "log", .domain = "io", .effects = wf::effect::external}, {}, {});
  g.add_edge(wf::edge_kind::control, a, c);
  g.add_output("y", wf::graph_view::output_of(g[b]));
  return g;
}

}  // namespace

static_assert(small().view().nodes.size() == 3 && small().view().operations.size() == 2);
static_assert(small().view().label(wf::node_id{1}) == wf::text("b"));
static_assert(small().view().label(wf::node_id{0}) == wf::text("relu#0"));

TEST_CASE("a view resolves names, attributes and outputs") {
  const wf::graph owner = small();
  const wf::graph_view g = owner;
  CHECK(g.text_of(g.name) == "small");
  CHECK(g.op_name(g.nodes[2]) == "log");
  CHECK(g.integer_attribute(g.nodes[0], "stride", 1) == 2);
  CHECK(g.integer_attribute(g.nodes[1], "stride", 1) == 1);
  CHECK(g.real_attribute(g.nodes[0], "stride", 0.5) == 2);
  CHECK(g.real_attribute(g.nodes[1], "stride", 0.5) == 0.5);
  CHECK(g.find_attribute(g.nodes[0], "padding") == nullptr);
  CHECK(g.is_output(wf::value_id{2}));
  CHECK_FALSE(g.is_output(wf::value_id{1}));
  CHECK(g.is_static());
}
