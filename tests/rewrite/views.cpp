// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/views.hpp>

#include "pass_properties.hpp"
#include "renamed.hpp"

namespace {

const auto eliminate = [](const wf::graph_view& g) { return wf::eliminate_views(g); };

// The remaining operators of a graph with the inputs "x" : f32[2, 3, 4] and "y" : f32[2, 3].
constexpr wf::text left(wf::text_view nodes, wf::text_view output) {
  wf::text t;
  t << "wf.graph 1 \"g\"\ninput \"x\" : f32[2, 3, 4]\ninput \"y\" : f32[2, 3]\n"
    << nodes << "output \"z\" = " << output << "\n";
  const wf::graph g = wf_test::graph_of(t.view());
  const auto made = wf::eliminate_views(g.view());
  wf::text out;
  if (!made || !wf::validate(made->view())) return wf::text("invalid");
  for (const wf::node& n : made->view().nodes) {
    if (!out.empty()) out << ' ';
    out << made->view().op_name(n);
  }
  return out;
}
constexpr bool leaves(wf::text_view nodes, wf::text_view output, wf::text_view wanted) {
  return left(nodes, output).view() == wanted;
}

// Views without effect.
static_assert(leaves("node movement.reshape(%1) [d0 = dim 2, d1 = dim 3] -> f32[2, 3]\n", "%2",
                     ""));
static_assert(leaves("node movement.broadcast_to(%1) [d0 = dim 2, d1 = dim 3] -> f32[2, 3]\n", "%2",
                     ""));
static_assert(leaves("node movement.permute(%1) [p0 = 0, p1 = 1] -> f32[2, 3]\n", "%2", ""));
static_assert(leaves("node movement.slice(%1) [axis = 1, start = 0, length = 3] -> f32[2, 3]\n",
                     "%2", ""));
static_assert(leaves("node movement.pad(%1) [axis = 1] -> f32[2, 3]\n", "%2", ""));
static_assert(leaves("node movement.cast(%1) [dtype = \"f32\"] -> f32[2, 3]\n", "%2", ""));
static_assert(leaves("node tensor.rearrange(%1) [equation = \"ij->ij\"] -> f32[2, 3]\n", "%2", ""));
static_assert(leaves("node tensor.rearrange(%1) [equation = \"ij->ji\"] -> f32[3, 2]\n", "%2",
                     "rearrange"));
static_assert(leaves("node movement.slice(%1) [axis = 1, start = 1, length = 2] -> f32[2, 2]\n",
                     "%2", "slice"));
static_assert(leaves("node movement.pad(%1) [axis = 1, after = 1] -> f32[2, 4]\n", "%2", "pad"));
static_assert(leaves("node movement.copy(%1) -> f32[2, 3]\n", "%2", "copy"));

// Two views of the same kind.
static_assert(leaves(R"(node movement.reshape(%1) [d0 = dim 6] -> f32[6]
node movement.reshape(%2) [d0 = dim 3, d1 = dim 2] -> f32[3, 2]
)",
                     "%3", "reshape"));
static_assert(
    leaves(R"(node movement.reshape(%1) [d0 = dim 2, d1 = dim 1, d2 = dim 3] -> f32[2, 1, 3]
node movement.reshape(%2) [d0 = dim 2, d1 = dim 3] -> f32[2, 3]
)",
           "%3", ""));
static_assert(leaves(R"(node linalg.transpose(%1) -> f32[3, 2]
node linalg.transpose(%2) -> f32[2, 3]
)",
                     "%3", ""));
static_assert(leaves(R"(node movement.permute(%0) [p0 = 2, p1 = 0, p2 = 1] -> f32[4, 2, 3]
node movement.permute(%2) [p0 = 1, p1 = 2, p2 = 0] -> f32[2, 3, 4]
)",
                     "%3", ""));
static_assert(leaves(R"(node movement.permute(%0) [p0 = 2, p1 = 0, p2 = 1] -> f32[4, 2, 3]
node movement.permute(%2) [p0 = 1, p1 = 0, p2 = 2] -> f32[2, 4, 3]
)",
                     "%3", "transpose"));
static_assert(leaves(R"(node linalg.transpose(%0) -> f32[2, 4, 3]
node movement.permute(%2) [p0 = 2, p1 = 1, p2 = 0] -> f32[3, 4, 2]
)",
                     "%3", "permute"));
static_assert(leaves("node movement.permute(%1) [p0 = 1, p1 = 0] -> f32[3, 2]\n", "%2",
                     "transpose"));
static_assert(leaves(R"(node movement.copy(%1) -> f32[2, 3]
node movement.copy(%2) -> f32[2, 3]
)",
                     "%3", "copy"));
static_assert(leaves(R"(node movement.slice(%0) [axis = 2, start = 1, length = 3] -> f32[2, 3, 3]
node movement.slice(%2) [axis = 2, start = 1, length = 2] -> f32[2, 3, 2]
)",
                     "%3", "slice"));
static_assert(leaves(R"(node movement.slice(%0) [axis = 2, start = 1, length = 3] -> f32[2, 3, 3]
node movement.slice(%2) [axis = 1, start = 1, length = 2] -> f32[2, 2, 3]
)",
                     "%3", "slice slice"));
static_assert(leaves(R"(node movement.pad(%1) [axis = 1, before = 1] -> f32[2, 4]
node movement.pad(%2) [axis = 1, before = 2, after = 3] -> f32[2, 9]
)",
                     "%3", "pad"));

// Parts of a value that is put together.
static_assert(leaves(R"(node movement.split(%1) [axis = 0] -> f32[1, 3], f32[1, 3]
node movement.concat(%2, %3) [axis = 0] -> f32[2, 3]
)",
                     "%4", ""));
static_assert(leaves(R"(node movement.split(%1) [axis = 0] -> f32[1, 3], f32[1, 3]
node movement.concat(%3, %2) [axis = 0] -> f32[2, 3]
)",
                     "%4", "split concat"));
static_assert(leaves(R"(node movement.concat(%1, %1) [axis = 0] -> f32[4, 3]
node movement.slice(%2) [axis = 0, start = 2, length = 2] -> f32[2, 3]
)",
                     "%3", ""));
static_assert(leaves(R"(node movement.slice(%1) [axis = 0, start = 0, length = 0] -> f32[0, 3]
node movement.concat(%2, %1) [axis = 0] -> f32[2, 3]
)",
                     "%3", ""));

// Conversions.
constexpr wf::text casts(wf::text_view a, wf::text_view b, wf::text_view c) {
  wf::text t;
  t << "node movement.cast(%1) [dtype = \"" << a << "\"] -> " << a
    << "[2, 3]\nnode movement.cast(%2) [dtype = \"" << b << "\"] -> " << b
    << "[2, 3]\nnode movement.cast(%3) [dtype = \"" << c << "\"] -> " << c << "[2, 3]\n";
  return left(t.view(), "%4");
}
static_assert(casts("f64", "f64", "f32").view() == "");
static_assert(casts("i8", "i32", "i16").view() == "cast cast");
static_assert(casts("i8", "f32", "f16").view() == "cast cast");
static_assert(casts("i8", "f32", "i8").view() == "cast");
static_assert(casts("i32", "f64", "i8").view() == "cast cast cast");  // may wrap or fail
static_assert(casts("bool", "i8", "f64").view() == "cast cast");
static_assert(casts("i32", "f32", "f64").view() == "cast cast cast");
static_assert(casts("f16", "bf16", "f32").view() == "cast cast cast");

// Elementwise operators broadcast implicitly.
constexpr wf::text_view broadcast =
    R"(node movement.slice(%1) [axis = 0, start = 0, length = 1] -> f32[1, 3]
node movement.broadcast_to(%2) [d0 = dim 2, d1 = dim 3] -> f32[2, 3]
)";
constexpr wf::text after_broadcast(wf::text_view node) {
  wf::text t;
  t << broadcast << node;
  return left(t.view(), "%4");
}
static_assert(after_broadcast("node elementwise.add(%3, %1) -> f32[2, 3]\n").view() == "slice add");
static_assert(after_broadcast("node elementwise.add(%3, %3) -> f32[2, 3]\n").view() ==
              "slice broadcast_to add");
static_assert(after_broadcast("node nn.relu(%3) -> f32[2, 3]\n").view() ==
              "slice broadcast_to relu");

}  // namespace

TEST_CASE("what is put in place of views says the same") {
  const auto made = [](wf::text_view nodes) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f32[2, 3, N]\n" << nodes << "output \"z\" = %2\n";
    return wf_test::passed(eliminate, wf_test::graph_of(t.view()));
  };
  const wf::graph slices =
      made(R"(node movement.slice(%0) [axis = 1, start = 1, length = 2] -> f32[2, 2, N]
node movement.slice(%1) [axis = 1, start = 1, length = 1] named "s" at "f":7:1 -> "t" : f32[2, 1, N]
)");
  const wf::graph_view s = slices.view();
  REQUIRE(s.nodes.size() == 1);
  CHECK(s.integer_attribute(s.nodes[0], "start", 0) == 2);
  CHECK(s.find_attribute(s.nodes[0], "length")->number == 1);
  CHECK(s.text_of(s.nodes[0].name) == "s");
  CHECK(s.nodes[0].location.line == 7);
  CHECK(s.text_of(s[s.outputs[0].source].name) == "t");
  const wf::graph pads = made(R"(node movement.pad(%0) [axis = 1, before = 1] -> f32[2, 4, N]
node movement.pad(%1) [axis = 1, before = 2, after = 3] -> f32[2, 9, N]
)");
  REQUIRE(pads.view().nodes.size() == 1);
  CHECK(pads.view().integer_attribute(pads.view().nodes[0], "before", 0) == 3);
  CHECK(pads.view().integer_attribute(pads.view().nodes[0], "after", 0) == 3);
  const wf::graph permuted =
      made(R"(node movement.permute(%0) [p0 = 2, p1 = 0, p2 = 1] -> f32[N, 2, 3]
node movement.permute(%1) [p0 = 2, p1 = 0, p2 = 1] -> f32[3, N, 2]
)");
  REQUIRE(permuted.view().nodes.size() == 1);
  CHECK(permuted.view().integer_attribute(permuted.view().nodes[0], "p0", 9) == 1);
  CHECK(permuted.view().integer_attribute(permuted.view().nodes[0], "p1", 9) == 2);
  CHECK(permuted.view().integer_attribute(permuted.view().nodes[0], "p2", 9) == 0);
}

TEST_CASE("shapes of polynomials are kept") {
  const wf::graph made = wf_test::passed(eliminate, wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f64[M, N]
node movement.reshape(%0) [d0 = dim M*N] -> f64[M*N]
node movement.reshape(%1) [d0 = dim 1, d1 = dim M*N] -> f64[1, M*N]
output "y" = %2
)"));
  const wf::graph_view g = made.view();
  REQUIRE(g.nodes.size() == 1);
  REQUIRE(wf::validate(g));
  CHECK(g[g.outputs[0].source].type.shape[1].is_derived());
  CHECK(g.find_attribute(g.nodes[0], "d1")->number == g[g.outputs[0].source].type.shape[1].code);
}

TEST_CASE("nodes of other peers, with an order, an effect or a declared cost stay") {
  const auto count = [](wf::text_view first, wf::text_view second, wf::text_view edges) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f32[2, 3]\nnode linalg.transpose(%0) " << first
      << " -> f32[3, 2]\nnode linalg.transpose(%1) " << second << " -> f32[2, 3]\n"
      << edges << "output \"z\" = %2\n";
    return wf_test::passed(eliminate, wf_test::graph_of(t.view())).view().nodes.size();
  };
  CHECK(count("", "", "") == 0);
  CHECK(count("peer \"p\"", "peer \"p\"", "") == 0);
  CHECK(count("peer \"p\"", "", "") == 2);
  CHECK(count("cost [flops = \"3\"]", "", "") == 2);
  CHECK(count("", "cost [flops = \"3\"]", "") == 2);
  CHECK(count("effect stateful", "", "") == 2);
  CHECK(count("", "", "edge control @0 -> @1\n") == 2);
}

TEST_CASE("nothing more is assumed of an input") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(3, 3)};
  wf::value_id x = g.add_input("x", t);
  for (int i = 0; i < 2; ++i) {
    const wf::node_id n = g.add_node({.op = "transpose", .domain = "linalg"}, {&x, 1}, {&t, 1});
    x = wf::graph_view::output_of(g[n]);
  }
  CHECK(wf_test::passed(eliminate, g.view()).view().nodes.empty());
  g.assume(x, wf::spd);
  g.add_output("y", x);
  const wf::graph made = wf_test::passed(eliminate, g.view());
  CHECK(made.view().values[0].type.known.empty());
  CHECK(made.view()[made.view().outputs[0].source].type.known.has(wf::spd));
}

TEST_CASE("eliminating views keeps what random workflows compute") {
  const auto counts = wf_test::check_pass(eliminate, 20261201, 80);
  CHECK(counts.runs > 60);
  CHECK(counts.changed > 40);
  wf_test::check_executables(eliminate, 20261224, 40);
  wf_test::check_odd_graphs(eliminate, 20261202, 150);
}

TEST_CASE("20,000 nodes") {
  const wf::graph g = wf_test::large_workflow(20'000);
  CHECK(wf_test::passed(eliminate, g.view()).view().nodes.size() <= 20'001);
}

TEST_CASE("views are known by what they mean, not by their names") {
  const std::uint64_t seed = 20261126;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  const wf_test::renamed_registry own(wf::builtin_registry());
  std::size_t fewer = 0;
  for (int round = 0; round < 100; ++round) {
    CAPTURE(round);
    const wf::graph g = wf_test::redundant_workflow(random);
    const wf::graph made = wf_test::passed(eliminate, g.view());
    const auto same = wf::eliminate_views(own.renamed(g.view()), own.kernels());
    REQUIRE(same);
    CHECK(wf_test::printed(wf_test::renamed_registry::original(same->view()).view()) ==
          wf_test::printed(made.view()));
    fewer += g.view().nodes.size() - made.view().nodes.size();
  }
  CHECK(fewer > 200);
}
