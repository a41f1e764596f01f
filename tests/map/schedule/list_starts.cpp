// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/list_starts.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/map/schedule/resource_schedule.hpp>

#include <mapping/check_schedule.hpp>

#include "../task_graphs.hpp"

namespace {

using wf::detail::project;
using starts = wf::table<std::int64_t>;

constexpr wf::task_graph chains() {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {1, 1, 3, 3}) g.add("t", time);
  g.connect(0, 3);
  return g;
}
constexpr project two() { return wf::detail::project_of(wf::prepare(chains()), true, true); }
static_assert(wf::detail::list_starts(two(), {4, 2, 3, 1}) == starts{0, 1, 0, 2});
static_assert(wf::detail::makespan_of(two(), {0, 1, 0, 2}) == 5);
static_assert(wf::detail::starts_of_order(two(), {0, 2, 3, 1}) == starts{0, 3, 0, 1});

}  // namespace

TEST_CASE("list schedules, their reverse and their justification are schedules") {
  wf_test::task_dice dice(1);
  int better = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 15,
                                         .processors = static_cast<std::uint32_t>(dice(0, 3)),
                                         .density = 15,
                                         .largest_delay = 0,
                                         .resources = 2});
    const wf::prepared_tasks w = wf::prepare(g);
    const project p = wf::detail::project_of(w, g.processors != 0, true);
    const project reversed = wf::detail::project_of(wf::prepare(g, true), g.processors != 0, true);
    const auto fault = [&](const starts& s) -> std::string {
      wf::task_schedule out;
      out.tasks.resize(p.size);
      out.makespan = wf::detail::makespan_of(p, s);
      for (std::uint32_t t = 0; t < p.size; ++t)
        out.tasks[w.original[t]] = {w.original[t], s[t], s[t] + p.durations[t]};
      if (g.processors != 0) wf::detail::assign_processors(g, out);
      return mapping_benchmark::fault_of(g, out);
    };
    starts priority;
    for (std::uint32_t t = 0; t < p.size; ++t) priority.push_back(dice(0, 9));
    const starts s = wf::detail::list_starts(p, priority);
    CHECK(fault(s) == "");
    const starts back = wf::detail::turned(reversed, wf::detail::list_starts(reversed, priority));
    CHECK(fault(back) == "");
    const starts justified = wf::detail::justified(p, reversed, s);
    CHECK(fault(justified) == "");
    CHECK(wf::detail::makespan_of(p, justified) <= wf::detail::makespan_of(p, s));
    better += wf::detail::makespan_of(p, justified) < wf::detail::makespan_of(p, s);
  }
  CHECK(better > 50);
}
