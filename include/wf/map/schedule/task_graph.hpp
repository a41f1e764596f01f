// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/text.hpp>
#include <wf/core/text/view.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// One task of a task graph. It runs on one processor, without interruption.
struct graph_task {
  /// Name in messages and reports.
  text label;
  /// Time on any processor, in the graph's unit; unused if the graph has times for each processor.
  std::int64_t duration = 0;

  friend constexpr bool operator==(const graph_task&, const graph_task&) = default;
};

/// A precedence: `to` starts after `from` finishes; if they run on different processors, at least
/// `delay` later.
struct task_edge {
  std::uint32_t from = 0;  ///< predecessor
  std::uint32_t to = 0;    ///< successor
  std::int64_t delay = 0;  ///< communication delay between different processors, in units of time

  friend constexpr bool operator==(const task_edge&, const task_edge&) = default;
};

/// A renewable resource, such as memory: at most `capacity` units are in use at any time.
struct renewable_resource {
  /// Name of the resource in messages.
  text label;
  /// Available units.
  std::int64_t capacity = 0;

  friend constexpr bool operator==(const renewable_resource&, const renewable_resource&) = default;
};

/// The demand of a task: it uses `amount` of a resource while it runs.
struct resource_demand {
  std::uint32_t task = 0;      ///< index of the task
  std::uint32_t resource = 0;  ///< index of the resource
  std::int64_t amount = 0;     ///< units of the resource

  friend constexpr bool operator==(const resource_demand&, const resource_demand&) = default;
};

/// The multiprocessor scheduling problem of minimum makespan: tasks with precedences, on processors
/// that run one task at a time, with communication delays between processors and limits on
/// renewable resources. In the three-field notation its special cases are P | prec, c_ij | Cmax (no
/// resources), P | prec | Cmax (no delays either), R | prec, c_ij | Cmax (`durations_on`) and PS |
/// prec | Cmax, the resource-constrained project (no processors).
///
/// Times are integers in an arbitrary common unit. Tasks are in any order.
struct task_graph {
  text name;                     ///< name in messages
  std::uint32_t processors = 0;  ///< number of processors; 0: one for each task, without delays
  table<graph_task> tasks;       ///< in any order
  table<task_edge> edges;        ///< acyclic; at most one between two tasks
  /// Time of task t on processor p at [t · processors + p]; empty: `graph_task::duration`.
  table<std::int64_t> durations_on;
  table<renewable_resource> resources;  ///< shared by all processors
  table<resource_demand> demands;       ///< at most one for each task and resource

  /// Appends a task and returns its index.
  constexpr std::uint32_t add(text_view label, std::int64_t duration) {
    tasks.push_back({text(label), duration});
    return static_cast<std::uint32_t>(tasks.size() - 1);
  }
  /// Adds an edge: `to` waits for `from`, and for the delay if they run on different processors.
  constexpr void connect(std::uint32_t from, std::uint32_t to, std::int64_t delay = 0) {
    edges.push_back({from, to, delay});
  }
  /// Time of a task on a processor, in the graph's unit.
  constexpr std::int64_t duration(std::uint32_t task, std::uint32_t processor) const {
    return durations_on.empty() ? tasks[task].duration
                                : durations_on[std::size_t{task} * processors + processor];
  }
  /// The amount of a resource that each task needs while it runs, by task. O(tasks + demands).
  constexpr table<std::int64_t> demands_on(std::uint32_t resource) const {
    table<std::int64_t> amounts(tasks.size());
    for (const resource_demand& d : demands)
      if (d.resource == resource) amounts[d.task] = d.amount;
    return amounts;
  }
  friend constexpr bool operator==(const task_graph&, const task_graph&) = default;
};

/// The processor and time interval of a task.
struct task_placement {
  std::uint32_t processor = 0;  ///< processor; the task's own index if the graph has none
  std::int64_t start = 0;       ///< start time
  std::int64_t finish = 0;      ///< finish time

  friend constexpr bool operator==(const task_placement&, const task_placement&) = default;
};

/// A schedule of a task graph and the proven lower bound.
struct task_schedule {
  table<task_placement> tasks;  ///< placements by task index
  std::int64_t makespan = 0;    ///< time at which the last task finishes
  std::int64_t bound = 0;       ///< lower bound on the makespan of every schedule
  /// Status of the search; `proven` if makespan and bound are equal.
  search_status status = search_status::stopped_by_limit;
  search_counters counters;  ///< counters of the search

  /// True if the makespan is proven optimal.
  constexpr bool proven() const { return status == search_status::proven; }
  /// The relative optimality gap: (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(makespan, bound); }
  friend constexpr bool operator==(const task_schedule&, const task_schedule&) = default;
};

/// Resource limits of a search for a schedule.
struct schedule_options {
  search_limits limits;  ///< `max_nodes` and `progress_interval` apply
  /// Memory limit of a search, in bytes.
  std::uint64_t memory = std::uint64_t{1} << 30;
};

/// Largest allowed sum of all times and delays of a task graph: 2^52.
inline constexpr std::int64_t max_task_time = std::int64_t{1} << 52;

namespace detail {

// A topological order of the tasks (as they become ready), without those on or behind a cycle.
// O(tasks + edges).
constexpr table<std::uint32_t> topological_order(const task_graph& g) {
  table<std::uint32_t> first(g.tasks.size() + 1);
  table<std::uint32_t> waiting(g.tasks.size());
  for (const task_edge& e : g.edges) {
    ++first[e.from + 1];
    ++waiting[e.to];
  }
  for (std::size_t t = 0; t < g.tasks.size(); ++t) first[t + 1] += first[t];
  table<std::uint32_t> readers(g.edges.size());
  table<std::uint32_t> next = first;
  for (const task_edge& e : g.edges) readers[next[e.from]++] = e.to;
  table<std::uint32_t> ready;
  ready.reserve(g.tasks.size());
  for (std::uint32_t t = 0; t < g.tasks.size(); ++t)
    if (waiting[t] == 0) ready.push_back(t);
  for (std::size_t done = 0; done < ready.size(); ++done)
    for (std::uint32_t i = first[ready[done]]; i < first[ready[done] + 1]; ++i)
      if (--waiting[readers[i]] == 0) ready.push_back(readers[i]);
  return ready;
}

}  // namespace detail

/// Checks a task graph. Errors: `invalid_problem`, naming the task, edge or resource, if there is
/// no task, more than 100,000 tasks or 4096 processors, a time, delay, capacity or amount is
/// negative, an index is out of range, an edge or a demand is there twice, the edges close a cycle,
/// or the times do not fit the processors; `mapping_infeasible`, naming the task and the resource,
/// if a task needs more of a resource than its capacity; `overflow` if times and delays sum up to
/// more than `max_task_time`. O(tasks + edges log edges).
constexpr result<nothing> validate(const task_graph& g) {
  const auto wrong = [](text_view where, text_view sentence) {
    return make_error(errc::invalid_problem, where, sentence);
  };
  const std::size_t count = g.tasks.size();
  if (count == 0) return wrong(g.name, "a task graph needs at least one task");
  if (count > 100'000) return wrong(g.name, "a task graph may have at most 100000 tasks");
  if (g.processors > 4096) return wrong(g.name, "a task graph may have at most 4096 processors");
  if (!g.durations_on.empty() &&
      (g.processors == 0 || g.durations_on.size() != count * g.processors))
    return wrong(g.name, "times for each processor: one is needed for every task and processor");
  std::int64_t sum = 0;
  const auto add = [&](std::int64_t time) {
    return checked_add(sum, time, sum) && sum <= max_task_time;
  };
  for (std::uint32_t t = 0; t < count; ++t)
    for (std::uint32_t p = 0; p < (g.durations_on.empty() ? 1 : g.processors); ++p) {
      const std::int64_t time = g.duration(t, p);
      if (time < 0) return wrong(g.tasks[t].label, "a time must not be negative");
      if (!add(time)) return make_error(errc::overflow, g.tasks[t].label, "times exceed 2^52");
    }
  for (const task_edge& e : g.edges) {
    if (e.from >= count || e.to >= count || e.from == e.to)
      return wrong(g.name, text() << "edge " << e.from << " -> " << e.to
                                  << " does not join two tasks of the graph");
    if (e.delay < 0) return wrong(g.tasks[e.to].label, "a delay must not be negative");
    if (!add(e.delay)) return make_error(errc::overflow, g.tasks[e.to].label, "times exceed 2^52");
  }
  table<std::uint64_t> pairs;
  for (const task_edge& e : g.edges) pairs.push_back(std::uint64_t{e.from} << 32 | e.to);
  detail::stable_sort(pairs, [](std::uint64_t a, std::uint64_t b) { return a < b; });
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i - 1] == pairs[i])
      return wrong(g.name, text() << "edge " << (pairs[i] >> 32) << " -> "
                                  << (pairs[i] & 0xffffffff) << " is there twice");
  for (const renewable_resource& r : g.resources)
    if (r.capacity < 0) return wrong(r.label, "a capacity must not be negative");
  pairs.clear();
  for (const resource_demand& d : g.demands) {
    if (d.task >= count || d.resource >= g.resources.size())
      return wrong(g.name, "a demand names a task or a resource that is not there");
    const renewable_resource& r = g.resources[d.resource];
    if (d.amount < 0) return wrong(g.tasks[d.task].label, "a demand must not be negative");
    if (d.amount > r.capacity)
      return make_error(errc::mapping_infeasible, g.tasks[d.task].label,
                        text() << "it needs " << d.amount << " of " << r.label.view()
                               << ", of which there is " << r.capacity);
    pairs.push_back(std::uint64_t{d.task} << 32 | d.resource);
  }
  detail::stable_sort(pairs, [](std::uint64_t a, std::uint64_t b) { return a < b; });
  for (std::size_t i = 1; i < pairs.size(); ++i)
    if (pairs[i - 1] == pairs[i])
      return wrong(g.tasks[pairs[i] >> 32].label, "a demand is there twice");
  if (detail::topological_order(g).size() != count) return wrong(g.name, "the edges close a cycle");
  return nothing{};
}

}  // namespace wf
