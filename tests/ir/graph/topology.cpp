// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/graph/topology.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>

#include "../random_graph.hpp"

TEST_CASE("the order takes the smallest ready id, by the definition, on random graphs") {
  wf_test::random_source random(21);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    const std::size_t nodes = g.view().nodes.size();
    const auto order = wf::topological_order(g.view());
    REQUIRE(order);
    std::vector<bool> done(nodes);
    for (std::size_t position = 0; position < nodes; ++position) {
      std::size_t next = nodes;
      for (std::size_t i = nodes; i-- > 0;) {
        if (done[i]) continue;
        bool ready = true;
        for (wf::value_id operand : g.view().inputs_of(g.view().nodes[i]))
          if (g[operand].producer != wf::node_id::none && !done[wf::index_of(g[operand].producer)])
            ready = false;
        for (const wf::edge& e : g.view().edges)
          if (wf::index_of(e.to) == i && !done[wf::index_of(e.from)]) ready = false;
        if (ready) next = i;
      }
      REQUIRE(next < nodes);
      CHECK(wf::index_of((*order)[position]) == next);
      done[next] = true;
    }
  }
}

TEST_CASE("a cycle is found and a node on it named") {
  wf_test::random_source random(22);
  for (int round = 0; round < 300; ++round) {
    wf::graph g = wf_test::random_graph(random);
    const std::size_t nodes = g.view().nodes.size();
    if (nodes == 0) continue;
    // From any node to any node; a node reaches itself.
    const auto from = static_cast<wf::node_id>(random() % nodes);
    const auto to = static_cast<wf::node_id>(random() % nodes);
    g.add_edge(wf::edge_kind::control, from, to);
    g.add_edge(wf::edge_kind::mutate, to, from);
    const auto order = wf::topological_order(g.view());
    REQUIRE_FALSE(order);
    CHECK(order.error().code == wf::errc::cyclic_graph);
    const wf::adjacency a = wf::adjacency_of(g.view());
    bool named = false;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const auto start = static_cast<wf::node_id>(i);
      if (g.view().label(start) != order.error().subject) continue;
      std::vector<wf::node_id> waiting{start};
      std::vector<bool> seen(nodes);
      while (!waiting.empty()) {
        const wf::node_id at = waiting.back();
        waiting.pop_back();
        for (wf::node_id next : a.successors_of(at)) {
          named = named || next == start;
          if (!seen[wf::index_of(next)]) waiting.push_back(next);
          seen[wf::index_of(next)] = true;
        }
      }
    }
    CHECK(named);
  }
}

TEST_CASE("adjacency lists are ascending, without repetition, and each other's mirror") {
  wf_test::random_source random(23);
  for (int round = 0; round < 300; ++round) {
    const wf::graph g = wf_test::random_graph(random);
    const wf::adjacency a = wf::adjacency_of(g.view());
    std::size_t pairs = 0;
    for (std::uint32_t i = 0; i < g.view().nodes.size(); ++i) {
      const auto id = static_cast<wf::node_id>(i);
      for (std::size_t k = 0; k < a.predecessors_of(id).size(); ++k) {
        const wf::node_id from = a.predecessors_of(id)[k];
        if (k > 0) CHECK(a.predecessors_of(id)[k - 1] < from);
        bool mirrored = false;
        for (wf::node_id to : a.successors_of(from)) mirrored = mirrored || to == id;
        CHECK(mirrored);
        ++pairs;
      }
    }
    CHECK(pairs == a.successors.size());
  }
}

TEST_CASE("the edges into a node are those of the graph, in its order") {
  wf_test::random_source random(24);
  for (int round = 0; round < 100; ++round) {
    const wf::graph graph = wf_test::random_graph(random);
    const wf::graph_view g = graph.view();
    const wf::detail::incoming_edges edges(g);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      std::vector<wf::edge> wanted;
      for (const wf::edge& e : g.edges)
        if (wf::index_of(e.to) == i) wanted.push_back(e);
      const wf::view<wf::edge> found = edges.of(static_cast<wf::node_id>(i));
      CHECK(std::equal(wanted.begin(), wanted.end(), found.begin(), found.end()));
    }
  }
}
