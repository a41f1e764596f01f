// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/diagnosis/result.hpp>
#include <wf/map/schedule/deadline_search.hpp>
#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/resource_schedule.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>

namespace wf {

/// Searches for the shortest schedule of a task graph of any kind: with delays between processors,
/// times for each processor, renewable resources, or all of them; at run time and in constant
/// evaluation. Anytime: list schedules come first; the callback sees every better schedule and
/// bound and may stop the search, which then returns the best schedule so far and the proven bound.
/// Deterministic. Errors: those of `validate`. Graphs of more than 4000 tasks with delays get a
/// list schedule and a bound only. docs/explanation/scheduling.md describes the search.
template <class Callback = keep_going, class Executor = in_turn>
  requires progress_callback<std::remove_reference_t<Callback>>
constexpr result<task_schedule> schedule_tasks(const task_graph& g,
                                               const schedule_options& options = {},
                                               Callback&& callback = {}, Executor&& executor = {}) {
  if (detail::is_project(g)) {
    result<resource_schedule> out = schedule_resources(g, options, callback, executor);
    if (!out) return out.error();
    return std::move(out->schedule);
  }
  result<task_schedule> best = hlfet(g);
  if (!best) return best;
  if (result<task_schedule> other = heft(g); other && other->makespan < best->makespan) {
    best->tasks.swap(other->tasks);
    best->makespan = other->makespan;
  }
  detail::search_by_deadlines(g, options, callback, executor, *best);
  return best;
}

}  // namespace wf
