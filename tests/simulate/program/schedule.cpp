// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/program/schedule.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/schedule_tasks.hpp>

#include <mapping/check_schedule.hpp>

#include "../../map/task_graphs.hpp"

namespace {

constexpr wf::task_graph fork() {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {2, 4, 4}) g.add("t", time);
  g.connect(0, 1, 1);
  g.connect(0, 2, 1);
  return g;
}
constexpr std::int64_t replayed() {
  const wf::task_graph g = fork();
  const auto s = wf::schedule_tasks(g);
  const auto t = wf::simulate(g, *s);
  return t && t->makespan == s->makespan ? t->makespan : -1;
}
static_assert(replayed() == 7);

wf::task_graph random_graph(wf_test::task_dice& dice, std::uint32_t tasks) {
  return dice.graph({.tasks = tasks,
                     .processors = static_cast<std::uint32_t>(dice(0, 3)),
                     .density = static_cast<int>(dice(0, 60)),
                     .longest = dice(1, 9),
                     .largest_delay = dice(0, 9),
                     .resources = static_cast<std::uint32_t>(dice(0, 2))});
}
// The schedule in a trace, with the processors of another schedule.
wf::task_schedule shown(const wf::execution_trace& t, const wf::task_schedule& s) {
  wf::task_schedule out = s;
  out.makespan = t.makespan;
  out.bound = 0;
  out.status = wf::search_status::stopped_by_limit;
  for (const wf::trace_event& e : t.events)
    if (e.kind == wf::trace_kind::execute) {
      CHECK(e.where.column == static_cast<std::int32_t>(s.tasks[e.op].processor));
      out.tasks[e.op].start = e.begin;
      out.tasks[e.op].finish = e.end;
    }
  return out;
}

}  // namespace

TEST_CASE("a replay has the makespan of an optimal schedule, and obeys every rule") {
  wf_test::task_dice dice(51);
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const wf::task_graph g = random_graph(dice, 6);
    const auto s = wf::schedule_tasks(g);
    REQUIRE(s);
    REQUIRE(s->proven());
    const auto t = wf::simulate(g, *s);
    REQUIRE(t);
    CHECK(t->makespan == s->makespan);
    CHECK(mapping_benchmark::fault_of(g, shown(*t, *s)) == "");
  }
}

TEST_CASE("no task of a replay starts later than in a schedule, however bad it is") {
  wf_test::task_dice dice(52);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = random_graph(dice, 20);
    auto s = wf::hlfet(g);
    REQUIRE(s);
    for (wf::task_placement& p : s->tasks) p = {p.processor, 3 * p.start, 3 * p.start};
    for (std::uint32_t t = 0; t < g.tasks.size(); ++t)
      s->tasks[t].finish += g.duration(t, g.processors == 0 ? 0 : s->tasks[t].processor);
    s->makespan = 0;
    for (const wf::task_placement& p : s->tasks) s->makespan = std::max(s->makespan, p.finish);
    if (!mapping_benchmark::fault_of(g, *s).empty()) continue;  // gaps shorter than a delay
    const auto t = wf::simulate(g, *s);
    REQUIRE(t);
    const wf::task_schedule again = shown(*t, *s);
    CHECK(mapping_benchmark::fault_of(g, again) == "");
    for (std::uint32_t k = 0; k < g.tasks.size(); ++k)
      CHECK(again.tasks[k].start <= s->tasks[k].start);
  }
}

TEST_CASE("the trace of a schedule has its tasks and what moves") {
  const wf::task_graph g = fork();
  const auto s = wf::schedule_tasks(g);
  REQUIRE(s);
  const wf::execution_trace t = wf::trace_of(g, *s);
  CHECK(t.makespan == 7);
  REQUIRE(t.events.size() == 4);
  std::int64_t moved = 0;
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    if (i > 0) CHECK(t.events[i - 1].end <= t.events[i].end);
    if (t.events[i].kind != wf::trace_kind::transfer) continue;
    ++moved;
    CHECK(t.events[i].begin == 2);
    CHECK(t.events[i].end == 3);
    CHECK(t.events[i].where != t.events[i].destination);
  }
  CHECK(moved == 1);
}

TEST_CASE("what is no schedule of the graph is an error") {
  wf::task_graph g = fork();
  const auto good = wf::schedule_tasks(g);
  REQUIRE(good);
  const auto fault = [&](const wf::task_schedule& s) {
    const auto t = wf::simulate(g, s);
    return t ? wf::errc::none : t.error().code;
  };
  CHECK(fault({}) == wf::errc::invalid_problem);
  wf::task_schedule s = *good;
  s.tasks[1].processor = 2;
  CHECK(fault(s) == wf::errc::invalid_problem);
  s = *good;
  ++s.tasks[1].finish;
  CHECK(fault(s) == wf::errc::invalid_problem);
  s = *good;
  for (wf::task_placement& p : s.tasks) p.processor = 0;
  s.tasks[0] = {0, 10, 12};  // after its readers
  CHECK(fault(s) == wf::errc::simulation_failed);
  g.resources.push_back({wf::text("r"), 3});
  g.demands.push_back({1, 0, 2});
  g.demands.push_back({2, 0, 2});
  CHECK(fault(*good) == wf::errc::invalid_problem);  // together they exceed the capacity
}
