// SPDX-License-Identifier: BSL-1.0
#include <wf/lint/label.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>

namespace {

using wf::detail::label_of;

constexpr wf::graph sample() {
  wf::graph g("g");
  const wf::value_type t{
      wf::dtype::f64, {}, wf::shape::of(3, g.add_derived("M + 1"), wf::extent())};
  const wf::value_id x = g.add_input("x", t);
  const wf::value_type two[] = {t, t};
  g.add_node({.op = "lu"}, {&x, 1}, two);
  const wf::node_id named = g.add_node({.op = "relu", .name = "h"}, {&x, 1}, {&t, 1});
  g.set_name(wf::graph_view::output_of(g[named]), "");
  g.add_input("", t);
  return g;
}

constexpr bool labels_hold() {
  const wf::graph g = sample();
  const auto value = [](unsigned i) { return static_cast<wf::value_id>(i); };
  const auto node = [](unsigned i) { return static_cast<wf::node_id>(i); };
  return label_of(g, value(0)) == wf::text("'x'") &&
         label_of(g, value(2)) == wf::text("result 1 of 'lu#0'") &&
         label_of(g, value(3)) == wf::text("'h'") && label_of(g, value(4)) == wf::text("%4") &&
         label_of(g, node(0)) == wf::text("lu#0") && label_of(g, node(1)) == wf::text("relu 'h'") &&
         label_of(g, g[value(0)].type) == wf::text("f64[3x(M + 1)x?]");
}
static_assert(labels_hold());

}  // namespace

TEST_CASE("messages call values, nodes and types by names a reader knows") {
  CHECK(labels_hold());
  const wf::graph g;
  CHECK(label_of(g, wf::shape::unknown()) == wf::text("?"));
  CHECK(label_of(g, wf::shape()) == wf::text("scalar"));
  CHECK(label_of(g, wf::shape::of("M", 2)) == wf::text("Mx2"));
  CHECK(label_of(g, wf::value_type{wf::dtype::unknown, {}, wf::shape::unknown()}) ==
        wf::text("unknown[?]"));
}
