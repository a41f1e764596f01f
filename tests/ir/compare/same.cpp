// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/compare/same.hpp>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>
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

static_assert(wf::same(small().view(), small().view()));

TEST_CASE("every visible change makes graphs differ") {
  const wf::graph a = small();
  const auto differs = [&](auto change) {
    wf::graph b = small();
    change(b);
    CHECK_FALSE(wf::same(a.view(), b.view()));
  };
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 3)};
  differs([&](wf::graph& g) { g.add_input("z", t); });
  differs([&](wf::graph& g) { g.add_output("z", wf::value_id{0}); });
  differs([&](wf::graph& g) { g.set_name(wf::node_id{0}, "other"); });
  differs([&](wf::graph& g) { g.assume(wf::value_id{0}, wf::symmetric); });
  differs([&](wf::graph& g) { g.add_attribute(wf::attribute_value::integer("k", 1)); });
  differs([&](wf::graph& g) { g.add_cost("flops", "1"); });
  differs([&](wf::graph& g) { g.add_edge(wf::edge_kind::mutate, wf::node_id{0}, wf::node_id{1}); });
}

TEST_CASE("where text lies in the pool does not matter") {
  wf::graph a("g"), b("g");
  b.intern("padding that shifts every offset");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  a.add_output("y", a.add_input("x", t));
  b.add_output("y", b.add_input("x", t));
  CHECK(wf::same(a.view(), b.view()));
}

TEST_CASE("attributes and costs are equal in any order, and not by their numbers alone") {
  const auto graph = wf::parse_graph(R"(wf.graph 1 "g"
node a.f() [i = 1, r = 1/2, x = 0.5, s = "t", d = dim M*N] cost [flops = "1", bytes = "2"]
node a.f() [d = dim M*N, s = "t", x = 0.5, r = 1/2, i = 1] cost [bytes = "2", flops = "1"]
node a.f() [d = dim M*N, s = "t", x = 0.5, r = 1/3, i = 1] cost [bytes = "2", flops = "2"]
node a.f() [d = dim M*N, s = "u", x = 0.5, r = 1/2, i = 1] cost [flops = "1"]
node a.f() [d = dim M, s = "t", x = 0.5, r = 1/2, i = 1] cost [flops = "1", flops = "1"]
node a.f() [d = dim M*N, s = "t", x = -0.5, r = 1/2, i = 1]
)");
  REQUIRE(graph);
  const wf::graph_view g = graph->view();
  REQUIRE(g.nodes.size() == 6);
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      CHECK(wf::detail::same_attributes(g, g.nodes[i], g.nodes[j]) == (i == j || (i < 2 && j < 2)));
      CHECK(wf::detail::same_costs(g, g.nodes[i], g.nodes[j]) == (i == j || (i < 2 && j < 2)));
    }
}

TEST_CASE("equal computations agree in all but names, places, known properties and operands") {
  const auto graph = wf::parse_graph(R"(wf.graph 1 "g"
input "x" : f64[M, N]
input "y" : f64[M, N]
node d.f(%0) [i = 1] -> f64[M, N]
node d.f(%1) named "n" at "main.cpp":1:2 [i = 1] -> f64[M, N] {spd}
node d.h(%0) [i = 1] -> f64[M, N]
node e.f(%0) [i = 1] -> f64[M, N]
node d.f(%0, %1) [i = 1] -> f64[M, N]
node d.f(%0) [i = 2] -> f64[M, N]
node d.f(%0) [i = 1] cost [flops = "1"] -> f64[M, N]
node d.f(%0) [i = 1] -> f32[M, N]
node d.f(%0) [i = 1] -> f64[N, M]
node d.f(%0) [i = 1] -> f64[M, N], f64[M, N]
node d.f(%0) [i = 1] peer "p" -> f64[M, N]
node d.f(%0) [i = 1] effect stateful -> f64[M, N]
)");
  REQUIRE(graph);
  const wf::graph_view g = graph->view();
  REQUIRE(g.nodes.size() == 12);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK(wf::detail::same_computation(g, g.nodes[i], g.nodes[j]) ==
            ((i == j && i != 11) || (i < 2 && j < 2)));
    }
}
