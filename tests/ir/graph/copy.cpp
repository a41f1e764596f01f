// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/copy.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../random_graph.hpp"

namespace {

// Copies a graph node by node in the order of ids without merging, like a pass without changes.
wf::graph copied_by_hand(const wf::graph_view& g) {
  wf::graph out(g.text_of(g.name));
  for (const wf::text_ref& polynomial : g.derived) out.add_derived(g.text_of(polynomial));
  for (const wf::value& v : g.values)
    if (v.producer == wf::node_id::none) out.add_input(g.text_of(v.name), v.type);
  for (const wf::node& n : g.nodes) {
    const auto attributes = wf::attribute_values(g, n);
    const auto costs = wf::cost_formulas(g, n);
    wf::table<wf::value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      results.push_back(g.values[n.outputs.first + k].type);
    out.add_node(wf::description_of(g, n, attributes, costs), g.inputs_of(n), results);
  }
  return out;
}

}  // namespace

TEST_CASE("a description is all that a node is") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f32, {}, wf::shape::of("M")};
  const wf::value_id a = g.add_input("a", t);
  const wf::attribute_value attributes[] = {
      wf::attribute_value::integer("axis", 1), wf::attribute_value::ratio("part", 1, 3),
      wf::attribute_value::floating("eps", 0.5), wf::attribute_value::string("mode", "same"),
      wf::attribute_value::dimension("size", "M")};
  const wf::cost_formula costs[] = {{"flops", "2*M"}, {"latency", "unknown"}};
  g.add_node({.op = "odd",
              .domain = "strange",
              .attributes = attributes,
              .name = "n",
              .effects = wf::effect::external,
              .peer = "host",
              .file = "here.cpp",
              .line = 7,
              .column = 8,
              .costs = costs},
             {&a, 1}, {&t, 1});
  const wf::graph copy = copied_by_hand(g.view());
  CHECK(wf::same(copy.view(), g.view()));
  CHECK(copy.view().costs.size() == 2);
  CHECK(copy.view().attributes.size() == 5);
}

TEST_CASE("a copy by the copier is the graph, but for equal pure nodes, which merge") {
  const std::uint64_t seed = 20261122;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  int whole = 0;
  for (int round = 0; round < 300; ++round) {
    wf_test::random_graph_options options;
    options.shuffled = false;
    const wf::graph g = wf_test::random_graph(random, options);
    if (!wf::validate(g.view())) continue;
    wf::graph_builder into(g.view().text_of(g.view().name));
    const wf::symbol_map symbols;
    const wf::graph_view from = g.view();
    wf::graph_copier copier(from, into, symbols);
    REQUIRE(copier.copy_inputs().code == wf::errc::none);
    for (std::uint32_t i = 0; i < from.nodes.size(); ++i)
      REQUIRE(copier.copy(static_cast<wf::node_id>(i)).code == wf::errc::none);
    copier.copy_edges();
    copier.copy_outputs();
    const wf::graph made = into.take();
    CHECK(wf::validate(made.view()));
    CHECK(made.view().outputs.size() == from.outputs.size());
    if (made.view().nodes.size() != from.nodes.size()) continue;
    ++whole;
    // Inputs come first in the copy, so that ids may differ; the contents do not.
    CHECK(copied_by_hand(made.view()).view().values.size() == from.values.size());
    for (std::uint32_t i = 0; i < from.nodes.size(); ++i) {
      const wf::node_id id = static_cast<wf::node_id>(i);
      CHECK(wf::attribute_values(from, from[id]).size() == from[id].attributes.count);
      CHECK(made.view().op_name(made.view()[copier.place(id)]) == from.op_name(from[id]));
      CHECK(made.view().text_of(made.view()[copier.place(id)].name) == from.text_of(from[id].name));
    }
  }
  CHECK(whole > 20);
}

TEST_CASE("edges of nodes that are left out are left out") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f32, {}, wf::shape::of(3)};
  const wf::value_id a = g.add_input("a", t);
  const wf::node_id first = g.add_node({.op = "f", .name = "x"}, {&a, 1}, {&t, 1});
  const wf::node_id second = g.add_node({.op = "g"}, {&a, 1}, {&t, 1});
  const wf::node_id third = g.add_node({.op = "h"}, {&a, 1}, {&t, 1});
  g.add_edge(wf::edge_kind::control, first, second);
  g.add_edge(wf::edge_kind::mutate, first, third);
  const wf::graph_view from = g.view();
  wf::graph_builder into("g");
  const wf::symbol_map symbols;
  wf::graph_copier copier(from, into, symbols, "p.");
  REQUIRE(copier.copy_inputs().code == wf::errc::none);
  REQUIRE(copier.copy(first).code == wf::errc::none);
  REQUIRE(copier.copy(third, {wf::attribute_value::integer("k", 2)}).code == wf::errc::none);
  copier.copy_edges();
  const wf::graph_view made = into.graph().view();
  REQUIRE(made.edges.size() == 1);
  CHECK(made.edges[0].kind == wf::edge_kind::mutate);
  CHECK(made.text_of(made.nodes[0].name) == "p.x");
  CHECK(made.integer_attribute(made.nodes[1], "k", 0) == 2);
  CHECK(copier.place(second) == wf::node_id::none);
}

TEST_CASE("equal nodes merge only where no edge orders them, and not at all if they are kept") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f32, {}, wf::shape::of(3)};
  const wf::value_id a = g.add_input("a", t);
  wf::node_id f[4];
  for (wf::node_id& n : f) n = g.add_node({.op = "f"}, {&a, 1}, {&t, 1});
  const wf::node_id between = g.add_node({.op = "log", .effects = wf::effect::external}, {}, {});
  g.add_edge(wf::edge_kind::control, f[0], between);
  g.add_edge(wf::edge_kind::control, between, f[2]);
  g.set_name(wf::graph_view::output_of(g[f[3]]), "r");
  for (const wf::duplicates wanted : {wf::duplicates::merge, wf::duplicates::keep}) {
    const wf::graph_view from = g.view();
    wf::graph_builder into("g");
    const wf::symbol_map symbols;
    wf::graph_copier copier(from, into, symbols, "p.", wanted);
    REQUIRE(copier.copy_inputs().code == wf::errc::none);
    for (std::uint32_t i = 0; i < from.nodes.size(); ++i)
      REQUIRE(copier.copy(static_cast<wf::node_id>(i)).code == wf::errc::none);
    copier.copy_edges();
    CHECK(wf::validate(into.graph().view()));
    CHECK((copier.place(f[1]) == copier.place(f[3])) == (wanted == wf::duplicates::merge));
    CHECK(copier.place(f[0]) != copier.place(f[1]));
    CHECK(copier.place(f[0]) != copier.place(f[2]));
    const wf::value_id named = copier.place(wf::graph_view::output_of(g[f[3]]));
    CHECK(into.graph().view().text_of(into.graph()[named].name) == "p.r");
  }
}

// --- a graph in place of a call ------------------------------------------------------------------

namespace {

constexpr wf::value_type of(wf::shape s) { return {wf::dtype::f64, {}, s}; }

constexpr wf::graph rectangle() {
  wf::graph g("rectangle");
  const wf::value_id a = g.add_input("a", of(wf::shape::of("M", "N")));
  const wf::value_type joined = of(wf::shape::of(g.add_derived("M*N + 1")));
  const wf::node_id n = g.add_node({.op = "odd", .name = "n"}, {&a, 1}, {&joined, 1});
  g.add_output("y", wf::graph_view::output_of(g[n]));
  return g;
}

// The shape of the result for an input of `rectangle` with that shape.
constexpr wf::text spliced(wf::shape s) {
  const wf::graph from = rectangle();
  wf::graph_builder into("into");
  const wf::value_id x = into.graph().add_input("x", of(s));
  const wf::value_type type = of(s);
  const auto symbols = wf::match_inputs(from.view(), {&type, 1});
  if (!symbols) return symbols.error().message;
  const auto outputs = wf::splice(from.view(), into, {&x, 1}, *symbols, "p.");
  if (!outputs) return outputs.error().message;
  const wf::graph_view g = into.graph().view();
  const wf::extent e = g[(*outputs)[0]].type.shape[0];
  if (e.is_derived()) return wf::text(g.text_of(g.derived[e.index()]));
  return wf::to_text(e);
}
static_assert(spliced(wf::shape::of(3, 4)).view() == "13");

}  // namespace

TEST_CASE("symbols are replaced all at once, in polynomials too") {
  CHECK(spliced(wf::shape::of("K", 4)).view() == "4*K + 1");
  CHECK(spliced(wf::shape::of("N", "M")).view() == "M*N + 1");
  CHECK(spliced(wf::shape::of("N", "N")).view() == "N**2 + 1");
  CHECK(spliced(wf::shape::of(3)).view() == "the input is MxN, the operand 3");
}

TEST_CASE("a symbol that becomes another keeps its graph's other symbols apart") {
  wf::graph g("swap");
  const wf::value_id a = g.add_input("a", of(wf::shape::of("M", "N")));
  const wf::value_type t = of(wf::shape::of(g.add_derived("M*N**2")));
  const wf::node_id n = g.add_node({.op = "odd"}, {&a, 1}, {&t, 1});
  g.add_output("y", wf::graph_view::output_of(g[n]));
  wf::graph_builder into("into");
  const wf::value_type type = of(wf::shape::of("N", "M"));
  const wf::value_id x = into.graph().add_input("x", type);
  const auto symbols = wf::match_inputs(g.view(), {&type, 1});
  REQUIRE(symbols);
  const auto outputs = wf::splice(g.view(), into, {&x, 1}, *symbols);
  REQUIRE(outputs);
  const wf::graph_view v = into.graph().view();
  CHECK(v.text_of(v.derived[v[(*outputs)[0]].type.shape[0].index()]) == "M**2*N");
}

TEST_CASE("a graph spliced onto its own inputs is itself") {
  const std::uint64_t seed = 20261121;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    const wf::graph g = wf_test::random_graph(random);
    if (!wf::validate(g.view())) continue;
    wf::graph_builder into(g.view().text_of(g.view().name));
    wf::table<wf::value_id> inputs;
    bool plain = true;
    for (const wf::value& v : g.view().values)
      if (v.producer == wf::node_id::none) {
        for (std::uint32_t d = 0; d < v.type.shape.rank; ++d)
          plain = plain && !v.type.shape[d].is_derived();
        inputs.push_back(into.graph().add_input(g.view().text_of(v.name), v.type));
      }
    if (!plain) continue;
    const auto outputs = wf::splice(g.view(), into, inputs, wf::symbol_map());
    REQUIRE_MESSAGE(outputs, wf::to_text(outputs.error()).data());
    for (std::size_t i = 0; i < outputs->size(); ++i)
      into.graph().add_output(g.view().text_of(g.view().outputs[i].name), (*outputs)[i]);
    CHECK(wf::validate(into.graph().view()));
    CHECK(into.graph().view().nodes.size() <= g.view().nodes.size());
    if (into.graph().view().nodes.size() == g.view().nodes.size())
      CHECK(wf::digest(into.graph().view()) == wf::digest(g.view()));
  }
}
