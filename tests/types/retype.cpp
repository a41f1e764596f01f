// SPDX-License-Identifier: BSL-1.0
#include <wf/types/retype.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>

#include "../ir/random_graph.hpp"

namespace {

using namespace wf::detail;

constexpr wf::graph sample() {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of("M", g.add_derived("2*M"))};
  const wf::value_id x = g.add_input("x", t);
  const wf::attribute_value d = wf::attribute_value::dimension("d", g.add_derived("M + N"));
  g.add_node({.op = "relu", .attributes = {&d, 1}}, {&x, 1}, {&t, 1});
  g.add_output("y", wf::graph_view::output_of(g[wf::node_id{0}]));
  return g;
}

// Expresses all extents for M = 3.
constexpr wf::graph with_sizes(const wf::graph_view& g) {
  wf::symbol_map symbols;
  symbols.bind(wf::make_symbol("M"), wf::extent(3));
  graph_retyper retyper(g);
  wf::table<wf::value_type> types;
  wf::table<wf::extent> attributes;
  if (translate_extents(g, symbols, retyper.out(), types, attributes).code != wf::errc::none)
    return {};
  return retyper.run(types, attributes);
}
constexpr bool retypes() {
  const wf::graph g = sample();
  const wf::graph made = with_sizes(g);
  const wf::graph_view v = made;
  wf::extent d;
  d.code = v.attributes[0].number;
  return v.values[0].type.shape == wf::shape::of(3, 6) && v.values[1].type == v.values[0].type &&
         d.is_derived() && v.text_of(v.derived[d.index()]) == wf::text_view("N + 3");
}
static_assert(retypes());

wf::graph same_types(const wf::graph_view& g) {
  graph_retyper retyper(g);
  wf::table<wf::value_type> types;
  for (const wf::value& v : g.values) types.push_back(v.type);
  wf::table<wf::extent> attributes(g.attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i) attributes[i].code = g.attributes[i].number;
  return retyper.run(types, attributes);
}

}  // namespace

TEST_CASE("symbols are replaced in types and attributes") { CHECK(retypes()); }

TEST_CASE("all but the types stays: names, ids, effects, edges, costs, places") {
  wf_test::random_source random(3);
  for (int i = 0; i < 300; ++i) {
    const wf::graph g = wf_test::random_graph(random);
    REQUIRE(wf::validate_references(g));
    CHECK(wf::same(same_types(g), g));
  }
}
