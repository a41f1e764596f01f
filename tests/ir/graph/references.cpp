// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/references.hpp>

#include <doctest/doctest.h>

#include <wf/ir/graph/validate.hpp>

#include "../broken_graph.hpp"
#include "../random_graph.hpp"

namespace {

const wf::value_type vector_type{wf::dtype::f64, {}, wf::shape::of(3)};

wf::graph two_nodes() {
  wf::graph g("two");
  const wf::value_id x = g.add_input("x", vector_type);
  const wf::attribute_value a = wf::attribute_value::integer("a", 1);
  const wf::node_id m =
      g.add_node({.op = "relu", .attributes = {&a, 1}}, {&x, 1}, {&vector_type, 1});
  const wf::value_id y = wf::graph_view::output_of(g[m]);
  g.add_node({.op = "exp"}, {&y, 1}, {&vector_type, 1});
  g.add_derived("M*N");
  g.add_derived("M + N");
  g.add_edge(wf::edge_kind::control, wf::node_id{0}, wf::node_id{1});
  g.add_output("y", y);
  return g;
}

// The error code of tables after a change.
template <class Change>
wf::errc after(Change change) {
  const wf::graph owner = two_nodes();
  wf_test::loose_tables tables(owner.view());
  change(tables);
  wf::graph_view g = owner.view();
  tables.put_into(g);
  const wf::errc code = wf::validate_references(g).error().code;
  if (code != wf::errc::none) CHECK(wf::validate(g).error().code == code);
  return code;
}

}  // namespace

TEST_CASE("what refers to nothing is refused, table by table") {
  using tables = wf_test::loose_tables;
  constexpr wf::errc malformed = wf::errc::malformed_graph;
  const wf::range outside{1000, 1}, overlong{0, 0xffffffff};
  CHECK(after([](tables&) {}) == wf::errc::none);
  CHECK(after([&](tables& g) { g.name = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.operations[0].name = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.operations[0].domain = overlong; }) == malformed);
  CHECK(after([&](tables& g) { g.operations[0].hash += 1; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].op = 2; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].peer = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].location.file = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].inputs = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].attributes = overlong; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[1].costs = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.nodes[0].effects = static_cast<wf::effect>(9); }) == malformed);
  CHECK(after([&](tables& g) { g.values[1].producer = wf::node_id{7}; }) == malformed);
  CHECK(after([&](tables& g) { g.values[0].name = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.values[0].type.shape.rank = 9; }) == malformed);
  CHECK(after([&](tables& g) { g.values[0].type.type = static_cast<wf::dtype>(99); }) == malformed);
  CHECK(after([&](tables& g) { g.values[0].type.shape.extents[0].code = -7; }) == malformed);
  CHECK(after([&](tables& g) { g.values[0].type.known.bits = 16; }) == malformed);
  CHECK(after([&](tables& g) { g.operands[0] = wf::value_id{3}; }) == malformed);
  CHECK(after([&](tables& g) { g.attributes[0].denominator = 0; }) == malformed);
  CHECK(after([&](tables& g) { g.attributes[0].kind = static_cast<wf::attribute_kind>(9); }) ==
        malformed);
  CHECK(after([&](tables& g) { g.edges[0].to = wf::node_id{2}; }) == malformed);
  CHECK(after([&](tables& g) { g.edges[0].kind = wf::edge_kind::data; }) == malformed);
  CHECK(after([&](tables& g) { g.outputs[0].source = wf::value_id::none; }) == malformed);
  CHECK(after([&](tables& g) { g.outputs[0].name = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.derived[0] = outside; }) == malformed);
  CHECK(after([&](tables& g) { g.derived[0] = g.derived[1]; }) == malformed);
}

TEST_CASE("results belong to their node and come in the order of nodes") {
  using tables = wf_test::loose_tables;
  constexpr wf::errc malformed = wf::errc::malformed_graph;
  CHECK(after([](tables& g) { g.nodes[1].outputs.count = 0; }) == malformed);
  CHECK(after([](tables& g) { g.nodes[1].outputs = g.nodes[0].outputs; }) == malformed);
  CHECK(after([](tables& g) {
          std::swap(g.nodes[0].outputs, g.nodes[1].outputs);
          std::swap(g.values[1].producer, g.values[2].producer);
        }) == malformed);
}

TEST_CASE("types may be unknown, names missing or there twice, and a cycle is one of references") {
  using tables = wf_test::loose_tables;
  CHECK(after([](tables& g) { g.values[0].type.type = wf::dtype::unknown; }) == wf::errc::none);
  CHECK(after([](tables& g) { g.values[0].type.shape = wf::shape::unknown(); }) == wf::errc::none);
  CHECK(after([](tables& g) { g.values[0].name = {}; }) == wf::errc::none);
  CHECK(after([](tables& g) { g.outputs.push_back(g.outputs[0]); }) == wf::errc::none);
  CHECK(after([](tables& g) { g.operands[0] = wf::value_id{2}; }) == wf::errc::none);
}

TEST_CASE("random graphs have their references in range") {
  wf_test::random_source random(20261201);
  for (int i = 0; i < 300; ++i) CHECK(wf::validate_references(wf_test::random_graph(random)));
}
