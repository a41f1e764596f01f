// SPDX-License-Identifier: BSL-1.0
#include <wf/pass/dead.hpp>

#include "pass_properties.hpp"

namespace {

const auto drop = [](const wf::graph_view& g) { return wf::drop_dead(g); };

// Node 1 is read by nobody; nodes 2 and 3 only by one another; node 4 comes before an effect.
constexpr wf::text_view source = R"(wf.graph 1 "g"
input "x" : f64[3]
input "unused" : f64[3]
node nn.relu(%0) -> f64[3]
node elementwise.exp(%2) -> f64[3]
node elementwise.log(%0) -> f64[3]
node elementwise.sin(%4) -> f64[3]
node elementwise.cos(%0) named "before" at "here.cpp":3:4 -> "w" : f64[3]
node io.log(%0) effect external peer "host"
edge control @4 -> @5
edge mutate @1 -> @3
output "y" = %2
)";

constexpr std::size_t nodes_left(wf::text_view text) {
  const wf::graph source_graph = wf_test::graph_of(text);
  const auto g = wf::drop_dead(source_graph.view());
  return g ? g->view().nodes.size() : 99;
}
static_assert(nodes_left(source) == 3);
static_assert(nodes_left("wf.graph 1 \"g\"\ninput \"x\" : f64[M]\noutput \"y\" = %0\n") == 0);

}  // namespace

TEST_CASE("what is of no use goes, inputs and what comes before effects stay") {
  const wf::graph made = wf_test::passed(drop, wf_test::graph_of(source));
  const wf::graph_view g = made.view();
  CHECK(wf_test::inputs_of(g).size() == 2);
  REQUIRE(g.nodes.size() == 3);
  CHECK(g.op_name(g.nodes[0]) == "relu");
  CHECK(g.op_name(g.nodes[1]) == "cos");
  CHECK(g.text_of(g.nodes[1].name) == "before");
  CHECK(g.text_of(g.nodes[1].source.file) == "here.cpp");
  CHECK(g.text_of(g[wf::graph_view::output_of(g.nodes[1])].name) == "w");
  CHECK(g.op_name(g.nodes[2]) == "log");
  CHECK(g.text_of(g.nodes[2].peer) == "host");
  REQUIRE(g.edges.size() == 1);
  CHECK(g.edges[0] == wf::edge{wf::edge_kind::control, wf::node_id{1}, wf::node_id{2}});
}

TEST_CASE("an order alone keeps no pure node, unless an effect follows through others") {
  CHECK(nodes_left(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node nn.relu(%0) -> f64[3]
edge control @0 -> @1
output "y" = %2
)") == 1);
  CHECK(nodes_left(R"(wf.graph 1 "g"
input "x" : f64[3]
node elementwise.exp(%0) -> f64[3]
node nn.relu(%0) -> f64[3]
node io.log(%2) effect stateful
edge control @0 -> @1
output "y" = %0
)") == 3);
}

TEST_CASE("a cycle is an error") {
  wf::graph g = wf_test::graph_of(source);
  g.add_edge(wf::edge_kind::control, wf::node_id{5}, wf::node_id{4});
  CHECK(wf::drop_dead(g.view()).error().code == wf::errc::cyclic_graph);
}

TEST_CASE("dropping dead nodes keeps what random workflows compute") {
  const auto counts = wf_test::check_pass(drop, 20261124, 60);
  CHECK(counts.runs > 40);
  CHECK(counts.changed > 40);
  wf_test::check_odd_graphs(drop, 20261125, 150);
}

TEST_CASE("every node that is left is of use") {
  wf_test::random_source random(20261126);
  for (int round = 0; round < 60; ++round) {
    const wf::graph made = wf_test::passed(drop, wf_test::random_workflow(random));
    const wf::graph_view g = made.view();
    // By repeated search instead of one sweep.
    std::vector<char> live(g.nodes.size()), effect(g.nodes.size());
    for (std::size_t i = 0; i < g.nodes.size(); ++i)
      effect[i] = live[i] = g.nodes[i].effects != wf::effect::pure;
    for (const wf::output& o : g.outputs)
      if (g[o.source].producer != wf::node_id::none) live[wf::index_of(g[o.source].producer)] = 1;
    for (bool changed = true; changed;) {
      changed = false;
      const auto spread = [&](std::vector<char>& set, wf::node_id from, std::size_t to) {
        if (from == wf::node_id::none || set[to] == 0 || set[wf::index_of(from)] != 0) return;
        set[wf::index_of(from)] = 1;
        changed = true;
      };
      for (std::size_t i = 0; i < g.nodes.size(); ++i)
        for (wf::value_id v : g.inputs_of(g.nodes[i]))
          spread(live, g[v].producer, i), spread(effect, g[v].producer, i);
      for (const wf::edge& e : g.edges) spread(effect, e.from, wf::index_of(e.to));
    }
    for (std::size_t i = 0; i < g.nodes.size(); ++i) CHECK((live[i] != 0 || effect[i] != 0));
  }
}

TEST_CASE("20,000 nodes") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(drop, g.view()).view().nodes.size() < 20'001);
}
