// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <wf/map/schedule/task_graph.hpp>

namespace mapping_benchmark {

/// Verifies a schedule of a valid task graph against the definition of the problem alone; returns
/// the first fault, or "". Checks that every task has a processor and its duration, that every edge
/// and its delay between processors is respected, that no processor runs two tasks at once, that no
/// resource is used beyond its capacity, and that the makespan is that of the tasks and not below
/// the bound. O(tasks log tasks + edges + resources · tasks²).
inline std::string fault_of(const wf::task_graph& g, const wf::task_schedule& s) {
  const auto name = [&](std::size_t t) { return "task " + std::to_string(t); };
  const std::size_t count = g.tasks.size();
  if (s.tasks.size() != count) return "there are " + std::to_string(s.tasks.size()) + " placements";
  std::int64_t last = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const wf::task_placement& at = s.tasks[t];
    if (g.processors == 0 ? at.processor != t : at.processor >= g.processors)
      return name(t) + " has no processor";
    if (at.start < 0) return name(t) + " starts before time 0";
    const std::int64_t time = g.durations_on.empty()
                                  ? g.tasks[t].duration
                                  : g.durations_on[t * g.processors + at.processor];
    if (at.finish - at.start != time) return name(t) + " does not take its time";
    last = std::max(last, at.finish);
  }
  if (s.makespan != last) return "the makespan is " + std::to_string(last);
  if (s.bound > s.makespan) return "the bound is above the makespan";
  if (s.proven() && s.bound != s.makespan) return "proven, but bound and makespan do not meet";

  for (const wf::task_edge& e : g.edges) {
    const wf::task_placement &from = s.tasks[e.from], &to = s.tasks[e.to];
    const bool waits = g.processors != 0 && from.processor != to.processor;
    if (to.start < from.finish + (waits ? e.delay : 0))
      return name(e.to) + " starts before the data of " + name(e.from) + " are there";
  }

  // Each processor's tasks in order of time; a task of duration 0 may lie between others.
  std::vector<std::pair<wf::task_placement, std::size_t>> order;
  for (std::size_t t = 0; t < count; ++t) order.emplace_back(s.tasks[t], t);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    if (a.first.processor != b.first.processor) return a.first.processor < b.first.processor;
    if (a.first.start != b.first.start) return a.first.start < b.first.start;
    return a.first.finish < b.first.finish;
  });
  for (std::size_t i = 1; i < count; ++i)
    if (order[i].first.processor == order[i - 1].first.processor &&
        order[i].first.start < order[i - 1].first.finish)
      return name(order[i].second) + " starts while " + name(order[i - 1].second) + " runs";

  for (std::size_t r = 0; r < g.resources.size(); ++r) {
    std::vector<std::int64_t> amount(count);
    for (const wf::resource_demand& d : g.demands)
      if (d.resource == r) amount[d.task] += d.amount;
    // The use is greatest at the start of some task.
    for (std::size_t t = 0; t < count; ++t) {
      std::int64_t used = 0;
      for (std::size_t u = 0; u < count; ++u)
        if (s.tasks[u].start <= s.tasks[t].start && s.tasks[t].start < s.tasks[u].finish)
          used += amount[u];
      if (used > g.resources[r].capacity)
        return "resource " + std::to_string(r) + " is used beyond its capacity when " + name(t) +
               " starts";
    }
  }
  return {};
}

}  // namespace mapping_benchmark
