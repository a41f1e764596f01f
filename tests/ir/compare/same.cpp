// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/compare/same.hpp>

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
