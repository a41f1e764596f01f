// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/topology.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/ir/graph.hpp>

namespace {

// A random graph whose node ids are shuffled against the order of dependence.
wf::graph random_graph(std::mt19937_64& random, std::size_t nodes, bool cyclic) {
  wf::graph g("random");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(1)};
  g.add_input("x", t);
  std::vector<std::size_t> rank(nodes);
  for (std::size_t i = 0; i < nodes; ++i) rank[i] = i;
  std::shuffle(rank.begin(), rank.end(), random);
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<wf::value_id> operands;
    for (std::size_t j = 0; j < nodes; ++j)
      if (rank[j] < rank[i] && random() % 4 == 0)
        operands.push_back(static_cast<wf::value_id>(j + 1));
    if (cyclic && i + 1 == nodes) operands.push_back(static_cast<wf::value_id>(i + 1));
    g.add_node({.op = "f"}, {operands.data(), operands.size()}, {&t, 1});
  }
  for (std::size_t i = 0; i < nodes; ++i)
    for (std::size_t j = 0; j < nodes; ++j)
      if (rank[i] < rank[j] && random() % 8 == 0)
        g.add_edge(random() % 2 == 0 ? wf::edge_kind::control : wf::edge_kind::mutate,
                   static_cast<wf::node_id>(i), static_cast<wf::node_id>(j));
  g.add_output("y", wf::value_id{1});
  return g;
}

}  // namespace

TEST_CASE("the order takes the smallest ready id, by the definition, on random graphs") {
  std::mt19937_64 random(21);
  for (int round = 0; round < 2000; ++round) {
    CAPTURE(round);
    const std::size_t nodes = 1 + random() % 9;
    const wf::graph g = random_graph(random, nodes, false);
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
  std::mt19937_64 random(22);
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = 1 + random() % 9;
    const wf::graph g = random_graph(random, nodes, true);  // the last node reads itself
    const auto order = wf::topological_order(g.view());
    REQUIRE_FALSE(order);
    CHECK(order.error().code == wf::errc::cyclic_graph);
    CHECK(order.error().subject == (wf::text() << "f#" << nodes - 1));
  }
}

TEST_CASE("adjacency lists are ascending, without repetition, and each other's mirror") {
  std::mt19937_64 random(23);
  for (int round = 0; round < 300; ++round) {
    const wf::graph g = random_graph(random, 1 + random() % 12, false);
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
