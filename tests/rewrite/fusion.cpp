// SPDX-License-Identifier: BSL-1.0
#include <wf/rewrite/fusion.hpp>

#include <algorithm>
#include <set>

#include <wf/map/array/from_graph.hpp>

#include "pass_properties.hpp"
#include "renamed.hpp"

namespace {

constexpr wf::text_view attention = R"(wf.graph 1 "g"
input "x" : f32[8, 4]
input "w" : f32[4, 4]
input "b" : f32[4]
node linalg.matmul(%0, %1) -> f32[8, 4]
node elementwise.add(%3, %2) -> f32[8, 4]
node nn.relu(%4) -> f32[8, 4]
node elementwise.square(%5) -> f32[8, 4]
node movement.sum(%6) [axis = 1] -> f32[8]
node elementwise.sqrt(%7) -> f32[8]
output "y" = %5
output "n" = %8
)";

// The number of groups, or 99 after an error.
constexpr std::size_t groups(wf::text_view source) {
  const wf::graph g = wf_test::graph_of(source);
  const auto plan = wf::group_fusion(g.view());
  return plan ? plan->groups.size() : 99;
}
// matmul, add, relu, square; sum; sqrt.
static_assert(groups(attention) == 3);

std::vector<std::vector<std::string>> named(const wf::graph& g, const wf::fusion_plan& plan) {
  std::vector<std::vector<std::string>> out;
  for (const wf::fusion_group& group : plan.groups) {
    out.emplace_back();
    for (wf::node_id id : plan.nodes_of(group))
      out.back().emplace_back(g.view().op_name(g.view()[id]));
  }
  return out;
}
std::vector<std::vector<std::string>> grouped(wf::text_view source) {
  const wf::graph g = wf_test::graph_of(source);
  REQUIRE(wf::validate(g.view()));
  const auto plan = wf::group_fusion(g.view());
  REQUIRE(plan);
  return named(g, *plan);
}
using names = std::vector<std::vector<std::string>>;

// Checks all guarantees of a plan by brute force.
void check_plan(const wf::graph_view& g, const wf::fusion_plan& plan) {
  const wf::registry kernels = wf::builtin_registry();
  const wf::adjacency edges = wf::adjacency_of(g);
  const std::size_t n = g.nodes.size();
  REQUIRE(plan.group_of.size() == n);
  // reaches[a] contains every node on a path from a.
  std::vector<std::set<std::uint32_t>> reaches(n);
  const auto order = wf::topological_order(g);
  REQUIRE(order);
  for (std::size_t i = n; i-- > 0;) {
    const wf::node_id id = (*order)[i];
    for (wf::node_id next : edges.successors_of(id)) {
      reaches[wf::index_of(id)].insert(wf::index_of(next));
      reaches[wf::index_of(id)].insert(reaches[wf::index_of(next)].begin(),
                                       reaches[wf::index_of(next)].end());
    }
  }
  // Convexity: no outside node lies on a path between two inside.
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b : reaches[a])
      for (std::uint32_t c : reaches[b])
        if (plan.group_of[a] == plan.group_of[c]) CHECK(plan.group_of[a] == plan.group_of[b]);
  // Groups are executed in order, so that the graph of groups has no cycle.
  for (std::uint32_t a = 0; a < n; ++a)
    for (wf::node_id b : edges.successors_of(static_cast<wf::node_id>(a)))
      CHECK(plan.group_of[a] <= plan.group_of[wf::index_of(b)]);
  for (const wf::edge& e : g.edges)
    CHECK(plan.group_of[wf::index_of(e.from)] != plan.group_of[wf::index_of(e.to)]);

  std::vector<std::size_t> seen(n);
  std::int64_t saved = 0;
  const auto bytes = [&](wf::value_id v) {
    return g[v].type.shape.elements() * wf::size_of(g[v].type.type);
  };
  for (std::uint32_t at = 0; at < plan.groups.size(); ++at) {
    const wf::fusion_group& group = plan.groups[at];
    std::set<wf::value_id> made, read, handed_on;
    std::size_t heavy = 0;
    std::set<std::string> shapes, peers;
    for (wf::node_id id : plan.nodes_of(group)) {
      const wf::node& node = g[id];
      ++seen[wf::index_of(id)];
      CHECK(plan.group_of[wf::index_of(id)] == at);
      for (wf::node_id before : edges.predecessors_of(id))  // in topological order
        CHECK((plan.group_of[wf::index_of(before)] != at || seen[wf::index_of(before)] == 1));
      std::set<wf::value_id> own;
      for (wf::value_id v : g.inputs_of(node)) {
        own.insert(v);
        if (!made.contains(v)) read.insert(v);
      }
      if (group.nodes.count > 1)
        for (wf::value_id v : own) saved += bytes(v);
      for (std::uint32_t k = 0; k < node.outputs.count; ++k) {
        const wf::value_id v = wf::graph_view::output_of(node, k);
        made.insert(v);
        if (group.nodes.count > 1) saved += bytes(v);
        if (g.is_output(v)) handed_on.insert(v);
        for (std::uint32_t user = 0; user < n; ++user)
          for (wf::value_id o : g.inputs_of(g.nodes[user]))
            if (o == v && plan.group_of[user] != at) handed_on.insert(v);
      }
      if (group.nodes.count == 1) continue;
      CHECK(node.effects == wf::effect::pure);
      const wf::kernel_spec* k = kernels.find(g.op_name(node));
      REQUIRE(k != nullptr);
      const wf::fusion_role role = wf::fusion_role_of(*k);
      CHECK(role != wf::fusion_role::none);
      if (role != wf::fusion_role::elementwise) {
        ++heavy;
        CHECK(group.kind == role);
      }
      const wf::value_id domain = role == wf::fusion_role::reduction
                                      ? g.inputs_of(node)[0]
                                      : wf::graph_view::output_of(node);
      shapes.insert(std::string(wf::to_text(g[domain].type.shape).view()));
      peers.insert(std::string(g.text_of(node.peer)));
      for (wf::value_id v : g.inputs_of(node)) {  // values passed within the group
        const wf::node_id from = g[v].producer;
        if (from == wf::node_id::none || plan.group_of[wf::index_of(from)] != at) continue;
        CHECK(role != wf::fusion_role::contraction);
        CHECK(wf::fusion_role_of(*kernels.find(g.op_name(g[from]))) != wf::fusion_role::reduction);
      }
    }
    CHECK(heavy <= 1);
    CHECK(shapes.size() <= 1);
    CHECK(peers.size() <= 1);
    const auto inputs = plan.inputs_of(group), outputs = plan.outputs_of(group);
    CHECK(std::set<wf::value_id>(inputs.begin(), inputs.end()) == read);
    CHECK(inputs.size() == read.size());
    CHECK(std::set<wf::value_id>(outputs.begin(), outputs.end()) == handed_on);
    CHECK(outputs.size() == handed_on.size());
    if (group.nodes.count == 1) continue;
    for (wf::value_id v : read) saved -= bytes(v);
    for (wf::value_id v : handed_on) saved -= bytes(v);
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](std::size_t s) { return s == 1; }));
  CHECK(plan.bytes_saved == saved);
}

}  // namespace

TEST_CASE("a product takes what follows elementwise, a reduction what comes before") {
  const wf::graph g = wf_test::graph_of(attention);
  const auto plan = wf::group_fusion(g.view());
  REQUIRE(plan);
  CHECK(named(g, *plan) == names{{"matmul", "add", "relu", "square"}, {"sum"}, {"sqrt"}});
  CHECK(plan->groups[0].kind == wf::fusion_role::contraction);
  CHECK(wf::name_of(plan->groups[0].kind) == "contraction");
  CHECK(plan->groups[1].kind == wf::fusion_role::reduction);
  CHECK(plan->inputs_of(plan->groups[0]).size() == 3);
  CHECK(plan->outputs_of(plan->groups[0]).size() == 2);  // the output and the squares
  // %3 and %4 are neither written nor read, %5 is not read: 5 times 128 bytes saved.
  CHECK(plan->bytes_saved == 5 * 128);
  check_plan(g.view(), *plan);
}

TEST_CASE("chains, trees and diamonds are one group") {
  CHECK(grouped(R"(wf.graph 1 "g"
input "x" : f32[8]
input "y" : f32[8]
node elementwise.exp(%0) -> f32[8]
node elementwise.negate(%2) -> f32[8]
node elementwise.sin(%1) -> f32[8]
node elementwise.cos(%4) -> f32[8]
node elementwise.add(%3, %5) -> f32[8]
node elementwise.multiply(%6, %2) -> f32[8]
node movement.max(%7) -> f32[]
output "z" = %8
)") == names{{"exp", "negate", "sin", "cos", "add", "multiply", "max"}});
}

TEST_CASE("what leaves a group and comes back is not in it") {
  // exp is read by the product and another node, so that the product cannot be in the group.
  CHECK(grouped(R"(wf.graph 1 "g"
input "x" : f32[4, 4]
node elementwise.exp(%0) -> f32[4, 4]
node user.shuffle(%1) -> f32[4, 4]
node elementwise.add(%1, %2) -> f32[4, 4]
output "z" = %3
)") == names{{"exp"}, {"shuffle"}, {"add"}});
  CHECK(grouped(R"(wf.graph 1 "g"
input "x" : f32[4, 4]
node elementwise.exp(%0) -> f32[4, 4]
node linalg.matmul(%1, %1) -> f32[4, 4]
node elementwise.add(%1, %2) -> f32[4, 4]
output "z" = %3
)") == names{{"exp"}, {"matmul", "add"}});
  // The same where a merged group follows another one: cos comes after shuffle, so that the sums
  // cannot join exp.
  CHECK(grouped(R"(wf.graph 1 "g"
input "x" : f32[4, 4]
input "y" : f32[4, 4]
node elementwise.exp(%0) -> f32[4, 4]
node user.shuffle(%2) -> f32[4, 4]
node elementwise.sin(%1) -> f32[4, 4]
node elementwise.cos(%3) -> f32[4, 4]
node elementwise.add(%4, %5) -> f32[4, 4]
node elementwise.add(%6, %2) -> f32[4, 4]
output "z" = %7
)") == names{{"exp"}, {"shuffle"}, {"sin", "cos", "add", "add"}});
  // The softmax reads its reductions, which therefore end groups.
  CHECK(grouped(R"(wf.graph 1 "g"
input "x" : f32[8]
node movement.max(%0) -> f32[]
node elementwise.subtract(%0, %1) -> f32[8]
node elementwise.exp(%2) -> f32[8]
node movement.sum(%3) -> f32[]
node elementwise.divide(%3, %4) -> f32[8]
output "z" = %5
)") == names{{"max"}, {"subtract", "exp", "sum"}, {"divide"}});
}

TEST_CASE("shapes, peers, effects and orders part groups") {
  const auto two = [](wf::text_view first, wf::text_view second, wf::text_view edges) {
    wf::text t;
    t << "wf.graph 1 \"g\"\ninput \"x\" : f32[8]\nnode elementwise.exp(%0) " << first
      << " -> f32[8]\nnode elementwise.sin(%1) " << second << "\n"
      << edges << "output \"z\" = %2\n";
    return groups(t.view());
  };
  CHECK(two("", "-> f32[8]", "") == 1);
  CHECK(two("peer \"p\"", "peer \"p\" -> f32[8]", "") == 1);
  CHECK(two("peer \"p\"", "-> f32[8]", "") == 2);
  CHECK(two("effect stateful", "-> f32[8]", "") == 2);
  CHECK(two("", "-> f32[8]", "edge control @0 -> @1\n") == 2);
  CHECK(two("", "-> f32[8]", "edge mutate @0 -> @1\n") == 2);
  CHECK(groups(R"(wf.graph 1 "g"
input "x" : f32[8]
input "y" : f32[4, 8]
node elementwise.exp(%0) -> f32[8]
node elementwise.add(%1, %2) -> f32[4, 8]
output "z" = %3
)") == 2);
}

TEST_CASE("symbolic workflows are grouped, users say what their kernels are") {
  const wf::graph g = wf_test::graph_of(R"(wf.graph 1 "g"
input "x" : f32[M, 2*M]
node elementwise.exp(%0) -> f32[M, 2*M]
node elementwise.sin(%1) -> f32[M, 2*M]
node linalg.transpose(%2) -> f32[2*M, M]
output "z" = %3
)");
  const auto plan = wf::group_fusion(g.view());
  REQUIRE(plan);
  CHECK(plan->groups.size() == 2);
  CHECK(plan->bytes_saved == 0);
  const auto none = wf::group_fusion(g.view(), wf::builtin_registry(),
                                     [](const wf::kernel_spec&) { return wf::fusion_role::none; });
  REQUIRE(none);
  CHECK(none->groups.size() == 3);
  wf::graph cyclic = g;
  cyclic.add_edge(wf::edge_kind::control, wf::node_id{2}, wf::node_id{0});
  CHECK(wf::group_fusion(cyclic.view()).error().code == wf::errc::cyclic_graph);
}

TEST_CASE("groups of random workflows are convex, and can run one after another") {
  const std::uint64_t seed = 20261218;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  std::size_t together = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    wf_test::workflow_options options;
    options.nodes = 40;
    options.peers = round % 2 == 0;
    options.small_integers = round % 4 < 2;  // a single element type, for larger groups
    const wf::graph g = wf_test::redundant_workflow(random, options);
    INFO(wf_test::printed(g));
    const auto plan = wf::group_fusion(g.view());
    REQUIRE(plan);
    check_plan(g.view(), *plan);
    for (const wf::fusion_group& group : plan->groups)
      if (group.nodes.count > 1) together += group.nodes.count;
  }
  CHECK(together > 400);
  for (int round = 0; round < 100; ++round) {
    const wf::graph g = wf_test::random_graph(random);
    if (wf::validate(g.view())) CHECK(wf::group_fusion(g.view()));
  }
}

// Operators with the same facts under other names are grouped in the same way.
TEST_CASE("groups follow from facts, not from names") {
  const std::uint64_t seed = 20261219;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  const wf_test::renamed_registry own(wf::builtin_registry());
  std::size_t together = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    wf_test::workflow_options options;
    options.nodes = 40;
    const wf::graph g = wf_test::redundant_workflow(random, options);
    const wf::graph renamed = own.renamed(g.view());
    INFO(wf_test::printed(renamed));
    const auto plan = wf::group_fusion(g.view());
    const auto same = wf::group_fusion(renamed.view(), own.kernels());
    REQUIRE(plan);
    REQUIRE(same);
    CHECK(plan->group_of == same->group_of);
    CHECK(plan->bytes_saved == same->bytes_saved);
    REQUIRE(plan->groups.size() == same->groups.size());
    for (std::size_t i = 0; i < plan->groups.size(); ++i) {
      CHECK((plan->groups[i].kind == same->groups[i].kind));
      if (plan->groups[i].nodes.count > 1) together += plan->groups[i].nodes.count;
    }
  }
  CHECK(together > 200);
}

TEST_CASE("prices, storage and workloads follow from facts, not from names") {
  const std::uint64_t seed = 20261220;
  CAPTURE(seed);
  wf_test::random_source random(seed);
  const wf::registry kernels = wf::builtin_registry();
  const wf_test::renamed_registry own(kernels);
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    wf_test::workflow_options options;
    options.nodes = 25;
    const wf::graph g = wf_test::redundant_workflow(random, options);
    const wf::graph renamed = own.renamed(g.view());
    INFO(wf_test::printed(renamed));
    for (const wf::metric_spec& m : {wf::metric_spec(wf::flops), wf::metric_spec(wf::bytes),
                                     wf::metric_spec(wf::peak_memory)}) {
      CAPTURE(std::string(m.name));
      const auto price = wf::price(g.view(), m, kernels);
      const auto same = wf::price(renamed.view(), m, own.kernels());
      REQUIRE(bool(price) == bool(same));
      if (price) CHECK(*price == *same);
    }
    const auto work = wf::workload_of(g.view(), kernels);
    const auto same = wf::workload_of(renamed.view(), own.kernels());
    REQUIRE(bool(work) == bool(same));
    if (!work) continue;
    REQUIRE(work->operators.size() == same->operators.size());
    for (std::size_t i = 0; i < work->operators.size(); ++i) {
      wf::workload_operator o = same->operators[i];
      o.label = work->operators[i].label;  // the label names the operator
      o.kernel = work->operators[i].kernel;
      CHECK(o == work->operators[i]);
    }
    CHECK(work->edges == same->edges);
  }
}

TEST_CASE("20,000 nodes") {
  const wf::graph g = wf_test::large_workflow(20'000);
  const auto plan = wf::group_fusion(g.view());
  REQUIRE(plan);
  CHECK(plan->groups.size() < 15'000);
}
