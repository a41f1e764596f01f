// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/form/text.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../random_graph.hpp"

TEST_CASE("row 1: the text form round-trips random graphs of every feature") {
  wf_test::random_source random(31);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    REQUIRE(wf::validate(g));
    const wf::text written = wf::to_text(g.view());
    INFO(std::string(written.view()));
    const auto read = wf::parse_graph(written.view());
    if (!read) INFO(std::string(wf::to_text(read.error()).view()));
    REQUIRE(read);
    CHECK(wf::validate(*read));
    CHECK(wf::same(g.view(), read->view()));
    CHECK(wf::to_text(read->view()) == written);
    CHECK(wf::digest(g.view()) == wf::digest(read->view()));
  }
}

namespace {

constexpr wf::text_view body =
    "wf.graph 1 \"body\"\n"
    "input \"x\" : f64[3] {}  # \"quoted\" \\ and a tab:\t\n"
    "output \"y\" = %0\r\n";

// A sub-workflow, whose text is an attribute of the calling node.
constexpr bool a_body_round_trips() {
  wf::graph g("caller");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(3)};
  const wf::value_id x = g.add_input("x", t);
  const auto attribute = wf::attribute_value::string("body", body);
  const wf::node_id call = g.add_node(
      {.op = "call", .domain = "control", .attributes = {&attribute, 1}}, {&x, 1}, {&t, 1});
  g.add_node({.op = "::opaque::module.fn", .domain = "opaque"}, {}, {});
  g.add_output("y", wf::graph_view::output_of(g[call]));
  const auto read = wf::parse_graph(wf::to_text(g.view()).view());
  if (!read || !wf::same(g, *read)) return false;
  const wf::graph_view v = read->view();
  const auto inner = wf::parse_graph(v.text_of(v.find_attribute(v[call], "body")->characters));
  return inner && inner->view().outputs.size() == 1;
}
static_assert(a_body_round_trips());

}  // namespace

TEST_CASE("row 1: a graph's text may stand in a string attribute of another graph") {
  CHECK(a_body_round_trips());
}
