// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/deadline_tests.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>

#include "../task_graphs.hpp"

namespace {

// True if the empty schedule of a graph passes the bounds and tests for a deadline.
bool passes(const wf::task_graph& g, std::int32_t deadline) {
  const wf::prepared_tasks w = wf::prepare(g);
  const wf::detail::delay_facts<std::int32_t> f(w, wf::tail_bounds(w), g.processors == 0, false);
  const wf::detail::partial_schedule<std::int32_t> s(f);
  wf::detail::start_bounds<std::int32_t> b(f);
  wf::detail::deadline_tests<std::int32_t> tests(f);
  return b.find(f, s, deadline) && tests.pass(f, s, b);
}

}  // namespace

TEST_CASE("work that no subset of tasks brings below the deadline is found") {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {4, 4, 4, 2}) g.add("t", time);
  CHECK(passes(g, 8));
  CHECK_FALSE(passes(g, 7));  // 14 units of work, but a processor has room for 6 of 7
}

TEST_CASE("tasks without time for the delay between them share a processor") {
  wf::task_graph g;
  g.processors = 3;
  for (const std::int64_t time : {3, 3, 3}) g.add("t", time);
  g.connect(0, 1, 50);
  g.connect(0, 2, 50);
  CHECK(passes(g, 9));
  CHECK_FALSE(passes(g, 8));
}

TEST_CASE("resources hold the energy of all tasks") {
  wf::task_graph g;
  g.processors = 3;
  for (std::uint32_t t = 0; t < 3; ++t) g.add("t", 4);
  g.resources.push_back({"r", 3});
  for (std::uint32_t t = 0; t < 3; ++t) g.demands.push_back({t, 0, 2});
  CHECK(passes(g, 8));
  CHECK_FALSE(passes(g, 7));
}

TEST_CASE("no test excludes a deadline that a schedule meets") {
  wf_test::task_dice dice(42);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 5,
                                         .processors = static_cast<std::uint32_t>(dice(0, 3)),
                                         .density = static_cast<int>(dice(0, 80)),
                                         .largest_delay = dice(0, 20),
                                         .resources = static_cast<std::uint32_t>(dice(0, 2))});
    CHECK(passes(g, static_cast<std::int32_t>(wf_test::every_schedule(g).least())));
  }
}
