// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/process/dataflow.hpp>

#include <doctest/doctest.h>

#include <wf/simulate/process/network.hpp>

#include <random>
#include <string>
#include <vector>

#include "rated_process.hpp"

namespace {

using wf::dataflow_graph;
using wf_test::rated;

struct drawn_graph {
  dataflow_graph graph;
  std::vector<std::int64_t> runs;  // of an iteration
};

// Runs a graph as a network of processes, each of which gets data for `iterations` from outside.
wf::result<wf::network_outcome<std::int64_t>> run_network(const dataflow_graph& g,
                                                          const std::vector<std::int64_t>& runs,
                                                          std::int64_t iterations,
                                                          std::mt19937_64& random) {
  std::vector<std::vector<std::uint32_t>> in(g.names.size()), out(g.names.size());
  for (const auto& e : g.edges) {
    in[e.to].push_back(e.consumed);
    out[e.from].push_back(e.produced);
  }
  wf::network<rated> n;
  const auto a = n.add_host(), b = n.add_host(2);
  const auto link = n.add_link(1 + static_cast<std::int64_t>(random() % 9), 3);
  std::vector<wf::network_input<std::int64_t>> inputs;
  for (std::uint32_t i = 0; i < g.names.size(); ++i) {
    in[i].push_back(1);  // from outside
    const auto input = static_cast<std::uint32_t>(in[i].size() - 1);
    for (std::int64_t k = 0; k < iterations * runs[i]; ++k) inputs.push_back({i, input, k, 0});
    n.add_node(g.names[i].view(), rated(in[i], out[i], static_cast<std::int64_t>(random() % 5)),
               random() % 2 == 0 ? a : b);
  }
  std::vector<std::uint32_t> input(g.names.size()), output(g.names.size());
  for (const auto& e : g.edges) {
    auto& edge = random() % 2 == 0 ? n.connect(e.from, output[e.from]++, e.to, input[e.to]++)
                                   : n.connect(e.from, output[e.from]++, e.to, input[e.to]++, link);
    for (std::uint32_t k = 0; k < e.initial; ++k) edge.initial.push_back(k);
    edge.capacity = e.capacity;
  }
  // Inputs from outside lack an edge: the rates of the others are those of the graph.
  const auto read = wf::dataflow_of(n);
  REQUIRE(read);
  REQUIRE(read->edges == g.edges);
  return n.run(inputs);
}

struct tally {
  int deadlocks = 0;
  int same_cycle = 0;  // of several, the run may name another one
};

void require_same(const dataflow_graph& g, const std::vector<std::int64_t>& runs,
                  std::mt19937_64& random, tally& count) {
  const auto decided = wf::check_dataflow(g);
  for (const std::int64_t iterations : {1, 3}) {
    const auto ran = run_network(g, runs, iterations, random);
    REQUIRE(bool(decided) == bool(ran));
    if (ran) {
      for (std::size_t i = 0; i < runs.size(); ++i)
        REQUIRE(ran->accounts[i].runs == static_cast<std::uint64_t>(iterations * runs[i]));
    } else {
      REQUIRE(ran.error().message.view().starts_with("deadlock: "));
      if (iterations == 1) count.same_cycle += ran.error() == decided.error() ? 1 : 0;
    }
  }
  count.deadlocks += decided ? 0 : 1;
}

drawn_graph draw_graph(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  drawn_graph out;
  const std::uint32_t nodes = 1 + below(6);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    out.graph.add_node((wf::text("n") << i).view());
    out.runs.push_back(1 + below(4));
  }
  for (std::uint32_t k = below(2 * nodes + 1); k > 0; --k) {
    const std::uint32_t from = below(nodes), to = below(nodes), times = 1 + below(2);
    const auto f = static_cast<std::uint32_t>(out.runs[from]),
               t = static_cast<std::uint32_t>(out.runs[to]);
    auto& e = out.graph.connect(from, to, times * t, times * f);
    if (below(3) == 0 || from >= to) e.initial = below(3 * e.consumed + 1);
    if (below(2) == 0) e.capacity = 1 + below(2 * (e.produced + e.consumed));
    if (e.capacity != 0 && e.capacity < e.initial) e.capacity = e.initial;
  }
  return out;
}

constexpr dataflow_graph ring(std::uint32_t initial, std::uint32_t capacity) {
  dataflow_graph g;
  g.add_node("filter");
  g.add_node("control");
  g.connect(0, 1, 2, 1).capacity = capacity;
  g.connect(1, 0, 1, 2).initial = initial;
  return g;
}
constexpr auto live_ring = [] { return ring(2, 2); };

constexpr auto live_network = [] {
  wf::table<wf::expected_input> in;
  in.push_back({wf::text("x"), wf::usage::data, {}});
  wf::table<std::int64_t> out;
  out.push_back(8);
  wf::network<wf::task_process> n;
  const auto host = n.add_host();
  n.add_node("a", wf::task_process(in, 1, out), host);
  n.add_node("b", wf::task_process(in, 1, out), host);
  n.connect(0, 0, 1, 0).capacity = 1;
  n.connect(1, 0, 0, 0).initial.push_back({8});
  return n;
};

}  // namespace

static_assert(wf::require_dataflow<live_ring>());
static_assert(wf::require_dataflow<live_network>());
static_assert(!wf::check_dataflow(ring(1, 2)));
static_assert(wf::check_dataflow(ring(1, 2)).error().message ==
              wf::text("deadlock: filter waits for control, control waits for filter"));
static_assert(wf::check_dataflow(ring(2, 1)).error().code == wf::errc::simulation_failed);

TEST_CASE("the decision is what a run of the network shows: random graphs") {
  tally count;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    const drawn_graph drawn = draw_graph(random);
    require_same(drawn.graph, drawn.runs, random, count);
  }
  MESSAGE(count.deadlocks << " deadlocks, of which " << count.same_cycle << " name the same cycle");
  CHECK(count.deadlocks > 600);
  CHECK(count.deadlocks < 2400);
  CHECK(count.same_cycle > count.deadlocks * 9 / 10);
}

TEST_CASE("the decision is what a run of the network shows: all small rings") {
  std::mt19937_64 random(1);
  tally count;
  int all = 0;
  for (std::uint32_t p = 1; p <= 3; ++p)
    for (std::uint32_t c = 1; c <= 3; ++c)
      for (std::uint32_t there = 0; there <= 3; ++there)
        for (std::uint32_t back = 0; back <= 3; ++back)
          for (std::uint32_t room = 0; room <= 4; ++room)
            for (std::uint32_t room_back = 0; room_back <= 4; ++room_back) {
              if ((room != 0 && room < there) || (room_back != 0 && room_back < back)) continue;
              dataflow_graph g;
              g.add_node("a");
              g.add_node("b");
              g.connect(0, 1, p, c).initial = there;
              g.connect(1, 0, c, p).initial = back;
              g.edges[0].capacity = room;
              g.edges[1].capacity = room_back;
              const std::int64_t common = p == c ? p : 1;
              require_same(g, {c / common, p / common}, random, count);
              ++all;
            }
  MESSAGE(all << " rings, " << count.deadlocks << " deadlocks");
  CHECK(count.deadlocks > 200);
  CHECK(count.same_cycle == count.deadlocks);
}

TEST_CASE("repetitions balance every edge, and are the smallest that do") {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    drawn_graph drawn = draw_graph(random);
    const auto runs = wf::repetitions(drawn.graph);
    REQUIRE(runs);
    for (const auto& e : drawn.graph.edges)
      REQUIRE((*runs)[e.from] * e.produced == (*runs)[e.to] * e.consumed);
    // In each part: no larger than the numbers that were drawn.
    for (std::size_t i = 0; i < runs->size(); ++i) {
      REQUIRE((*runs)[i] >= 1);
      REQUIRE((*runs)[i] <= drawn.runs[i]);
    }
    if (drawn.graph.edges.empty()) continue;
    // Another rate on an edge of a cycle of the undirected graph, a second edge beside it.
    auto& e = drawn.graph.edges[0];
    drawn.graph.connect(e.from, e.to, e.produced, e.consumed + 1);
    const auto refused = wf::check_dataflow(drawn.graph);
    REQUIRE_FALSE(refused);
    REQUIRE(refused.error().code == wf::errc::simulation_failed);
    REQUIRE(refused.error().message.view().starts_with("rates do not balance: "));
  }
}

TEST_CASE("rates of modems and of compact discs") {
  // 44.1 to 48 kHz in four stages (Bhattacharyya, Murthy, Lee 1996).
  dataflow_graph g;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) g.add_node(name);
  g.connect(0, 1, 1, 1);
  g.connect(1, 2, 2, 3);
  g.connect(2, 3, 2, 7);
  g.connect(3, 4, 8, 7);
  g.connect(4, 5, 5, 1);
  const auto runs = wf::repetitions(g);
  REQUIRE(runs);
  const std::int64_t wanted[] = {147, 147, 98, 28, 32, 160};
  for (std::size_t i = 0; i < 6; ++i) CHECK((*runs)[i] == wanted[i]);
  CHECK(wf::check_dataflow(g));
}

TEST_CASE("what cannot be decided is refused") {
  dataflow_graph g;
  g.add_node("a");
  g.add_node("b");
  g.connect(0, 1, 0, 1);
  CHECK(wf::check_dataflow(g).error().message == wf::text("an edge has a rate of 0"));
  g.edges[0].produced = 1;
  g.edges[0].to = 2;
  CHECK(wf::check_dataflow(g).error().code == wf::errc::simulation_failed);
  g.edges[0] = {0, 1, 1, 1, 3, 2};
  CHECK(wf::check_dataflow(g).error().subject == wf::text("b"));
  g.edges[0] = {0, 1, 1'000'000, 1, 0, 0};
  CHECK(wf::check_dataflow(g, 1'000'001));
  CHECK(wf::check_dataflow(g, 1'000'000).error().code == wf::errc::search_limit);
  dataflow_graph large;
  large.add_node("n0");
  for (std::uint32_t i = 1; i < 4; ++i) {
    large.add_node("n");
    large.connect(i - 1, i, 4'000'000'000u, 1);
  }
  CHECK(wf::check_dataflow(large).error().code == wf::errc::overflow);
}

TEST_CASE("a network keeps its processes to the rates that they state") {
  const auto run = [](std::uint32_t early, std::uint32_t more) {
    wf::network<rated> n;
    const auto host = n.add_host();
    n.add_node("a", rated({2}, {1}, 1, early, more), host);
    const wf::network_input<std::int64_t> in[] = {{0, 0, 1, 0}, {0, 0, 2, 0}};
    const auto got = n.run(in);
    return got ? wf::text() : got.error().message;
  };
  CHECK(run(0, 0).empty());
  CHECK(run(1, 0) == wf::text("it does not keep the rates of its inputs"));
  CHECK(run(0, 1) == wf::text("it does not keep the rates of its outputs"));
}
