// SPDX-License-Identifier: BSL-1.0
#include <wf/ir/compare/diff.hpp>

#include <map>
#include <string>

#include <doctest/doctest.h>

#include <wf/ir/form/parse.hpp>

#include "../edit_graph.hpp"

namespace {

// --8<-- [start:example]
constexpr wf::text_view before =
    "wf.graph 1 \"g\"\n"
    "input \"x\" : f64[M, M] {spd}\n"
    "input \"old\" : f64[2]\n"
    "node linalg.add(%0, %0) [k = 1, gone = 1/2] named \"S\" -> f64[M, M]\n"
    "node nn.relu(%2) at \"a.cpp\":1:2 -> \"r\" : f64[M, M]\n"
    "node nn.relu(%3) -> f64[M, M]\n"
    "node io.log(%4) effect external\n"
    "node linalg.qr(%4) -> f64[M, M], f64[M, M]\n"
    "edge control @1 -> @3\n"
    "output \"y\" = %4\n"
    "output \"q\" = %5\n";

constexpr wf::text_view after =
    "wf.graph 1 \"g\"\n"
    "input \"x\" : f32[M, 2*M] {symmetric}\n"
    "input \"new\" : f64[2]\n"
    "node linalg.sub(%0, %0) [k = 2, s = \"a\\nb\"] cost [flops = \"unknown\"] named \"S\" "
    "-> f64[M, M]\n"
    "node nn.gelu(%2) -> f64[M, M]\n"
    "node nn.relu(%3) at \"a.cpp\":2:2 -> \"r'\" : f64[M, M]\n"
    "node nn.relu(%4) -> f64[M, M]\n"
    "node io.log(%5, %5) effect stateful peer \"worker\"\n"
    "node linalg.qr(%5) -> f64[M, M] {orthogonal}, f64[M, M] {upper}\n"
    "edge mutate @2 -> @4\n"
    "output \"q\" = %7\n"
    "output \"y\" = %5\n";

constexpr wf::text_view listed =
    "- input old: f64[2]\n"
    "~ input x: element type: f64 -> f32\n"
    "~ input x: shape: [M, M] -> [M, 2*M]\n"
    "~ input x: properties: {spd} -> {symmetric}\n"
    "+ input new: f64[2]\n"
    "~ node S: operator: linalg.add -> linalg.sub\n"
    "~ node S: attribute k = 1 -> 2\n"
    "~ node S: attribute removed: gone = 1/2\n"
    "~ node S: attribute added: s = \"a\\nb\"\n"
    "~ node S: costs: [] -> [flops = \"unknown\"]\n"
    "+ node gelu#1: nn.gelu(S) -> f64[M, M]\n"
    "~ node relu#1: operand 0: S -> gelu#1\n"
    "~ node relu#1: source: \"a.cpp\":1:2 -> \"a.cpp\":2:2\n"
    "~ node relu#1: result 0: name: \"r\" -> \"r'\"\n"
    "~ node log#3: operand 1 added: relu#3\n"
    "~ node log#3: effect: external -> stateful\n"
    "~ node log#3: peer: \"\" -> \"worker\"\n"
    "~ node qr#4: result 0: properties: {} -> {orthogonal}\n"
    "~ node qr#4: result 1: properties: {} -> {upper}\n"
    "- edge control relu#1 -> log#3\n"
    "+ edge mutate relu#2 -> log#4\n"
    "~ output q: value: qr#4.0 -> qr#5.1\n"
    "~ order of the outputs\n";

constexpr wf::text difference(wf::text_view a, wf::text_view b) {
  return wf::to_text(wf::diff(*wf::parse_graph(a), *wf::parse_graph(b)));
}
static_assert(difference(before, after).view() == listed);
// --8<-- [end:example]
static_assert(difference(before, before).empty());

std::size_t lines(const wf::table<wf::graph_change>& changes) {
  std::size_t count = 0;
  const wf::text written = wf::to_text(changes);
  for (char c : written.view()) count += c == '\n' ? 1 : 0;
  return count;
}

bool all_distinct(const wf::graph_view& g) {
  const wf::detail::graph_structure s(g);
  return wf::detail::count_distinct(s.with_sources(s.local())) == g.nodes.size();
}

}  // namespace

TEST_CASE("row 1: each change is one line") {
  CHECK(std::string(difference(before, after).view()) == std::string(listed));
  CHECK(difference("wf.graph 1 \"a\"\n", "wf.graph 1 \"b c\"\n") ==
        wf::text("~ graph \"a\": name: \"a\" -> \"b c\"\n"));
  // A different operator at the same place.
  CHECK(difference("wf.graph 1 \"a\"\ninput \"x\" : f64[]\nnode f(%0) -> f64[]\nnode g(%1)\n",
                   "wf.graph 1 \"a\"\ninput \"x\" : f64[]\nnode h(%0) -> f64[]\nnode g(%1)\n") ==
        wf::text("~ node f#0: operator: f -> h\n"));
  // Only the numbering of values differs.
  CHECK(difference("wf.graph 1 \"a\"\ninput \"x\" : f64[]\nnode f() -> f64[]\n",
                   "wf.graph 1 \"a\"\nnode f() -> f64[]\ninput \"x\" : f64[]\n") ==
        wf::text("~ order of inputs among results\n"));
  CHECK(difference("wf.graph 1 \"a\"\nnode f() [a = 1, b = 2]\n",
                   "wf.graph 1 \"a\"\nnode f() [b = 2, a = 1]\n") ==
        wf::text("~ node f#0: the attributes are in another order\n"));
}

TEST_CASE("row 1: there is no change if and only if the graphs are the same") {
  wf_test::random_source random(61);
  std::size_t equal = 0, different = 0;
  for (int round = 0; round < 1200; ++round) {
    CAPTURE(round);
    wf_test::loose_graph parts = wf_test::take_apart(wf_test::random_graph(random));
    const wf::graph a = wf_test::put_together(parts);
    if (round % 4 == 1) parts = wf_test::disguised(parts, random);
    if (round % 4 == 2) wf_test::single_change(parts, random).make();
    const wf::graph b =
        round % 4 == 3 ? wf_test::random_graph(random) : wf_test::put_together(parts);
    const wf::table<wf::graph_change> there = wf::diff(a, b), back = wf::diff(b, a);
    INFO(std::string(wf::to_text(there).view()));
    CHECK(there.empty() == wf::same(a, b));
    CHECK(back.empty() == wf::same(a, b));
    CHECK(lines(there) == there.size());
    ++(there.empty() ? equal : different);
    // The comparison itself, without the initial test for equality.
    CHECK(wf::to_text(wf::detail::graph_difference(a, a).list()) ==
          wf::text("~ order of inputs among results\n"));
  }
  CHECK(equal > 300);
  CHECK(different > 600);
}

TEST_CASE("row 1: an inserted node does not make what follows appear changed") {
  wf_test::random_source random(62);
  std::size_t inserted = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    wf_test::loose_graph parts = wf_test::take_apart(wf_test::random_graph(random));
    const wf::graph a = wf_test::put_together(parts);
    if (!all_distinct(a)) continue;
    const std::vector<std::size_t> nodes = parts.nodes();
    const std::size_t at = nodes.empty() ? 0 : nodes[random() % nodes.size()];
    if (nodes.empty() || parts.statements[at].operands.empty()) continue;
    // A new node between an operand and its reader, placed before all others.
    wf_test::loose_statement s;
    s.op = "inserted";
    s.results.push_back({"", {wf::dtype::f64, {}, {}}});
    s.operands.push_back(parts.statements[at].operands[0]);
    parts.statements[at].operands[0] = static_cast<std::uint32_t>(a.view().values.size());
    parts.statements.push_back(s);
    std::vector<std::size_t> order{parts.statements.size() - 1};
    for (std::size_t i = 0; i + 1 < parts.statements.size(); ++i) order.push_back(i);
    const wf::graph b = wf_test::put_together(wf_test::reordered(parts, order));
    const wf::table<wf::graph_change> changes = wf::diff(a, b);
    INFO(std::string(wf::to_text(changes).view()));
    REQUIRE(changes.size() == 2);
    CHECK(changes[0].kind == wf::change_kind::node_added);
    CHECK(changes[1].kind == wf::change_kind::node_changed);
    const wf::table<wf::graph_change> back = wf::diff(b, a);
    INFO(std::string(wf::to_text(back).view()));
    REQUIRE(back.size() == 2);
    CHECK(back[0].kind == wf::change_kind::node_removed);
    ++inserted;
  }
  CHECK(inserted > 200);
}

TEST_CASE("row 1: a single change of a node is one line about it") {
  wf_test::random_source random(63);
  const std::map<std::string, wf::change_kind> expected = {
      {"number", wf::change_kind::node_changed},
      {"real", wf::change_kind::node_changed},
      {"string", wf::change_kind::node_changed},
      {"formula", wf::change_kind::node_changed},
      {"peer", wf::change_kind::node_changed},
      {"effect", wf::change_kind::node_changed},
      {"cost added", wf::change_kind::node_changed},
      {"operand", wf::change_kind::node_changed},
      {"operand removed", wf::change_kind::node_changed},
      {"input added", wf::change_kind::input_added},
      {"node added", wf::change_kind::node_added},
      {"output's value", wf::change_kind::output_changed},
      {"output removed", wf::change_kind::output_removed}};
  std::map<std::string, int> seen;
  for (int round = 0; round < 3000; ++round) {
    CAPTURE(round);
    wf_test::loose_graph parts = wf_test::take_apart(wf_test::random_graph(random));
    const wf::graph a = wf_test::put_together(parts);
    const std::string what = wf_test::single_change(parts, random).make();
    const auto kind = expected.find(what);
    const wf::graph b = wf_test::put_together(parts);
    if (kind == expected.end() || !all_distinct(a) || !all_distinct(b)) continue;
    CAPTURE(what);
    const wf::table<wf::graph_change> changes = wf::diff(a, b);
    INFO(std::string(wf::to_text(changes).view()));
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].kind == kind->second);
    ++seen[what];
  }
  for (const auto& [what, kind] : expected) {
    CAPTURE(what);
    CHECK(seen[what] > 3);
  }
}
