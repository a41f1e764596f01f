// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/compare/digest.hpp>

#include <map>
#include <set>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/validate.hpp>

#include "../edit_graph.hpp"

namespace {

using wf::digest128;

constexpr wf::value_type square{wf::dtype::f64, wf::spd, wf::shape::of("M", "M")};
constexpr wf::value_type row{wf::dtype::f32, {}, wf::shape::of(1, 3)};

// A graph with every feature that a digest covers.
constexpr wf::graph example(bool reversed = false) {
  wf::graph g("example");
  wf::value_type derived = row;
  derived.shape.extents[1] = g.add_derived("2*M + 1");
  const wf::value_id x = g.add_input("x", square), y = g.add_input("y", derived);
  const wf::attribute_value attributes[] = {
      wf::attribute_value::integer("i", -9007199254740993),
      wf::attribute_value::ratio("r", 1, 3),
      wf::attribute_value::floating("f", 0.1),
      wf::attribute_value::string("s", "two\nlines"),
      wf::attribute_value::dimension("d", "M"),
  };
  const wf::value_type pair[] = {square, derived};
  wf::node_id first{0}, second{1};
  if (reversed) first = wf::node_id{1}, second = wf::node_id{0};
  for (int i = 0; i < 2; ++i) {
    if ((i == 0) == reversed) {
      const wf::value_id in[] = {y, wf::value_id{reversed ? 3U : 2U}};
      g.add_node({.op = "log", .domain = "io", .effects = wf::effect::external, .peer = "worker"},
                 in, {&row, 1});
      g.add_cost("flops", "unknown");
    } else {
      const wf::value_id in[] = {x, y};
      g.add_node({.op = "qr", .domain = "linalg", .attributes = attributes}, in, pair);
    }
  }
  g.add_edge(wf::edge_kind::mutate, first, second);
  g.add_output("q", wf::value_id{reversed ? 3U : 2U});
  return g;
}

constexpr bool is(const digest128& d, const char* digits) {
  return wf::to_text(d).view() == wf::text_view(digits);
}

}  // namespace

// These values define the format: if another compiler, platform or version computes different ones,
// all stored digests are invalid, and `digest_version` must change.
static_assert(wf::digest_version == 2);
static_assert(is(wf::digest(wf::graph()), "547dc2e18b3040ba2b0d775fcc6448e5"));
static_assert(is(wf::digest(example()), "988cd27920366209d34c7c74c046785a"));
static_assert(is(wf::digest(example(), wf::value_id{0}), "cfb416a9d440b359e4e22d859d372193"));
static_assert(is(wf::digest(example(), wf::value_id{3}), "8ecb599fe6a1a9796a2882211410d5f5"));
static_assert(wf::digest(example()) == wf::digest(example(true)));
// Graphs with different element types differ.
static_assert([] {
  wf::digest128 seen[wf::dtype_count];
  for (std::size_t d = 0; d < wf::dtype_count; ++d) {
    wf::graph g("g");
    const wf::value_type t{static_cast<wf::dtype>(d), {}, wf::shape::of(2)};
    g.add_output("y", g.add_input("x", t));
    seen[d] = wf::digest(g);
    for (std::size_t other = 0; other < d; ++other)
      if (seen[other] == seen[d]) return false;
  }
  return true;
}());
static_assert(!wf::same(example(), example(true)));

TEST_CASE("row 1: the digest is a fixed function of the graph, in both tiers") {
  CHECK(wf::validate(example()));
  CHECK(wf::validate(example(true)));
  CHECK(wf::to_text(wf::digest(wf::graph())) == wf::text("547dc2e18b3040ba2b0d775fcc6448e5"));
  CHECK(wf::to_text(wf::digest(example())) == wf::text("988cd27920366209d34c7c74c046785a"));
  CHECK(wf::to_text(wf::digest(example(true))) == wf::text("988cd27920366209d34c7c74c046785a"));
  CHECK(wf::to_text(wf::digest(example(), wf::value_id{0})) ==
        wf::text("cfb416a9d440b359e4e22d859d372193"));
  CHECK(wf::to_text(wf::digest(example(), wf::value_id{3})) ==
        wf::text("8ecb599fe6a1a9796a2882211410d5f5"));
}

TEST_CASE("row 1: order of insertion, names and places do not change the digest") {
  wf_test::random_source random(41);
  std::map<digest128, wf::graph> seen;
  std::size_t renumbered = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::random_graph(random);
    REQUIRE(wf::validate(g));
    const wf_test::loose_graph parts = wf_test::take_apart(g);
    const wf::graph copy = wf_test::put_together(parts);
    REQUIRE(wf::same(g, copy));
    CHECK(wf::digest(g) == wf::digest(copy));
    const wf::graph other = wf_test::put_together(wf_test::disguised(parts, random));
    CHECK(wf::digest(g) == wf::digest(other));
    renumbered += wf::same(g, other) ? 0 : 1;
  }
  CHECK(renumbered > 400);
}

TEST_CASE("row 1: any single change of what counts changes the digest") {
  wf_test::random_source random(42);
  std::map<std::string, int> changes;
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    wf_test::loose_graph parts = wf_test::take_apart(wf_test::random_graph(random));
    const wf::graph before = wf_test::put_together(parts);
    const std::string what = wf_test::single_change(parts, random).make();
    if (what.empty()) continue;
    CAPTURE(what);
    const wf::graph after = wf_test::put_together(parts);
    CHECK_FALSE(wf::same(before, after));
    CHECK(wf::digest(before) != wf::digest(after));
    // After a second change and a reordering the digests still differ.
    CHECK(wf::digest(before) !=
          wf::digest(wf_test::put_together(wf_test::disguised(parts, random))));
    ++changes[what];
  }
  for (const char* what : {"element type",
                           "properties",
                           "rank",
                           "extent",
                           "attribute added",
                           "attribute's name",
                           "number",
                           "real",
                           "string",
                           "attribute's extent",
                           "cost added",
                           "formula",
                           "operator",
                           "peer",
                           "effect",
                           "operand",
                           "operand removed",
                           "kind of an edge",
                           "edge removed",
                           "output removed",
                           "output's value",
                           "output's name",
                           "input's name",
                           "order of outputs",
                           "order of inputs",
                           "input added",
                           "node added",
                           "node removed"}) {
    CAPTURE(what);
    CHECK(changes[what] > 5);
  }
}

namespace {

// Up to five draws and sums, so similar that only their connections distinguish them.
wf_test::loose_graph random_wiring(wf_test::random_source& random) {
  wf_test::loose_graph g;
  const std::size_t nodes = 1 + random() % 5;
  for (std::size_t i = 0; i < nodes; ++i) {
    wf_test::loose_statement s;
    s.op = "f";
    s.effects = wf::effect::stateful;
    s.results.push_back({"", row});
    for (std::size_t k = i == 0 ? 0 : random() % 3; k > 0; --k)
      s.operands.push_back(static_cast<std::uint32_t>(random() % i));
    g.statements.push_back(s);
    if (i > 0 && random() % 4 == 0)
      g.edges.push_back({wf::edge_kind::control, static_cast<wf::node_id>(random() % i),
                         static_cast<wf::node_id>(i)});
  }
  if (random() % 2 == 0) g.outputs.emplace_back("y", static_cast<std::uint32_t>(random() % nodes));
  return g;
}

bool isomorphic(const wf_test::loose_graph& a, const wf_test::loose_graph& b) {
  const auto text_of_edges = [](const wf_test::loose_graph& g) {
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> out;
    for (const wf::edge& e : g.edges) out.emplace(wf::index_of(e.from), wf::index_of(e.to));
    return out;
  };
  if (a.statements.size() != b.statements.size() || a.outputs.size() != b.outputs.size())
    return false;
  std::vector<std::size_t> order(a.statements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    const wf_test::loose_graph c = wf_test::reordered(a, order);
    bool equal = c.outputs == b.outputs && text_of_edges(c) == text_of_edges(b);
    for (std::size_t i = 0; equal && i < order.size(); ++i)
      equal = c.statements[i].operands == b.statements[i].operands;
    if (equal) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace

TEST_CASE("row 1: on small graphs equal digests mean isomorphic graphs, by trying every order") {
  wf_test::random_source random(43);
  std::size_t equal = 0, alike = 0;
  std::vector<wf_test::loose_graph> graphs;
  std::map<digest128, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < 1500; ++i) {
    graphs.push_back(random_wiring(random));
    const wf::graph g = wf_test::put_together(graphs.back());
    REQUIRE(wf::topological_order(g));
    classes[wf::digest(g)].push_back(i);
  }
  for (const auto& [digest, members] : classes)
    for (std::size_t k = 1; k < members.size() && k < 6; ++k, ++equal)
      CHECK(isomorphic(graphs[members[0]], graphs[members[k]]));
  // Conversely, graphs of equal size with different digests are not the same.
  for (std::size_t i = 1; i < graphs.size(); ++i) {
    const wf::graph a = wf_test::put_together(graphs[i - 1]), b = wf_test::put_together(graphs[i]);
    if (wf::digest(a) == wf::digest(b)) continue;
    alike += isomorphic(graphs[i - 1], graphs[i]) ? 1 : 0;
  }
  CHECK(equal > 200);
  CHECK(alike == 0);
  CHECK(classes.size() > 300);
}

TEST_CASE("row 1: a value's digest knows its sources, not the rest of the graph") {
  wf::graph g("g");
  const wf::value_id x = g.add_input("x", row), y = g.add_input("y", row);
  const auto relu = [&](wf::value_id v) {
    return wf::graph_view::output_of(g[g.add_node({.op = "relu"}, {&v, 1}, {&row, 1})]);
  };
  const wf::value_id a = relu(x), b = relu(x), c = relu(y), d = relu(a);
  const digest128 before = wf::digest(g, a), whole = wf::digest(g);
  CHECK(wf::digest(g, a) == wf::digest(g, b));
  CHECK(wf::digest(g, a) != wf::digest(g, c));
  CHECK(wf::digest(g, a) != wf::digest(g, d));
  CHECK(wf::digest(g, a) != wf::digest(g, x));
  g.add_output("d", d);
  g.add_input("z", row);
  CHECK(wf::digest(g, a) == before);
  CHECK(wf::digest(g) != whole);
}

TEST_CASE("operands of commutative operators are not reordered") {
  const auto sum = [](std::uint32_t first) {
    wf::graph g("g");
    g.add_input("x", row), g.add_input("y", row);
    const wf::value_id in[] = {wf::value_id{first}, wf::value_id{1 - first}};
    g.add_node({.op = "add"}, in, {&row, 1});
    return wf::digest(g);
  };
  CHECK(sum(0) != sum(1));
}

TEST_CASE("a cyclic graph has the digest 0") {
  wf::graph g("g");
  const wf::node_id n = g.add_node({.op = "f"}, {}, {&row, 1});
  g.add_edge(wf::edge_kind::control, n, n);
  CHECK(wf::digest(g) == digest128{});
  CHECK(wf::digest(g, wf::value_id{0}) == digest128{});
}

TEST_CASE("many nodes that compute the same are digested in bounded time") {
  wf::graph g("wide");
  const wf::value_id x = g.add_input("x", row);
  wf::value_id last = x;
  for (int i = 0; i < 20000; ++i)
    last = wf::graph_view::output_of(
        g[g.add_node({.op = "f"}, {i % 2 == 0 ? &x : &last, 1}, {&row, 1})]);
  g.add_output("y", last);
  CHECK(wf::digest(g) != digest128{});
}
