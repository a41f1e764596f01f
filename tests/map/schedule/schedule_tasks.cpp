// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/schedule_tasks.hpp>

#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <mapping/check_schedule.hpp>

#include "../task_graphs.hpp"

namespace {

using mapping_benchmark::fault_of;
using wf_test::random_tasks;
using wf_test::task_dice;

// Two chains between a fork and a join: on two processors the delays count, on one the work of
// both.
constexpr wf::task_graph two_chains(std::int64_t delay) {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {2, 3, 4, 1}) g.add("t", time);
  g.connect(0, 1, delay);
  g.connect(0, 2, delay);
  g.connect(1, 3, delay);
  g.connect(2, 3, delay);
  return g;
}
static_assert(wf::schedule_tasks(two_chains(0))->makespan == 7);
static_assert(wf::schedule_tasks(two_chains(1))->makespan == 8);
static_assert(wf::schedule_tasks(two_chains(9))->makespan == 10);
static_assert(wf::schedule_tasks(two_chains(9))->proven());

std::int64_t solved(const wf::task_graph& g) {
  const wf::result<wf::task_schedule> s = wf::schedule_tasks(g);
  REQUIRE(s);
  CHECK(fault_of(g, *s) == "");
  CHECK(s->proven());
  return s->makespan;
}

void check_against_all(unsigned seed, int cases, random_tasks how) {
  CAPTURE(seed);
  task_dice dice(seed);
  for (int i = 0; i < cases; ++i) {
    CAPTURE(i);
    how.density = static_cast<int>(dice(0, 90));
    how.largest_delay = dice(0, 2) == 0 ? 0 : dice(1, 20);
    how.longest = dice(1, 9);
    const wf::task_graph g = dice.graph(how);
    CHECK(solved(g) == wf_test::every_schedule(g).least());
  }
}

}  // namespace

TEST_CASE("the optima of random small graphs are those of all schedules") {
  check_against_all(1, 400, {.tasks = 5, .processors = 2});
  check_against_all(2, 200, {.tasks = 5, .processors = 3});
  check_against_all(3, 30, {.tasks = 6, .processors = 2});
  check_against_all(4, 100, {.tasks = 4, .processors = 1});
}

TEST_CASE("processors that differ, resources, and both at once") {
  check_against_all(5, 300, {.tasks = 5, .processors = 2, .heterogeneous = true});
  check_against_all(6, 60, {.tasks = 4, .processors = 3, .heterogeneous = true});
  check_against_all(7, 100, {.tasks = 4, .processors = 2, .resources = 2});
  check_against_all(8, 60, {.tasks = 4, .processors = 3, .heterogeneous = true, .resources = 1});
  check_against_all(9, 100, {.tasks = 5, .processors = 0, .resources = 2});
}

TEST_CASE("neither the order of the tasks nor one more processor makes it worse") {
  task_dice dice(10);
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    wf::task_graph g = dice.graph({.tasks = 7,
                                   .processors = 2,
                                   .density = static_cast<int>(dice(10, 60)),
                                   .largest_delay = dice(0, 15)});
    const std::int64_t makespan = solved(g);
    std::vector<std::uint32_t> place(g.tasks.size());
    for (std::uint32_t t = 0; t < place.size(); ++t) place[t] = t;
    dice.shuffle(place);
    CHECK(solved(wf_test::renumbered(g, place)) == makespan);
    ++g.processors;
    CHECK(solved(g) <= makespan);
  }
}

TEST_CASE("the callback sees a schedule at once and may stop") {
  const wf::task_graph g = task_dice(11).graph({.tasks = 14, .processors = 3, .density = 20});
  std::int64_t seen = wf::unbounded;
  const auto s = wf::schedule_tasks(g, {}, [&](const wf::search_progress& p) {
    seen = p.incumbent;
    return false;
  });
  REQUIRE(s);
  CHECK(fault_of(g, *s) == "");
  CHECK((s->proven() || s->status == wf::search_status::stopped_by_caller));
  CHECK(s->bound <= s->makespan);
  if (!s->proven()) CHECK(seen == s->makespan);

  wf::schedule_options few;
  few.limits.max_nodes = 1;
  const auto limited = wf::schedule_tasks(g, few);
  REQUIRE(limited);
  CHECK(fault_of(g, *limited) == "");
}

TEST_CASE("stopped at once it answers with the better list schedule, whichever that is") {
  task_dice dice(20261124);
  int first = 0, second = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const int density = static_cast<int>(dice(5, 60));
    const wf::task_graph g = dice.graph(
        {.tasks = 16, .processors = 3, .density = density, .largest_delay = dice(0, 15)});
    const auto by_level = wf::hlfet(g), by_finish = wf::heft(g);
    REQUIRE(by_level);
    REQUIRE(by_finish);
    first += by_level->makespan < by_finish->makespan ? 1 : 0;
    second += by_finish->makespan < by_level->makespan ? 1 : 0;
    const auto s = wf::schedule_tasks(g, {}, [](const wf::search_progress&) { return false; });
    REQUIRE(s);
    CHECK(fault_of(g, *s) == "");
    CHECK(s->makespan <= std::min(by_level->makespan, by_finish->makespan));
  }
  CHECK(first > 0);
  CHECK(second > 0);
}

TEST_CASE("an invalid graph is refused") {
  wf::task_graph g = two_chains(1);
  g.connect(3, 0);
  const auto s = wf::schedule_tasks(g);
  REQUIRE_FALSE(s);
  CHECK(s.error().code == wf::errc::invalid_problem);
}
