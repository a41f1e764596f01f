// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/graph.hpp>

#include <doctest/doctest.h>

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

static_assert(small().view().values[1].producer == wf::node_id{0});

TEST_CASE("a copy is independent of its original") {
  wf::graph a = small();
  const wf::graph b = a;
  a.add_input("later", {wf::dtype::f32, {}, wf::shape::of(1)});
  CHECK(a.view().values.size() == b.view().values.size() + 1);
  CHECK(b.text_of(b.view().values[0].name) == "x");
}

TEST_CASE("a graph is copied from what a view shows") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(g.add_derived("M + 1"))};
  const wf::value_id a = g.add_input("a", t);
  const wf::node_id n =
      g.add_node({.op = "f", .name = "n", .file = "f.cpp", .line = 3}, {&a, 1}, {&t, 1});
  g.add_cost("flops", "M");
  g.add_edge(wf::edge_kind::control, n, n);
  g.add_output("y", wf::graph_view::output_of(g[n]));
  wf::graph copy(g.view());
  CHECK(copy.view().characters.size() == g.view().characters.size());
  CHECK(copy.view().nodes.size() == 1);
  CHECK(copy.view().costs.size() == 1);
  CHECK(copy.view().edges.size() == 1);
  CHECK(copy.view().text_of(copy.view().nodes[0].location.file) == "f.cpp");
  CHECK(copy.view().text_of(copy.view().outputs[0].name) == "y");
  copy.add_input("b", t);
  CHECK(g.view().values.size() == 2);
}

TEST_CASE("equal polynomials are one derived extent, operators one name") {
  wf::graph g("g");
  CHECK(g.add_derived("M*N") == g.add_derived("M*N"));
  CHECK(g.add_derived("M*N") != g.add_derived("M + N"));
  CHECK(g.intern_operation("a", "x") == g.intern_operation("a", "x"));
  CHECK(g.intern_operation("a", "x") != g.intern_operation("a", "y"));
}

TEST_CASE("names and properties can be given later") {
  wf::graph g = small();
  g.set_name(wf::node_id{0}, "first");
  g.assume(wf::value_id{1}, wf::symmetric);
  CHECK(g.view().label(wf::node_id{0}) == wf::text("first"));
  CHECK(g[wf::value_id{1}].type.known.has(wf::symmetric));
  g.add_cost("flops", "2*M");
  CHECK(g.text_of(g.view().costs_of(g.view().nodes[2])[0].formula) == "2*M");
}
