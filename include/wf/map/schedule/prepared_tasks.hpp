// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <utility>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/task_graph.hpp>

namespace wf {

/// One end of an edge, seen from the other end.
struct task_neighbour {
  std::uint32_t task = 0;  ///< task at this end
  std::int64_t delay = 0;  ///< delay of the edge, in units of time; 0 if it never applies
};

/// A valid task graph prepared for schedulers: tasks are numbered in topological order, with the
/// neighbours of each contiguous.
struct prepared_tasks {
  std::uint32_t processors = 0;   ///< at least 1; for a graph without processors, one for each task
  table<std::uint32_t> original;  ///< index of each task in the graph
  table<range> before, after;     ///< neighbours of each task: ranges of `earlier` and `later`
  table<task_neighbour> earlier;  ///< predecessors, in ascending order
  table<task_neighbour> later;    ///< successors, in ascending order
  table<std::int64_t> durations;  ///< minimum over all processors
  table<std::int64_t> durations_on;     ///< [t · processors + p]; empty if all processors are alike
  table<std::int64_t> demands;          ///< [t · resources + r]
  table<renewable_resource> resources;  ///< as in the graph
  bool has_delays = false;              ///< true if a delay is not 0 and applies

  /// Number of tasks.
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(original.size()); }
  /// The predecessors of a task.
  constexpr view<task_neighbour> earlier_than(std::uint32_t t) const {
    return view<task_neighbour>(earlier).part(before[t].first, before[t].count);
  }
  /// The successors of a task.
  constexpr view<task_neighbour> later_than(std::uint32_t t) const {
    return view<task_neighbour>(later).part(after[t].first, after[t].count);
  }
  /// Time of a task on a processor, in the graph's unit.
  constexpr std::int64_t duration(std::uint32_t t, std::uint32_t p) const {
    return durations_on.empty() ? durations[t] : durations_on[std::size_t{t} * processors + p];
  }
  /// Units of a resource that a task needs.
  constexpr std::int64_t demand(std::uint32_t t, std::uint32_t r) const {
    return demands[t * resources.size() + r];
  }
};

namespace detail {

// Fills the neighbours of each task from edges between prepared tasks, in ascending order: counting
// sorts by the other end, then by this one. O(tasks + edges).
constexpr void list_neighbours(const table<task_edge>& edges, prepared_tasks& out) {
  const std::uint32_t count = out.size();
  const auto sorted_by = [&](const table<task_edge>& list, bool by_from) {
    table<std::uint32_t> next(count + 1);
    for (const task_edge& e : list) ++next[(by_from ? e.from : e.to) + 1];
    for (std::uint32_t t = 0; t < count; ++t) next[t + 1] += next[t];
    table<task_edge> sorted(list.size());
    for (const task_edge& e : list) sorted[next[by_from ? e.from : e.to]++] = e;
    return sorted;
  };
  const auto list = [&](const table<task_edge>& sorted, bool by_from, table<range>& where,
                        table<task_neighbour>& neighbours) {
    where.resize(count);
    neighbours.reserve(sorted.size());
    for (const task_edge& e : sorted) {
      range& r = where[by_from ? e.from : e.to];
      if (r.count++ == 0) r.first = static_cast<std::uint32_t>(neighbours.size());
      neighbours.push_back({by_from ? e.to : e.from, e.delay});
    }
  };
  const table<task_edge> by_from = sorted_by(sorted_by(edges, false), true);
  list(by_from, true, out.after, out.later);
  list(sorted_by(by_from, false), false, out.before, out.earlier);
}

// Fills the durations of the prepared tasks; those by processor only if they differ. O(tasks ·
// processors).
constexpr void fill_durations(const task_graph& g, prepared_tasks& out) {
  const std::uint32_t count = out.size();
  out.durations.resize(count);
  bool alike = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t task = out.original[i];
    std::int64_t least = g.duration(task, 0);
    for (std::uint32_t p = 1; p < out.processors && !g.durations_on.empty(); ++p) {
      const std::int64_t time = g.duration(task, p);
      alike = alike && time == g.duration(task, 0);
      if (time < least) least = time;
    }
    out.durations[i] = least;
  }
  if (alike) return;
  out.durations_on.reserve(std::size_t{count} * out.processors);
  for (std::uint32_t i = 0; i < count; ++i)
    for (std::uint32_t p = 0; p < out.processors; ++p)
      out.durations_on.push_back(g.duration(out.original[i], p));
}

// The prepared form in a given order of tasks, which is topological for the edges, or for their
// reverses if `reversed`. O(tasks · (processors + resources) + edges).
constexpr prepared_tasks prepare_in(table<std::uint32_t> order, const task_graph& g,
                                    bool reversed) {
  prepared_tasks out;
  const auto count = static_cast<std::uint32_t>(g.tasks.size());
  out.processors = g.processors == 0 ? count : g.processors;
  out.original.swap(order);
  table<std::uint32_t> number(count);
  for (std::uint32_t i = 0; i < count; ++i) number[out.original[i]] = i;

  table<task_edge> edges = g.edges;
  for (task_edge& e : edges) {
    const std::uint32_t from = number[e.from], to = number[e.to];
    e = {reversed ? to : from, reversed ? from : to, g.processors > 1 ? e.delay : 0};
    out.has_delays = out.has_delays || e.delay != 0;
  }
  list_neighbours(edges, out);
  fill_durations(g, out);
  out.resources = g.resources;
  out.demands.resize(count * g.resources.size());
  for (const resource_demand& d : g.demands)
    out.demands[number[d.task] * g.resources.size() + d.resource] = d.amount;
  return out;
}

// A priority queue of the tasks without remaining predecessors: the largest priority first, ties by
// index. Taking all of them costs O((tasks + edges) log tasks).
class ready_tasks {
 public:
  constexpr ready_tasks(const prepared_tasks& w, const table<std::int64_t>& priority)
      : w_(w), priority_(priority), waiting_(w.size()) {
    for (std::uint32_t t = 0; t < w.size(); ++t)
      if ((waiting_[t] = w.before[t].count) == 0) heap_.push({priority[t], t});
  }

  constexpr bool empty() const { return heap_.empty(); }
  constexpr std::uint32_t take() {
    const std::uint32_t t = heap_.pop().task;
    for (const task_neighbour& e : w_.later_than(t))
      if (--waiting_[e.task] == 0) heap_.push({priority_[e.task], e.task});
    return t;
  }

 private:
  struct entry {
    std::int64_t priority = 0;
    std::uint32_t task = 0;
  };
  struct first_of {
    constexpr bool operator()(const entry& a, const entry& b) const {
      return a.priority != b.priority ? a.priority > b.priority : a.task < b.task;
    }
  };

  const prepared_tasks& w_;
  const table<std::int64_t>& priority_;
  table<std::uint32_t> waiting_;  // number of remaining predecessors of each task
  binary_heap<entry, first_of> heap_;
};

// A topological order of the tasks in which, among ready tasks, the one with the longest path of
// times to the end comes first. O((tasks + edges) log tasks).
constexpr table<std::uint32_t> longest_path_first(const prepared_tasks& w) {
  table<std::int64_t> path(w.size());
  for (std::uint32_t t = w.size(); t-- > 0;) {
    for (const task_neighbour& e : w.later_than(t))
      if (path[e.task] > path[t]) path[t] = path[e.task];
    path[t] += w.durations[t];
  }
  table<std::uint32_t> out;
  for (ready_tasks ready(w, path); !ready.empty();) out.push_back(w.original[ready.take()]);
  return out;
}

}  // namespace detail

/// Prepares a valid task graph; tasks are numbered as they become ready. `reversed` reverses time:
/// edges are reversed, and a schedule read backwards is one of the graph. O(tasks · (processors +
/// resources) + edges).
constexpr prepared_tasks prepare(const task_graph& g, bool reversed = false) {
  table<std::uint32_t> order = detail::topological_order(g);
  if (reversed)
    for (std::size_t i = 0; 2 * i + 1 < order.size(); ++i)
      std::swap(order[i], order[order.size() - 1 - i]);
  return detail::prepare_in(std::move(order), g, reversed);
}

/// Like `prepare`, but among ready tasks those with the longest path of times to the end get the
/// lower numbers. O(tasks · (log tasks + processors + resources) + edges log tasks).
constexpr prepared_tasks prepare_by_paths(const task_graph& g, bool reversed = false) {
  return detail::prepare_in(detail::longest_path_first(prepare(g, reversed)), g, reversed);
}

}  // namespace wf
