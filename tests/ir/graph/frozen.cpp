// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/frozen.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>

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

constexpr wf::graph_sizes sizes = wf::sizes_of(small().view());
constexpr wf::frozen_graph<sizes> frozen = wf::freeze<sizes>(small().view());
static_assert(frozen.view().nodes.size() == 3 && frozen.view().is_static());
static_assert(wf::same(frozen.view(), small().view()));

TEST_CASE("a frozen graph lives at run time too") {
  const wf::graph_view g = frozen;
  CHECK(g.text_of(g.outputs[0].name) == "y");
  CHECK(g.characters.size() == sizes.characters);
}
