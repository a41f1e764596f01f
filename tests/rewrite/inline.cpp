// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/inline.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/form/text.hpp>

#include "peers.hpp"

namespace {

constexpr wf::text_view body = R"(wf.graph 1 "body"
input "x" : f32[N]
node elementwise.add(%0, %0) named "twice" -> f32[N]
output "y" = %1
)";

// A graph that calls `body` on an input of 4 elements.
constexpr wf::graph caller(wf::text_view callee, wf::text_view name = "c", std::int64_t size = 4,
                           std::size_t results = 1) {
  wf::graph g("caller");
  const wf::value_type type{wf::dtype::f32, {}, wf::shape::of(size)};
  const wf::value_id x = g.add_input("x", type);
  const wf::attribute_value a = wf::attribute_value::string("body", callee);
  const wf::value_type types[] = {type, type};
  const wf::node_id n =
      g.add_node({.op = "call", .domain = "control", .attributes = {&a, 1}, .name = name}, {&x, 1},
                 {types, results});
  g.add_output("y", wf::graph_view::output_of(g[n]));
  return g;
}

constexpr bool inlines() {
  const auto g = wf::inline_calls(caller(body).view());
  return g && g->view().nodes.size() == 1 && !wf::has_calls(g->view());
}
static_assert(inlines());

wf::error failure(const wf::graph& g) {
  const auto out = wf::inline_calls(g.view());
  REQUIRE_FALSE(out);
  return out.error();
}

}  // namespace

TEST_CASE("row 1: a body takes the place of its call; symbols take sizes, names the call's name") {
  const auto g = wf::inline_calls(caller(body).view());
  REQUIRE(g);
  const wf::graph_view v = g->view();
  REQUIRE(v.nodes.size() == 1);
  CHECK(v.op_name(v.nodes[0]) == "add");
  CHECK(v.text_of(v.nodes[0].name) == "c.twice");
  CHECK(v[v.outputs[0].source].type.shape == wf::shape::of(4));
}

TEST_CASE("row 1: calls within bodies are inlined too, and equal nodes merge") {
  wf::graph inner = caller(body, "inner");
  const wf::text text_of_inner = wf::to_text(inner.view());
  const auto g = wf::inline_calls(caller(text_of_inner.view(), "outer").view());
  REQUIRE(g);
  CHECK(g->view().text_of(g->view().nodes[0].name) == "outer.inner.twice");
  // a graph without calls is unchanged
  const auto again = wf::inline_calls(g->view());
  REQUIRE(again);
  CHECK(wf::digest(again->view()) == wf::digest(g->view()));
}

TEST_CASE("row 1: a control edge of a call holds for the nodes of its body") {
  wf::graph g("g");
  const wf::value_type type{wf::dtype::f32, {}, wf::shape::of(4)};
  const wf::value_id x = g.add_input("x", type);
  const auto external = [&](wf::text_view name) {
    return g.add_node({.op = "log", .domain = "io", .name = name, .effects = wf::effect::external},
                      {&x, 1}, {&type, 1});
  };
  const wf::node_id before = external("before");
  const wf::attribute_value a = wf::attribute_value::string("body", body);
  const wf::node_id call =
      g.add_node({.op = "call", .domain = "control", .attributes = {&a, 1}}, {&x, 1}, {&type, 1});
  const wf::node_id after = external("after");
  g.add_edge(wf::edge_kind::control, before, call);
  g.add_edge(wf::edge_kind::control, call, after);
  g.add_output("y", wf::graph_view::output_of(g[after]));
  const auto out = wf::inline_calls(g.view());
  REQUIRE(out);
  CHECK(out->view().edges.size() == 2);
  CHECK(wf::validate(out->view()));
}

TEST_CASE("bodies that do not fit are errors that name the call") {
  const wf::error syntax = failure(caller("wf.graph 1 \"b\"\ninput x"));
  CHECK(syntax.code == wf::errc::graph_syntax);
  CHECK(syntax.where.line == 2);
  CHECK(failure(caller("wf.graph 1 \"b\"\ninput \"x\" : f32[3]\noutput \"y\" = %0")).code ==
        wf::errc::shape_mismatch);
  CHECK(failure(caller("wf.graph 1 \"b\"\ninput \"x\" : f64[N]\noutput \"y\" = %0")).code ==
        wf::errc::dtype_mismatch);
  CHECK(failure(caller("wf.graph 1 \"b\"\ninput \"x\" : f32[N]\ninput \"z\" : f32[N]\n"
                       "output \"y\" = %0"))
            .code == wf::errc::shape_mismatch);
  CHECK(failure(caller(body, "c", 4, 2)).code == wf::errc::malformed_graph);
  CHECK(failure(caller(body, "c", 4, 2)).subject.view() == "c");
}

TEST_CASE("calls nested too deeply are refused") {
  wf::text deep(body);
  for (std::uint32_t i = 0; i < 9; ++i) deep = wf::to_text(caller(deep.view(), "c").view());
  CHECK(wf::inline_calls(caller(deep.view()).view()));
}

TEST_CASE("no pass, no codec and no plan lets a class of peers compute for another one") {
  wf_test::check_peers();
}
