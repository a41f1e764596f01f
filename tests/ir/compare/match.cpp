// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/compare/match.hpp>

#include <doctest/doctest.h>

#include "../edit_graph.hpp"

namespace {

constexpr wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};

// x -> neg -> relu -> ... -> relu, with `relus` rectifiers.
constexpr wf::graph chain(int relus) {
  wf::graph g("chain");
  wf::value_id last = g.add_input("x", t);
  for (int i = 0; i <= relus; ++i)
    last = wf::graph_view::output_of(
        g[g.add_node({.op = i == 0 ? "neg" : "relu"}, {&last, 1}, {&t, 1})]);
  g.add_output("y", last);
  return g;
}

constexpr bool is_shorter_chain() {
  const wf::graph_matching m = wf::match_graphs(chain(3), chain(2));
  return m.nodes[0] == wf::node_id{0} && m.nodes[1] == wf::node_id{1} &&
         m.nodes[2] == wf::node_id{2} && m.nodes[3] == wf::node_id::none &&
         m.values[3] == wf::value_id{3} && m.values_back[0] == wf::value_id{0};
}
static_assert(is_shorter_chain());

bool all_distinct(const wf::graph_view& g) {
  const wf::detail::graph_structure s(g);
  return wf::detail::count_distinct(s.with_sources(s.local())) == g.nodes.size();
}

}  // namespace

TEST_CASE("row 1: a chain matches a shorter one") { CHECK(is_shorter_chain()); }

TEST_CASE("row 1: equal graphs match id by id") {
  wf_test::random_source random(51);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    const wf::graph_matching m = wf::match_graphs(g, g);
    for (std::uint32_t i = 0; i < m.nodes.size(); ++i) {
      CHECK(wf::index_of(m.nodes[i]) == i);
      CHECK(wf::index_of(m.nodes_back[i]) == i);
    }
    for (std::uint32_t i = 0; i < m.values.size(); ++i) {
      CHECK(wf::index_of(m.values[i]) == i);
      CHECK(wf::index_of(m.values_back[i]) == i);
    }
  }
}

TEST_CASE("row 1: a matching is one to one, and finds every node under another number and name") {
  wf_test::random_source random(52);
  std::size_t distinct = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const wf_test::loose_graph parts = wf_test::take_apart(wf_test::random_graph(random));
    const wf::graph a = wf_test::put_together(parts);
    const bool other = random() % 4 == 0;
    const wf::graph b = other ? wf_test::random_graph(random)
                              : wf_test::put_together(wf_test::disguised(parts, random));
    const wf::graph_matching m = wf::match_graphs(a, b);
    const wf::detail::graph_structure in_a(a), in_b(b);
    for (std::uint32_t i = 0; i < m.nodes.size(); ++i)
      if (m.nodes[i] != wf::node_id::none)
        CHECK(wf::index_of(m.nodes_back[wf::index_of(m.nodes[i])]) == i);
    for (std::uint32_t i = 0; i < m.values.size(); ++i)
      if (m.values[i] != wf::value_id::none)
        CHECK(wf::index_of(m.values_back[wf::index_of(m.values[i])]) == i);
    if (other || !all_distinct(a)) continue;
    ++distinct;
    const wf::table<wf::digest128> of_a = wf::value_digests(a), of_b = wf::value_digests(b);
    for (std::uint32_t i = 0; i < m.values.size(); ++i) {
      REQUIRE(m.values[i] != wf::value_id::none);
      CHECK(of_a[i] == of_b[wf::index_of(m.values[i])]);
    }
  }
  CHECK(distinct > 200);
}

TEST_CASE("row 1: large graphs that share nothing are matched in bounded time") {
  const auto wide = [](const char* op, int nodes) {
    wf::graph g("wide");
    wf::value_id last = g.add_input(op, t);
    for (int i = 0; i < nodes; ++i)
      last = wf::graph_view::output_of(
          g[g.add_node({.op = i % 3 == 0 ? op : "f"}, {&last, 1}, {&t, 1})]);
    return g;
  };
  const wf::graph_matching m = wf::match_graphs(wide("a", 3000), wide("b", 3001));
  std::size_t matched = 0;
  for (wf::node_id id : m.nodes) matched += id != wf::node_id::none ? 1 : 0;
  CHECK(matched == 3000);
}
