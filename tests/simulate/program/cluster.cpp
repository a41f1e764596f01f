// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/cluster.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <wf/map/schedule/list_schedule.hpp>

#include "../../map/task_graphs.hpp"

namespace {

constexpr wf::sim_host processor{1, 1};

// One tick is a second; a message takes `latency` ticks, and shares the links of both hosts.
constexpr wf::sim_cluster star(std::uint32_t hosts, double bytes_per_tick, std::int64_t latency) {
  const wf::sim_link up_or_down{bytes_per_tick, static_cast<double>(latency) / 2};
  return wf::make_star(hosts, {&processor, 1}, {&up_or_down, 1}, 1);
}

// A task on host 0, and one on each of two others that reads ten bytes of it.
constexpr wf::workflow_schedule fork() {
  wf::workflow_schedule s;
  wf::task_graph& g = s.tasks.graph;
  g.processors = 3;
  g.add("source", 4);
  for (std::uint32_t reader = 1; reader < 3; ++reader) {
    g.connect(0, g.add("reader", 5));
    s.tasks.bytes.push_back(10);
  }
  s.times.tasks.push_back({0, 0, 4});
  s.times.tasks.push_back({1, 4, 9});
  s.times.tasks.push_back({2, 4, 9});
  s.times.makespan = 9;
  return s;
}
constexpr std::int64_t makespan_of(const wf::workflow_schedule& s, const wf::sim_cluster& c) {
  const auto p = wf::program_of(s, c);
  if (!p) return -1;
  const auto t = wf::simulate(p->program);
  return t ? t->makespan : -1;
}
// Both messages share the link of host 0: 20 ticks instead of 10.
static_assert(makespan_of(fork(), star(3, 1, 2)) == 4 + 2 + 20 + 5);

// A schedule of a random graph by priorities, with random bytes.
wf::workflow_schedule random_schedule(wf_test::task_dice& dice) {
  wf::workflow_schedule out;
  out.tasks.graph = dice.graph({.tasks = static_cast<std::uint32_t>(dice(1, 25)),
                                .processors = static_cast<std::uint32_t>(dice(0, 4)),
                                .density = static_cast<int>(dice(0, 40)),
                                .longest = dice(1, 9),
                                .largest_delay = dice(0, 9),
                                .heterogeneous = dice(0, 1) == 1,
                                .resources = static_cast<std::uint32_t>(dice(0, 2))});
  for (std::size_t k = 0; k < out.tasks.graph.edges.size(); ++k)
    out.tasks.bytes.push_back(dice(0, 3) == 0 ? 0 : dice(1, 50));
  out.times = *wf::hlfet(out.tasks.graph);
  return out;
}
std::uint32_t processors_of(const wf::workflow_schedule& s) {
  const wf::task_graph& g = s.tasks.graph;
  return std::max(1u,
                  g.processors == 0 ? static_cast<std::uint32_t>(g.tasks.size()) : g.processors);
}
// The start of each task if every message takes the latency and the time of its bytes alone.
std::vector<std::int64_t> starts_alone(wf::workflow_schedule s, std::int64_t bytes_per_tick,
                                       std::int64_t latency) {
  wf::task_graph& g = s.tasks.graph;
  for (std::size_t k = 0; k < g.edges.size(); ++k)
    g.edges[k].delay = latency + (bytes_per_tick == 0 ? 0 : s.tasks.bytes[k] / bytes_per_tick);
  if (g.processors == 0) {
    // The same with a processor for each task, which has delays.
    g.processors = static_cast<std::uint32_t>(g.tasks.size());
    g.durations_on.clear();
  }
  const auto t = wf::simulate(g, s.times);
  REQUIRE(t);
  std::vector<std::int64_t> out(g.tasks.size());
  for (const wf::trace_event& e : t->events)
    if (e.kind == wf::trace_kind::execute) out[e.op] = e.begin;
  return out;
}

}  // namespace

TEST_CASE("on links without limits a schedule runs as with these latencies as delays") {
  wf_test::task_dice dice(91);
  int moved = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    wf::workflow_schedule s = random_schedule(dice);
    for (std::int64_t& b : s.tasks.bytes) b = 0;
    const std::int64_t latency = 2 * dice(0, 5);
    const auto p =
        wf::program_of(s, star(processors_of(s) + static_cast<std::uint32_t>(i % 2), 1, latency));
    REQUIRE(p);
    const auto t = wf::simulate(p->program);
    REQUIRE(t);
    const std::vector<std::int64_t> expected = starts_alone(s, 0, latency);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(t->times[k].start == expected[k]);
    moved += p->program.activities.size() > expected.size() ? 1 : 0;
  }
  CHECK(moved > 200);
}

TEST_CASE("messages that share links are never faster than alone, and often slower") {
  wf_test::task_dice dice(92);
  int slower = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    const wf::workflow_schedule s = random_schedule(dice);
    const std::int64_t latency = 2 * dice(0, 5), bytes_per_tick = dice(1, 9);
    const auto p =
        wf::program_of(s, star(processors_of(s), static_cast<double>(bytes_per_tick), latency));
    REQUIRE(p);
    const auto t = wf::simulate(p->program);
    REQUIRE(t);
    const std::vector<std::int64_t> alone = starts_alone(s, bytes_per_tick, latency);
    bool is_slower = false;
    for (std::size_t k = 0; k < alone.size(); ++k) {
      CHECK(t->times[k].start >= alone[k]);
      is_slower = is_slower || t->times[k].start > alone[k] + 2 * static_cast<int>(alone.size());
    }
    slower += is_slower ? 1 : 0;
  }
  CHECK(slower > 50);
}

TEST_CASE("every edge between two hosts is a message of its bytes, over the route between them") {
  wf_test::task_dice dice(93);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::workflow_schedule s = random_schedule(dice);
    const wf::task_graph& g = s.tasks.graph;
    const wf::sim_cluster c = star(processors_of(s), 1, 2);
    const auto p = wf::program_of(s, c);
    REQUIRE(p);
    REQUIRE(p->labels.size() == p->program.activities.size());
    std::size_t next = g.tasks.size();
    for (std::size_t k = 0; k < g.edges.size(); ++k) {
      const wf::task_edge& e = g.edges[k];
      const std::uint32_t from = s.times.tasks[e.from].processor;
      const std::uint32_t to = s.times.tasks[e.to].processor;
      if (from == to) continue;
      REQUIRE(next < p->program.activities.size());
      const wf::sim_activity& a = p->program.activities[next];
      CHECK(a.kind == wf::sim_resource::route);
      CHECK(a.resource == c.route(from, to));
      CHECK(a.work == s.tasks.bytes[k]);
      CHECK(p->labels[next] ==
            (wf::text(g.tasks[e.from].label) << " to " << g.tasks[e.to].label.view()));
      ++next;
    }
    CHECK(next == p->program.activities.size());
  }
}

TEST_CASE("a schedule that does not fit is an error") {
  wf::workflow_schedule s = fork();
  CHECK(wf::program_of(s, star(2, 1, 2)).error().code == wf::errc::invalid_problem);
  s.tasks.bytes.pop_back();
  CHECK(wf::program_of(s, star(3, 1, 2)).error().code == wf::errc::invalid_problem);
  s = fork();
  s.times.tasks.pop_back();
  CHECK(wf::program_of(s, star(3, 1, 2)).error().code == wf::errc::invalid_problem);
}
