// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/resource_schedule.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/search/threads.hpp>

#include <mapping/check_certificate.hpp>
#include <mapping/check_schedule.hpp>

#include "../../sanitized.hpp"
#include "../task_graphs.hpp"

namespace {

using mapping_benchmark::fault_of;
using wf_test::random_tasks;
using wf_test::task_dice;

// A graph in which each task has at most a given number of predecessors among the fifty before it.
wf::task_graph sparse(task_dice& dice, std::uint32_t tasks, std::uint32_t processors,
                      std::uint32_t most_before) {
  wf::task_graph g;
  g.processors = processors;
  for (std::uint32_t t = 0; t < tasks; ++t) {
    g.add(wf::text("t") << t, dice(1, 100));
    std::vector<bool> waits(t, false);
    for (std::int64_t k = t == 0 ? 0 : dice(0, most_before); k > 0; --k)
      waits[static_cast<std::size_t>(dice(t < 50 ? 0 : t - 50, t - 1))] = true;
    for (std::uint32_t before = 0; before < t; ++before)
      if (waits[before]) g.connect(before, t);
  }
  return g;
}

// Independent tasks on two processors for which longest-first is not optimal.
constexpr wf::task_graph parts(std::uint32_t processors) {
  wf::task_graph g;
  g.processors = processors;
  for (const std::int64_t time : {3, 3, 2, 2, 2}) g.add("t", time);
  return g;
}
static_assert(wf::schedule_resources(parts(2))->schedule.makespan == 6);
static_assert(wf::schedule_resources(parts(2))->schedule.proven());
static_assert(wf::schedule_resources(parts(1))->schedule.makespan == 12);
static_assert(wf::schedule_resources(parts(5))->schedule.makespan == 3);

// Two tasks that exclude each other by a resource, one of which must be delayed deliberately.
constexpr wf::task_graph crane() {
  wf::task_graph g;
  const auto a = g.add("a", 2), b = g.add("b", 4), c = g.add("c", 1), d = g.add("d", 6);
  g.connect(a, d);
  g.connect(c, b);
  g.resources.push_back({wf::text("crane"), 2});
  for (const auto t : {a, b}) g.demands.push_back({t, 0, 1});
  g.demands.push_back({d, 0, 2});
  return g;
}
static_assert(wf::schedule_resources(crane())->schedule.makespan == 11);
static_assert(wf::schedule_resources(crane())->schedule.proven());

// List schedules miss the optimum and the bounds do not prove it.
constexpr wf::task_graph searched() {
  wf::task_graph g;
  for (const std::int64_t time : {4, 1, 3, 4, 2}) g.add("t", time);
  g.connect(0, 2);
  g.connect(1, 3);
  g.resources.push_back({wf::text("r"), 5});
  const std::int64_t amounts[] = {1, 5, 2, 2, 5};
  for (std::uint32_t t = 0; t < 5; ++t) g.demands.push_back({t, 0, amounts[t]});
  return g;
}
constexpr bool is_searched() {
  const auto s = wf::schedule_resources(searched());
  return s->schedule.proven() && s->schedule.makespan == 10 && s->schedule.counters.nodes > 10 &&
         s->certificate.reason == wf::bound_reason::search;
}
static_assert(is_searched());

wf::resource_schedule solved(const wf::task_graph& g) {
  const auto s = wf::schedule_resources(g);
  REQUIRE(s);
  CHECK(fault_of(g, s->schedule) == "");
  CHECK(fault_of(g, s->certificate) == "");
  CHECK(s->certificate.bound == s->schedule.bound);
  CHECK(s->schedule.proven());
  return *s;
}
std::int64_t makespan(const wf::task_graph& g) { return solved(g).schedule.makespan; }

void check_against_all(unsigned seed, int cases, random_tasks how) {
  CAPTURE(seed);
  task_dice dice(seed);
  how.largest_delay = 0;
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    how.density = static_cast<int>(dice(0, 70));
    how.longest = dice(1, 9);
    const wf::task_graph g = dice.graph(how);
    CHECK(makespan(g) == wf_test::every_schedule(g).least());
  }
}

}  // namespace

TEST_CASE("the optima of random projects are those of all schedules") {
  check_against_all(1, 300, {.tasks = 5, .processors = 0, .resources = 1});
  check_against_all(2, 300, {.tasks = 6, .processors = 0, .resources = 2});
  check_against_all(3, 60, {.tasks = 7, .processors = 0, .resources = 3});
}

TEST_CASE("the optima on alike processors are those of all schedules") {
  check_against_all(4, 100, {.tasks = 5, .processors = 1});
  check_against_all(5, 300, {.tasks = 5, .processors = 2});
  check_against_all(6, 150, {.tasks = 5, .processors = 3});
  check_against_all(7, 40, {.tasks = 5, .processors = 4});
  check_against_all(8, 40, {.tasks = 6, .processors = 2});
  check_against_all(9, 100, {.tasks = 4, .processors = 2, .resources = 2});
}

TEST_CASE("neither the order of the tasks nor more of anything makes it worse") {
  task_dice dice(10);
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    wf::task_graph g = dice.graph({.tasks = 12,
                                   .processors = static_cast<std::uint32_t>(dice(0, 3)),
                                   .density = static_cast<int>(dice(5, 40)),
                                   .largest_delay = 0,
                                   .resources = 2});
    const std::int64_t least = makespan(g);
    std::vector<std::uint32_t> place(g.tasks.size());
    for (std::uint32_t t = 0; t < place.size(); ++t) place[t] = t;
    dice.shuffle(place);
    CHECK(makespan(wf_test::renumbered(g, place)) == least);
    ++g.resources[0].capacity;
    if (g.processors != 0) ++g.processors;
    CHECK(makespan(g) <= least);
  }
}

TEST_CASE("graphs that are too large to search get the better list and a bound that counts work") {
  // On both sides of 4,095 tasks, the largest number for which a search runs.
  for (const std::uint32_t tasks : {4094u, 4095u, 4096u, 5000u, 9000u})
    for (const std::uint32_t processors : {3u, 16u, 64u})
      for (const std::uint32_t most_before : {0u, 1u, 3u}) {
        if (wf_test::sanitized && (tasks > 4096 || processors != 16 || most_before != 3)) continue;
        CAPTURE(tasks);
        CAPTURE(processors);
        CAPTURE(most_before);
        task_dice dice(tasks + processors + most_before);
        const wf::task_graph g = sparse(dice, tasks, processors, most_before);
        wf::schedule_options options;
        options.limits.max_nodes = 1;
        const auto s = wf::schedule_resources(g, options);
        REQUIRE(s);
        CHECK(fault_of(g, s->schedule) == "");
        CHECK(s->schedule.makespan <= wf::heft(g)->makespan);
        CHECK(s->schedule.makespan <= wf::hlfet(g)->makespan);
        std::int64_t work = 0;
        for (const auto& t : g.tasks) work += t.duration;
        CHECK(s->schedule.bound >= (work + processors - 1) / processors);
      }
}

TEST_CASE("threads change nothing") {
  task_dice dice(11);
  wf::threads two(2), four(4);
  for (int i = 0; i < 8; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 22,
                                         .processors = static_cast<std::uint32_t>(2 * (i % 2)),
                                         .density = 8,
                                         .largest_delay = 0,
                                         .resources = 3});
    wf::schedule_options options;
    options.limits.max_nodes = 20'000;
    const auto one = wf::schedule_resources(g, options);
    REQUIRE(one);
    CHECK(fault_of(g, one->schedule) == "");
    CHECK(*one == *wf::schedule_resources(g, options, wf::keep_going{}, two));
    CHECK(*one == *wf::schedule_resources(g, options, wf::keep_going{}, four));
  }
}

TEST_CASE("certificates are refused if anything in them is wrong") {
  task_dice dice(12);
  int windows = 0, intervals = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const wf::task_graph g =
        dice.graph({.tasks = 8, .processors = 2, .density = 30, .longest = 9, .largest_delay = 0});
    const wf::makespan_certificate c = solved(g).certificate;
    wf::makespan_certificate wrong = c;
    ++wrong.tails[static_cast<std::size_t>(dice(0, 7))];
    CHECK(fault_of(g, wrong) != "");
    wrong = c;
    ++wrong.heads[static_cast<std::size_t>(dice(0, 7))];
    CHECK(fault_of(g, wrong) != "");
    wrong = c;
    wrong.bound += 1 + c.bound;
    if (c.reason != wf::bound_reason::search) CHECK(fault_of(g, wrong) != "");
    windows += c.reason == wf::bound_reason::window;
    intervals += c.reason == wf::bound_reason::interval;
  }
  CHECK(windows > 100);
  CHECK(intervals > 0);
}

TEST_CASE("the callback sees a schedule at once and may stop") {
  const wf::task_graph g = task_dice(13).graph(
      {.tasks = 30, .processors = 0, .density = 5, .largest_delay = 0, .resources = 3});
  std::int64_t seen = wf::unbounded;
  const auto stopped = wf::schedule_resources(g, {}, [&](const wf::search_progress& p) {
    seen = p.incumbent;
    return false;
  });
  REQUIRE(stopped);
  CHECK(fault_of(g, stopped->schedule) == "");
  CHECK(fault_of(g, stopped->certificate) == "");
  CHECK(stopped->schedule.status == wf::search_status::stopped_by_caller);
  CHECK(seen == stopped->schedule.makespan);

  wf::schedule_options little;
  little.limits.max_nodes = 1000;
  const auto limited = wf::schedule_resources(g, little);
  REQUIRE(limited);
  CHECK(fault_of(g, limited->schedule) == "");
  CHECK(limited->schedule.status == wf::search_status::stopped_by_limit);
  CHECK(limited->schedule.bound <= makespan(g));
}

TEST_CASE("little memory costs time, not the proof") {
  task_dice dice(14);
  wf::schedule_options little;
  little.memory = 10'000;
  for (int i = 0; i < 20; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 12,
                                         .processors = static_cast<std::uint32_t>(2 * (i % 2)),
                                         .density = 8,
                                         .largest_delay = 0,
                                         .resources = 2});
    const auto s = wf::schedule_resources(g, little);
    REQUIRE(s);
    CHECK(fault_of(g, s->schedule) == "");
    CHECK(s->schedule.proven());
    CHECK(s->schedule.makespan == makespan(g));
  }
}

TEST_CASE("large amounts and large times do not overflow") {
  wf::task_graph g;
  const std::int64_t much = INT64_MAX - 1, longest = wf::max_task_time / 8;
  for (int i = 0; i < 6; ++i) g.add("t", longest - i);
  g.resources.push_back({wf::text("r"), much});
  for (std::uint32_t t = 0; t < 6; ++t) g.demands.push_back({t, 0, much / 3});
  CHECK(makespan(g) == 2 * longest - 5);
  g.resources[0].capacity = 0;
  for (wf::resource_demand& d : g.demands) d.amount = 0;
  CHECK(makespan(g) == longest);
}

TEST_CASE("the unit of time does not matter") {
  task_dice dice(15);
  for (int i = 0; i < 30; ++i) {
    CAPTURE(i);
    wf::task_graph g = dice.graph({.tasks = 9,
                                   .processors = static_cast<std::uint32_t>(2 * (i % 2)),
                                   .density = 10,
                                   .largest_delay = 0,
                                   .resources = 2});
    const std::int64_t least = makespan(g), unit = std::int64_t{1} << 40;
    for (wf::graph_task& t : g.tasks) t.duration *= unit;
    CHECK(makespan(g) == least * unit);
  }
}

TEST_CASE("a graph with delays or with times for each processor is refused") {
  wf::task_graph g = parts(2);
  g.connect(0, 1, 3);
  CHECK(wf::schedule_resources(g).error().code == wf::errc::invalid_problem);
  g.processors = 1;
  CHECK(makespan(g) == 12);
  g.edges.clear();
  g.durations_on = {1, 2, 3, 4, 5};
  CHECK(wf::schedule_resources(g).error().code == wf::errc::invalid_problem);
  g.durations_on.clear();
  g.resources.push_back({wf::text("r"), 1});
  g.demands.push_back({0, 0, 2});
  CHECK(wf::schedule_resources(g).error().code == wf::errc::mapping_infeasible);
}

TEST_CASE("more tasks than a search takes get a list schedule and a bound") {
  wf::task_graph g;
  g.processors = 3;
  for (int i = 0; i < 5000; ++i) g.add("t", 1 + i % 7);
  for (std::uint32_t i = 0; i + 10 < 5000; ++i) g.connect(i, i + 10);
  const auto s = wf::schedule_resources(g);
  REQUIRE(s);
  CHECK(fault_of(g, s->schedule) == "");
  CHECK(s->schedule.bound > 0);
}
