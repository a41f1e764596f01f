// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include <wf/core/result.hpp>
#include <wf/map/delay_search.hpp>
#include <wf/map/list_schedule.hpp>
#include <wf/map/prepared_tasks.hpp>
#include <wf/map/resource_schedule.hpp>
#include <wf/map/task_graph.hpp>
#include <wf/search/control.hpp>
#include <wf/search/executor.hpp>

namespace wf {

/// The shortest schedule of a task graph, in both tiers: with delays between processors, times for
/// each processor, renewable resources, or all of them. Anytime: list schedules come first, and
/// the callback sees every better one and the bound, and may stop the search; the answer then holds
/// the best schedule so far and what is proven. Deterministic. Errors: those of `validate`.
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
  if (result<task_schedule> other = heft(g); other && other->makespan < best->makespan)
    best->tasks.swap(other->tasks), best->makespan = other->makespan;

  const prepared_tasks w = prepare(g);
  std::int64_t work = 0;
  table<std::int64_t> finish(w.size());
  for (std::uint32_t t = 0; t < w.size(); ++t) {
    for (const task_neighbour& e : w.earlier_than(t))
      if (finish[e.task] > finish[t]) finish[t] = finish[e.task];
    finish[t] += w.durations[t];
    work += w.durations[t];
    if (finish[t] > best->bound) best->bound = finish[t];
  }
  if (const std::int64_t mean = (work + w.processors - 1) / w.processors; mean > best->bound)
    best->bound = mean;

  detail::delay_search<std::remove_reference_t<Callback>> search(
      w, g.processors == 0, options.limits, best->makespan, best->bound, callback);
  const bool ended = search.run();
  if (search.found()) {
    task_schedule better = detail::schedule_of(w, g, search.best());
    better.bound = best->bound;
    *best = std::move(better);
  }
  best->counters = search.counters();
  if (ended) best->bound = best->makespan;
  best->status = ended ? search_status::proven : search.why_stopped();
  return best;
}

}  // namespace wf
