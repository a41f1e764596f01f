// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/list_schedule.hpp>

#include <doctest/doctest.h>

#include <mapping/check_schedule.hpp>

#include "../task_graphs.hpp"

using mapping_benchmark::fault_of;

namespace {

// The example of Topcuoglu, Hariri and Wu 2002, figure 2: HEFT's schedule has length 80.
constexpr wf::task_graph published_example() {
  wf::task_graph g;
  g.processors = 3;
  for (int t = 0; t < 10; ++t) g.add("n", 0);
  for (const std::int64_t time : {14, 16, 9, 13, 19, 18, 11, 13, 19, 13, 8,  17, 12, 13, 10,
                                  13, 16, 9, 7,  15, 11, 5,  11, 14, 18, 12, 20, 21, 7,  16})
    g.durations_on.push_back(time);
  struct edge {
    std::uint32_t from, to;
    std::int64_t delay;
  };
  for (const edge e : {edge{1, 2, 18},
                       {1, 3, 12},
                       {1, 4, 9},
                       {1, 5, 11},
                       {1, 6, 14},
                       {2, 8, 19},
                       {2, 9, 16},
                       {3, 7, 23},
                       {4, 8, 27},
                       {4, 9, 23},
                       {5, 9, 13},
                       {6, 8, 15},
                       {7, 10, 17},
                       {8, 10, 11},
                       {9, 10, 13}})
    g.connect(e.from - 1, e.to - 1, e.delay);
  return g;
}
static_assert(wf::heft(published_example())->makespan == 80);

}  // namespace

TEST_CASE("list schedules are schedules") {
  wf_test::task_dice dice(41);
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    const wf::task_graph g =
        dice.graph({.tasks = static_cast<std::uint32_t>(dice(1, 12)),
                    .processors = static_cast<std::uint32_t>(dice(i % 3 == 0 ? 1 : 0, 4)),
                    .density = static_cast<int>(dice(0, 60)),
                    .largest_delay = dice(0, 30),
                    .heterogeneous = i % 3 == 0,
                    .resources = static_cast<std::uint32_t>(dice(0, 2))});
    for (const auto& s : {wf::hlfet(g), wf::heft(g)}) {
      REQUIRE(s);
      CHECK(fault_of(g, *s) == "");
      CHECK(s->bound == 0);
      CHECK(!s->proven());
    }
  }
}

TEST_CASE("without delays, highest levels first follows the longest path") {
  wf::task_graph g;
  g.processors = 2;
  const auto a = g.add("a", 1), b = g.add("b", 1), c = g.add("c", 4), d = g.add("d", 4);
  g.connect(b, c);
  (void)d;
  const auto s = wf::hlfet(g);
  REQUIRE(s);
  CHECK(s->tasks[b].start == 0);
  CHECK(s->tasks[a].start == 4);
  CHECK(s->makespan == 5);
}

TEST_CASE("a task is inserted between others where it fits") {
  wf::task_graph g;
  g.processors = 1;
  const auto a = g.add("a", 2), b = g.add("b", 3);
  g.resources.push_back({wf::text("r"), 1});
  g.demands.push_back({a, 0, 1});
  g.demands.push_back({b, 0, 1});
  g.processors = 0;
  CHECK(wf::heft(g)->makespan == 5);
  g.resources[0].capacity = 2;
  CHECK(wf::heft(g)->makespan == 3);
}
