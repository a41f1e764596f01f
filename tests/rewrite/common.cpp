// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/common.hpp>

#include "pass_properties.hpp"

namespace {

const auto merge = [](const wf::graph_view& g) { return wf::merge_common(g); };

// Removes the operands of commutative operators: merging keeps those of the first node, which
// depends on the order.
const auto sorted = [](const wf::graph& g) {
  wf_test::loose_graph loose = wf_test::take_apart(g.view());
  const wf::registry kernels = wf::builtin_registry();
  for (wf_test::loose_statement& s : loose.statements)
    if (const wf::kernel_spec* k = kernels.find(s.op); k != nullptr && k->laws.commutative)
      s.operands.clear();
  return wf_test::put_together(loose);
};

constexpr std::size_t nodes_left(wf::text_view text, wf::algebra allowed = wf::algebra::exact) {
  const wf::graph source = wf_test::graph_of(text);
  const auto g = wf::merge_common(source.view(), wf::builtin_registry(), allowed);
  return g && wf::validate(g->view()) ? g->view().nodes.size() : 99;
}

constexpr wf::text_view chain = R"(wf.graph 1 "g"
input "x" : f64[3]
input "y" : f64[3]
node elementwise.add(%0, %1) -> f64[3]
node elementwise.add(%1, %0) named "second" at "b.cpp":2:1 -> f64[3]
node nn.relu(%2) -> f64[3]
node nn.relu(%3) -> f64[3]
node elementwise.subtract(%4, %5) -> f64[3]
output "a" = %5
output "b" = %6
)";
static_assert(nodes_left(chain) == 3);

constexpr std::size_t two(wf::text_view first, wf::text_view second) {
  wf::text t;
  t << "wf.graph 1 \"g\"\ninput \"x\" : f64[3, 3]\ninput \"y\" : f64[3, 3]\nnode " << first
    << " -> f64[3, 3]\nnode " << second << " -> f64[3, 3]\noutput \"a\" = %2\noutput \"b\" = %3\n";
  return nodes_left(t.view());
}
// Attributes in any order, costs, peers; names and positions are irrelevant.
static_assert(two("a.f(%0) [i = 1, s = \"t\"]", "a.f(%0) [s = \"t\", i = 1]") == 1);
static_assert(two("a.f(%0) [i = 1]", "a.f(%0) [i = 2]") == 2);
static_assert(two("a.f(%0) [i = 1]", "a.f(%0) [i = 1.0]") == 2);
static_assert(two("a.f(%0) [i = 1]", "a.f(%0) [j = 1]") == 2);
static_assert(two("a.f(%0) [x = 0.0]", "a.f(%0) [x = -0.0]") == 2);
static_assert(two("a.f(%0) [x = nan]", "a.f(%0) [x = nan]") == 1);
static_assert(two("a.f(%0)", "b.f(%0)") == 2);
static_assert(two("a.f(%0) cost [m = \"1\", n = \"2\"]", "a.f(%0) cost [n = \"2\", m = \"1\"]") ==
              1);
static_assert(two("a.f(%0) cost [m = \"1\"]", "a.f(%0) cost [m = \"2\"]") == 2);
static_assert(two("a.f(%0) peer \"p\"", "a.f(%0) peer \"q\"") == 2);
static_assert(two("a.f(%0) peer \"p\"", "a.f(%0) peer \"p\" named \"n\"") == 1);
static_assert(two("a.f(%0) effect stateful", "a.f(%0) effect stateful") == 2);
static_assert(two("a.f(%0)", "a.f(%0) effect external") == 2);
// Commutative operators; maximum is none, because its choice between two zeros depends on the
// order.
static_assert(two("elementwise.multiply(%0, %1)", "elementwise.multiply(%1, %0)") == 1);
static_assert(two("elementwise.subtract(%0, %1)", "elementwise.subtract(%1, %0)") == 2);
static_assert(two("elementwise.maximum(%0, %1)", "elementwise.maximum(%1, %0)") == 2);
static_assert(two("linalg.matmul(%0, %1)", "linalg.matmul(%1, %0)") == 2);

constexpr wf::text_view several = R"(wf.graph 1 "g"
input "x" : f64[6]
node movement.split(%0) [axis = 0] -> f64[3], f64[3]
node movement.split(%0) [axis = 0] -> "p" : f64[3], "q" : f64[3]
node elementwise.add(%1, %4) -> f64[3]
node elementwise.add(%2, %3) -> f64[3]
output "y" = %5
output "z" = %6
)";
static_assert(nodes_left(several) == 2);

}  // namespace

TEST_CASE("the first of equal nodes stays, with its place and its name or the next one's") {
  const wf::graph made = wf_test::passed(merge, wf_test::graph_of(chain));
  const wf::graph_view g = made.view();
  REQUIRE(g.nodes.size() == 3);
  CHECK(g.text_of(g.nodes[0].name) == "second");
  CHECK(g.text_of(g.nodes[0].location.file) == "");
  CHECK(g.inputs_of(g.nodes[0])[0] == wf::value_id{0});
  CHECK(g.inputs_of(g.nodes[2])[0] == g.inputs_of(g.nodes[2])[1]);
  const wf::graph parts = wf_test::passed(merge, wf_test::graph_of(several));
  CHECK(parts.view().text_of(parts.view().values[1].name) == "p");
  CHECK(parts.view().text_of(parts.view().values[2].name) == "q");
}

TEST_CASE("what is known of either is known of the one") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(3, 3)};
  const wf::value_id x = g.add_input("x", t);
  const wf::node_id a = g.add_node({.op = "f"}, {&x, 1}, {&t, 1});
  const wf::node_id b = g.add_node({.op = "f"}, {&x, 1}, {&t, 1});
  g.assume(wf::graph_view::output_of(g[a]), wf::symmetric);
  g.assume(wf::graph_view::output_of(g[b]), wf::nonsingular);
  g.add_output("y", wf::graph_view::output_of(g[b]));
  const wf::graph made = wf_test::passed(merge, g.view());
  REQUIRE(made.view().nodes.size() == 1);
  CHECK(made.view().values[1].type.known == (wf::symmetric | wf::nonsingular));
  CHECK(made.view().values[0].type.known.empty());
}

TEST_CASE("real algebra merges what only not-a-numbers and zeros tell apart") {
  const wf::text_view maxima = R"(wf.graph 1 "g"
input "x" : f64[3]
input "y" : f64[3]
node elementwise.maximum(%0, %1) -> f64[3]
node elementwise.maximum(%1, %0) -> f64[3]
node elementwise.add(%2, %3) -> f64[3]
output "z" = %4
)";
  CHECK(nodes_left(maxima) == 3);
  CHECK(nodes_left(maxima, wf::algebra::real) == 2);
}

TEST_CASE("nodes merge only if they come after the same") {
  const auto with_edges = [](wf::text_view edges) {
    wf::text t;
    t << R"(wf.graph 1 "g"
input "x" : f64[3]
node nn.relu(%0) -> f64[3]
node io.log(%0) effect external -> f64[3]
node nn.relu(%0) -> f64[3]
node a.write(%2) -> f64[3]
)" << edges
      << "output \"a\" = %1\noutput \"b\" = %3\noutput \"c\" = %4\n";
    return wf_test::graph_of(t.view());
  };
  const auto count = [&](wf::text_view edges) {
    const wf::graph made = wf_test::passed(merge, with_edges(edges));
    CHECK(wf::validate(made.view()));
    return made.view().nodes.size();
  };
  CHECK(count("") == 3);
  // An effect between them: a merged node would run both before and after it.
  CHECK(count("edge control @0 -> @1\nedge control @1 -> @2\n") == 4);
  CHECK(count("edge control @1 -> @2\n") == 4);
  CHECK(count("edge control @1 -> @0\nedge control @1 -> @2\n") == 3);
  CHECK(count("edge control @1 -> @0\nedge mutate @1 -> @2\n") == 4);
  CHECK(count("edge control @1 -> @0\nedge control @1 -> @0\nedge control @1 -> @2\n") == 3);
  // A node ordered after either runs after the merged one, with one edge.
  const wf::graph after = wf_test::passed(
      merge, with_edges("edge control @0 -> @3\nedge control @2 -> @3\nedge control @2 -> @1\n"));
  REQUIRE(after.view().nodes.size() == 3);
  REQUIRE(after.view().edges.size() == 2);
  CHECK(after.view().edges[0].from == wf::node_id{0});
  CHECK(after.view().edges[1].from == wf::node_id{0});
  // A later node overwrites what one of them read or wrote.
  CHECK(count("edge mutate @0 -> @3\n") == 4);
  CHECK(count("edge mutate @0 -> @3\nedge mutate @2 -> @3\n") == 4);
}

TEST_CASE("merging keeps what random workflows compute") {
  const auto counts = wf_test::check_pass(merge, 20261127, 60, {}, sorted);
  CHECK(counts.runs > 40);
  CHECK(counts.changed > 25);
  wf_test::check_executables(merge, 20261224, 25, 0, sorted);
  wf_test::check_odd_graphs(merge, 20261128, 150);
}

TEST_CASE("nothing equal is left, of nodes without edges") {
  wf_test::random_source random(20261129);
  wf_test::workflow_options options;
  options.edges = options.effects = false;
  for (int round = 0; round < 40; ++round) {
    const wf::graph made = wf_test::passed(merge, wf_test::redundant_workflow(random, options));
    const wf::graph_view g = made.view();
    const auto digests = wf::value_digests(g);
    for (std::size_t i = 0; i < digests.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        INFO(wf_test::printed(g), i, " ", j);
        CHECK(digests[i] != digests[j]);
      }
  }
}

TEST_CASE("20,000 nodes, and as many equal ones") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(merge, g.view()).view().nodes.size() < 20'001);
  wf::graph equal("equal");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(4)};
  const wf::value_id x = equal.add_input("x", t);
  for (int i = 0; i < 20'000; ++i) equal.add_node({.op = "relu", .domain = "nn"}, {&x, 1}, {&t, 1});
  for (std::uint32_t i = 1; i < 20'000; ++i)
    if (i % 2 == 0)
      equal.add_edge(wf::edge_kind::control, wf::node_id{1}, static_cast<wf::node_id>(i));
  CHECK(wf_test::passed(merge, equal.view()).view().nodes.size() == 2);
}
