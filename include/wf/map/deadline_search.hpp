// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/table.hpp>
#include <wf/map/delay_search.hpp>
#include <wf/map/list_schedule.hpp>
#include <wf/map/prepared_tasks.hpp>
#include <wf/map/task_bounds.hpp>
#include <wf/map/task_graph.hpp>
#include <wf/search/control.hpp>
#include <wf/search/depth_first.hpp>
#include <wf/search/seen_states.hpp>

namespace wf::detail {

// A task graph as it is, and with time reversed: in which of the two it is easier cannot be seen
// beforehand.
struct task_direction {
  prepared_tasks tasks;
  table<std::int64_t> tails;
};

// The greatest common divisor of all times and delays; 1 if there is no time.
constexpr std::int64_t unit_of_times(const prepared_tasks& w) {
  std::int64_t unit = 0;
  for (const std::int64_t time : w.durations) unit = greatest_common_divisor(unit, time);
  for (const std::int64_t time : w.durations_on) unit = greatest_common_divisor(unit, time);
  for (const task_neighbour& e : w.later) unit = greatest_common_divisor(unit, e.delay);
  return unit == 0 ? 1 : unit;
}

// Searches for the shortest schedule by proving that there is none of some length or finding one:
// for the least length that is not excluded, and for one half way to the best schedule; in both
// directions of time; with limits that double, since what one search cannot do another can.
// `best` has a schedule, and its bound.
template <class Time, class Callback>
class deadline_search {
 public:
  constexpr deadline_search(const task_graph& g, const task_direction (&directions)[2],
                            const schedule_options& options, Callback& callback,
                            task_schedule& best)
      : graph_(g),
        directions_(directions),
        options_(options),
        limits_(options.limits.resolved()),
        callback_(callback),
        best_(best),
        unit_(unit_of_times(directions[0].tasks)),
        problems_{{directions[0].tasks, directions[0].tails, g.processors == 0, true},
                  {directions[1].tasks, directions[1].tails, g.processors == 0}},
        seen_(options.memory - 2 * delay_problem<Time>::bytes(directions[0].tasks)) {
    best_.bound = (best_.bound + unit_ - 1) / unit_ * unit_;
  }

  constexpr void run() {
    for (std::uint64_t nodes = 512; best_.bound < best_.makespan; nodes *= 2) {
      for (int d = 0; d < 2; ++d)
        if (!raise_bound(d, nodes)) return;
      for (int d = 0; d < 2 && best_.bound + unit_ < best_.makespan; ++d)
        if (is_stopped(probe(d, half_way(), nodes))) return;
    }
    best_.status = search_status::proven;
  }

 private:
  // Excludes lengths from the bound on, in steps that double as long as that is possible. False if
  // the search has to stop.
  constexpr bool raise_bound(int d, std::uint64_t nodes) {
    std::int64_t step = unit_;
    while (best_.bound < best_.makespan) {
      std::int64_t length = best_.bound + step - unit_;
      if (length > half_way()) length = half_way();
      const depth_first_outcome out = probe(d, length, nodes);
      if (is_stopped(out)) return false;
      if (out.status == search_status::infeasible) {
        step *= 2;
      } else if (step == unit_) {
        break;
      } else {
        step = unit_;
      }
    }
    return true;
  }

  constexpr std::int64_t half_way() const {
    return best_.bound + (best_.makespan - best_.bound) / 2 / unit_ * unit_;
  }

  // Looks for a schedule that is no longer than `length`.
  constexpr depth_first_outcome probe(int d, std::int64_t length, std::uint64_t nodes) {
    search_limits limits = limits_;
    const std::uint64_t left = limits_.max_nodes - best_.counters.nodes;
    limits.max_nodes = nodes < left ? nodes : left;
    seen_.clear();
    const auto pass_on = [&](const search_progress& p) {
      return callback_(
          search_progress{best_.makespan, best_.bound, best_.counters.nodes + p.nodes, p.open});
    };
    const depth_first_outcome out =
        depth_first(problems_[d], seen_, limits, {length + 1, best_.bound, length}, pass_on);
    best_.counters.add(out.counters);
    if (out.found) {
      task_schedule better = schedule_of(directions_[d].tasks, graph_, problems_[d].best(), d == 1);
      best_.tasks.swap(better.tasks);
      best_.makespan = better.makespan;
    } else if (out.status == search_status::infeasible) {
      best_.bound = length + unit_;
    }
    return out;
  }

  // True if the caller or a limit of the whole search ends it.
  constexpr bool is_stopped(const depth_first_outcome& out) {
    if (best_.bound >= best_.makespan) return false;
    if (out.status != search_status::stopped_by_caller && best_.counters.nodes < limits_.max_nodes)
      return false;
    best_.status = out.status == search_status::stopped_by_caller ? search_status::stopped_by_caller
                                                                  : search_status::stopped_by_limit;
    return true;
  }

  const task_graph& graph_;
  const task_direction (&directions_)[2];
  schedule_options options_;
  search_limits limits_;
  Callback& callback_;
  task_schedule& best_;
  std::int64_t unit_;  // every makespan is a multiple
  delay_problem<Time> problems_[2];
  seen_states seen_;
};

// The sum of all times and delays.
constexpr std::int64_t sum_of_times(const prepared_tasks& w) {
  std::int64_t sum = 0;
  for (const std::int64_t time : w.durations) sum += time;
  for (const std::int64_t time : w.durations_on) sum += time;
  for (const task_neighbour& e : w.later) sum += e.delay;
  return sum;
}

// Betters a schedule of a valid task graph of any kind, and its bound, until they meet or the
// search has to stop. Tables that do not fit into a part of the memory are not built: the schedule
// then stays as it is, `stopped_by_limit`.
template <class Callback>
constexpr void search_by_deadlines(const task_graph& g, const schedule_options& options,
                                   Callback& callback, task_schedule& best) {
  task_direction directions[2];
  for (int d = 0; d < 2; ++d) {
    directions[d].tasks = prepare_by_paths(g, d == 1);
    directions[d].tails = tail_bounds(directions[d].tasks);
    const std::int64_t bound = makespan_bound(directions[d].tasks, directions[d].tails);
    if (bound > best.bound) best.bound = bound;
  }
  best.status = search_status::proven;
  if (best.bound >= best.makespan) return;
  best.status = search_status::stopped_by_caller;
  if (!callback(search_progress{best.makespan, best.bound, 0, 0})) return;
  best.status = search_status::stopped_by_limit;
  const prepared_tasks& w = directions[0].tasks;
  if (delay_problem<std::int64_t>::bytes(w) > options.memory / 4) return;
  const auto search = [&](auto time) {
    deadline_search<decltype(time), Callback>(g, directions, options, callback, best).run();
  };
  if (sum_of_times(w) < std::int64_t{1} << 27)
    search(std::int32_t{});
  else
    search(std::int64_t{});
}

}  // namespace wf::detail
