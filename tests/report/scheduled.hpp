// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/schedule/task_graph.hpp>
#include <wf/simulate/program/schedule.hpp>

namespace samples {

// Four tasks on two processors with delays and a resource, and a name that needs escaping.
inline wf::task_graph schedule_problem() {
  wf::task_graph g;
  g.name = wf::text("four");
  g.processors = 2;
  g.add("first", 30);
  g.add("second <&>", 50);
  g.add("third", 20);
  g.add("last", 40);
  g.connect(0, 1, 10);
  g.connect(0, 2, 10);
  g.connect(1, 3, 10);
  g.connect(2, 3, 10);
  g.resources.push_back({wf::text("memory"), 5});
  for (std::uint32_t t = 0; t < 3; ++t) g.demands.push_back({t, 0, 1 + t});
  g.demands[1].amount = 3;
  g.demands[2].amount = 2;
  return g;
}
// A schedule of these tasks, fixed by hand: `third` waits only for its predecessor.
inline wf::task_schedule schedule_times() {
  wf::task_schedule s;
  s.tasks = {{0, 0, 30}, {1, 40, 90}, {0, 40, 60}, {0, 100, 140}};
  s.makespan = 140;
  s.bound = 120;
  return s;
}
inline wf::execution_trace schedule_trace() {
  return wf::trace_of(schedule_problem(), schedule_times());
}

}  // namespace samples
