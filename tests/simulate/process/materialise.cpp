// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/ir/graph/graph.hpp>
#include <wf/simulate/process/materialise.hpp>
#include <wf/simulate/process/recorder.hpp>

namespace {

constexpr wf::value_type vector_of(std::int64_t n) {
  return {wf::dtype::f32, {}, wf::shape::of(n)};
}

/// x -> relu -> {double, relu2} -> add, and a control edge from double to relu2.
constexpr wf::graph example() {
  wf::graph g("example");
  const wf::value_type v = vector_of(100);
  const wf::value_id x = g.add_input("x", v);
  const auto node = [&](const char* op, const char* name, wf::view<wf::value_id> in) {
    const wf::node_id id =
        g.add_node({.op = op, .domain = "test", .name = name}, in, wf::view<wf::value_type>(&v, 1));
    return g.view().output_of(g[id]);
  };
  const wf::value_id a[] = {node("relu", "first", wf::view<wf::value_id>(&x, 1))};
  const wf::value_id both[] = {node("double", "left", a), node("relu", "right", a)};
  g.add_output("y", node("add", "last", both));
  return g;
}

constexpr wf::process_table processes() {
  wf::process_table t;
  t.set("relu", 5, 10).set("double", 7).set("add", 1);
  return t;
}

constexpr std::int64_t makespan(const wf::fifo_link& link) {
  const auto n = wf::materialise(example(), processes(), link);
  const auto t = wf::simulate(*n);
  return t->makespan;
}
// relu: 5 + 100/10 = 15; then max(7, 15), then 1.
static_assert(makespan({}) == 31);
// Every edge carries 400 bytes: 40 cycles to send and 3 of latency, for three consecutive edges.
static_assert(makespan({10, 3, 0}) == 15 + 43 + 15 + 43 + 1);

}  // namespace

TEST_CASE("a graph becomes a network of processes") {
  const auto n = wf::materialise(example(), processes(), {10, 3, 0});
  REQUIRE(n);
  CHECK(n->nodes.size() == 4);
  CHECK(n->edges.size() == 4);
  CHECK(n->platform.links.size() == 4);
  CHECK(n->nodes[0].name == wf::text("first"));
  CHECK(n->nodes[0].process.work(0) == 15);
  const auto t = wf::simulate(*n);
  REQUIRE(t);
  CHECK(t->events.size() == 8);
  CHECK(t->processed == 8);
  CHECK(t->accounts[3].bytes_in == 800);
  CHECK(*t == *wf::simulate(*n));
}

TEST_CASE("an operator without a process is an error that names it") {
  wf::process_table few;
  few.set("relu", 5).set("add", 1);
  const auto n = wf::materialise(example(), few);
  REQUIRE_FALSE(n);
  CHECK(n.error().code == wf::errc::simulation_failed);
  CHECK(n.error().subject == wf::text("left"));
  CHECK(n.error().message == wf::text("operator 'double' has no process"));
}

TEST_CASE("control edges order processes") {
  wf::graph g = example();
  g.add_edge(wf::edge_kind::control, wf::node_id{1}, wf::node_id{2});
  const auto n = wf::materialise(g, processes());
  REQUIRE(n);
  CHECK(wf::simulate(*n)->makespan == 15 + 7 + 15 + 1);
}

TEST_CASE("a size that is not fixed is an error only where it is needed") {
  wf::graph g("symbolic");
  const wf::value_type v{wf::dtype::f32, {}, wf::shape::of("N")};
  const wf::value_id x = g.add_input("x", v);
  for (int i = 0; i < 2; ++i) {
    const wf::value_id in = i == 0 ? x : g.view().output_of(g[wf::node_id{0}]);
    g.add_node({.op = "relu", .domain = "test"}, wf::view<wf::value_id>(&in, 1),
               wf::view<wf::value_type>(&v, 1));
  }
  wf::process_table fixed, by_element;
  fixed.set("relu", 2);
  by_element.set("relu", 2, 1);
  CHECK(wf::materialise(g, fixed));
  CHECK(wf::materialise(g, by_element).error().code == wf::errc::simulation_failed);
  CHECK(wf::materialise(g, fixed, {1, 0, 0}).error().code == wf::errc::simulation_failed);
}

namespace {

// A task with a number of inputs and one output.
wf::task_process task(std::int64_t work, std::size_t inputs, std::int64_t bytes) {
  wf::table<wf::expected_input> expected;
  for (std::size_t k = 0; k < inputs; ++k) expected.push_back({wf::text("in"), {}, {}});
  wf::table<std::int64_t> sizes;
  sizes.push_back(bytes);
  return {expected, work, sizes};
}

}  // namespace

TEST_CASE("processes share hosts and links") {
  wf::network<wf::task_process> n;
  const auto host = n.add_host(2);
  const auto link = n.add_link(1, 0);
  for (const char* name : {"a", "b", "c"}) n.add_node(name, task(10, 0, 5), host);
  CHECK(wf::simulate(n)->makespan == 20);
  const auto sink = n.add_node("sink", task(1, 2, 0), n.add_host());
  for (std::uint32_t i = 0; i < 2; ++i) n.connect(i, 0, sink, i, link);
  const auto t = wf::simulate(n);
  REQUIRE(t);
  CHECK(t->makespan == 10 + 5 + 5 + 1);
  CHECK(t->link_waiting == 5);
}

TEST_CASE("processes that wait for each other are named") {
  wf::network<wf::task_process> n;
  const auto host = n.add_host();
  const auto link = n.add_link(0, 0);
  const std::uint32_t start = n.add_node("start", task(1, 0, 0), host);
  const std::uint32_t hen = n.add_node("hen", task(1, 2, 0), host);
  const std::uint32_t egg = n.add_node("egg", task(1, 1, 0), host);
  n.connect(hen, 0, egg, 0, link);
  n.connect(egg, 0, hen, 0, link);
  n.connect(start, 0, hen, 1, link);
  const auto t = wf::simulate(n);
  REQUIRE_FALSE(t);
  CHECK(t.error().code == wf::errc::simulation_failed);
  CHECK(t.error().subject == wf::text("hen"));
  CHECK(t.error().message == wf::text("deadlock: hen waits for egg, egg waits for hen"));
}

TEST_CASE("what is out of range is an error") {
  wf::network<wf::task_process> n;
  const auto fault = [&] {
    const auto t = wf::simulate(n);
    return t ? wf::errc::none : t.error().code;
  };
  n.add_node("lost", task(1, 1, 0), {wf::sim_resource::slots, 3});
  CHECK(wf::simulate(n).error().subject == wf::text("lost"));
  n.nodes[0].where = n.add_host(0);
  CHECK(fault() == wf::errc::simulation_failed);
  n.platform.slots[0] = 1;
  CHECK(fault() == wf::errc::none);
  n.connect(0, 0, 7, 0);
  CHECK(fault() == wf::errc::simulation_failed);
  n.edges[0].to = 0;
  n.edges[0].output = 1;
  CHECK(fault() == wf::errc::simulation_failed);
  n.edges[0].output = 0;
  n.edges[0].local = false;
  n.edges[0].over = n.add_host();
  CHECK(fault() == wf::errc::simulation_failed);
  n.edges[0].over = n.add_link(0, 0);
  CHECK(wf::simulate(n).error().message == wf::text("deadlock: lost waits for lost"));
  n.connect(0, 0, 0, 0);
  CHECK(wf::simulate(n).error().message == wf::text("two edges end at one of its inputs"));
}
