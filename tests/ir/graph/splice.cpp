// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/splice.hpp>

#include <doctest/doctest.h>

#include <wf/ir/compare/digest.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../random_graph.hpp"

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

// The shape of the result if the input of `rectangle` has that shape.
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
