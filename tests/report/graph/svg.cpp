// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/svg.hpp>

#include <doctest/doctest.h>

#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::count, samples::kalman;

TEST_CASE("a drawing has a box a node and input, and a path an operand") {
  const wf::graph_view g = kalman.graph();
  const wf::text svg = wf::to_svg(g);
  CHECK(count(svg.view(), "<rect") == g.nodes.size() + 3);
  CHECK(count(svg.view(), "<path") == g.operands.size());
  CHECK(count(svg.view(), "box result") == 1);
  CHECK(count(svg.view(), "<svg") == 1);
  CHECK(contains(svg.view(), "<title>K = matmul(matmul(P, transpose(H)), inverse(S))</title>"));
}

TEST_CASE("an edge over several layers passes beside the boxes between") {
  const wf::graph_view g = kalman.graph();
  // The line from P passes the first product to the later reader of P.
  CHECK(contains(wf::to_svg(g).view(), "V111C"));
}

TEST_CASE("every graph has a picture: without nodes, without results") {
  wf::graph g("g");
  CHECK(contains(wf::to_svg(g.view()).view(), "</svg>"));
  const wf::value_id x = g.add_input("x", {wf::dtype::f64, {}, wf::shape::of(1)});
  CHECK(count(wf::to_svg(g.view()).view(), "<rect") == 1);
  g.add_node({.op = "send"}, {&x, 1}, {});
  const wf::text svg = wf::to_svg(g.view());
  CHECK(count(svg.view(), "<rect") == 2);
  CHECK(contains(svg.view(), "<title>send(x)</title>"));
  CHECK(count(svg.view(), "class=\"type\"") == 1);
}

TEST_CASE("timeline and utilisation show every operator and PE") {
  const wf::workload w = samples::network();
  const wf::mapping m = samples::network_mapping();
  const wf::text timeline = wf::timeline_svg(m, w, samples::network_kinds);
  CHECK(contains(timeline.view(), "conv1: cycles 0 to 2,000"));
  CHECK(contains(timeline.view(), "relu &lt;&amp;&gt; &quot;1&quot;"));
  CHECK(count(timeline.view(), "<g>") == w.operators.size());
  CHECK(count(wf::utilisation_svg(m).view(), "<rect") == 4);
}

TEST_CASE("golden: a workflow, a timeline and a utilisation map as pictures") {
  golden::check("kalman.svg", wf::to_svg(kalman.graph()).view());
  const wf::mapping m = samples::network_mapping();
  golden::check("timeline.svg",
                wf::timeline_svg(m, samples::network(), samples::network_kinds).view());
  golden::check("utilisation.svg", wf::utilisation_svg(m).view());
}
