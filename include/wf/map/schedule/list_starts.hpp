// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/project.hpp>

namespace wf::detail {

/// The tasks of a project that are ready to start, in the order in which a list schedule tries
/// them: those without duration first, then by falling priority (ties by index).
class ready_list {
 public:
  /// Lists the tasks without predecessors. Both must outlive the list.
  constexpr ready_list(const project& p, const table<std::int64_t>& priority)
      : p_(p), priority_(priority), waiting_(p.size) {
    for (std::uint32_t t = 0; t < p.size; ++t)
      if ((waiting_[t] = p.before[t].count) == 0) add(t);
  }

  constexpr std::size_t size() const { return tasks_.size(); }
  constexpr std::uint32_t operator[](std::size_t i) const { return tasks_[i]; }
  constexpr void remove(std::size_t i) {
    for (std::size_t k = i + 1; k < tasks_.size(); ++k) tasks_[k - 1] = tasks_[k];
    tasks_.pop_back();
  }
  /// Adds the tasks that waited for the finished one alone.
  constexpr void finish(std::uint32_t task) {
    for (const std::uint32_t s : p_.later_than(task))
      if (--waiting_[s] == 0) add(s);
  }

 private:
  constexpr bool comes_before(std::uint32_t a, std::uint32_t b) const {
    if ((p_.durations[a] == 0) != (p_.durations[b] == 0)) return p_.durations[a] == 0;
    return priority_[a] != priority_[b] ? priority_[a] > priority_[b] : a < b;
  }
  constexpr void add(std::uint32_t t) {
    tasks_.push_back(t);
    for (std::size_t i = tasks_.size() - 1; i > 0 && comes_before(t, tasks_[i - 1]); --i) {
      tasks_[i] = tasks_[i - 1];
      tasks_[i - 1] = t;
    }
  }

  const project& p_;
  const table<std::int64_t>& priority_;
  table<std::uint32_t> waiting_;  // number of unfinished predecessors
  table<std::uint32_t> tasks_;
};

/// Start times of a non-delay list schedule of a project: at time 0 and whenever a task ends, all
/// ready tasks that fit start, those without duration first, then by falling priority (ties by
/// index). O(tasks² · resources + edges).
constexpr table<std::int64_t> list_starts(const project& p, const table<std::int64_t>& priority) {
  struct ending {
    std::int64_t time = 0;
    std::uint32_t task = 0;
  };
  struct sooner {
    constexpr bool operator()(const ending& a, const ending& b) const {
      return a.time != b.time ? a.time < b.time : a.task < b.task;
    }
  };
  table<std::int64_t> starts(p.size), used(p.resources);
  ready_list ready(p, priority);
  binary_heap<ending, sooner> running;
  for (std::int64_t now = 0;;) {
    for (std::size_t i = 0; i < ready.size();) {
      const std::uint32_t t = ready[i];
      bool fits = true;
      for (std::uint32_t r = 0; r < p.resources && fits; ++r)
        fits = p.demand(t, r) <= p.capacities[r] - used[r];
      if (!fits) {
        ++i;
        continue;
      }
      ready.remove(i);
      starts[t] = now;
      if (p.durations[t] == 0) {
        ready.finish(t);
        i = 0;
      } else {
        for (std::uint32_t r = 0; r < p.resources; ++r) used[r] += p.demand(t, r);
        running.push({now + p.durations[t], t});
      }
    }
    if (running.empty()) return starts;
    now = running.top().time;
    while (!running.empty() && running.top().time == now) {
      const std::uint32_t t = running.pop().task;
      for (std::uint32_t r = 0; r < p.resources; ++r) used[r] -= p.demand(t, r);
      ready.finish(t);
    }
  }
}

/// Start times in a given topological order: each task starts as early as it fits, not before its
/// predecessor in the order. O(tasks² · resources).
constexpr table<std::int64_t> starts_of_order(const project& p, const table<std::uint32_t>& order) {
  table<std::int64_t> starts(p.size);
  table<std::uint32_t> running;
  std::int64_t now = 0;
  const auto finish = [&](std::uint32_t t) { return starts[t] + p.durations[t]; };
  for (const std::uint32_t t : order) {
    for (const std::uint32_t e : p.earlier_than(t))
      if (finish(e) > now) now = finish(e);
    for (;;) {
      std::size_t kept = 0;
      for (const std::uint32_t u : running)
        if (finish(u) > now) running[kept++] = u;
      while (running.size() > kept) running.pop_back();
      bool fits = true;
      for (std::uint32_t r = 0; r < p.resources && fits; ++r) {
        std::int64_t left = p.capacities[r] - p.demand(t, r);
        for (const std::uint32_t u : running) left -= p.demand(u, r);
        fits = left >= 0;
      }
      if (fits) break;
      std::int64_t next = finish(running[0]);
      for (const std::uint32_t u : running)
        if (finish(u) < next) next = finish(u);
      now = next;
    }
    starts[t] = now;
    if (p.durations[t] != 0) running.push_back(t);
  }
  return starts;
}

/// Makespan of given start times. O(tasks).
constexpr std::int64_t makespan_of(const project& p, const table<std::int64_t>& starts) {
  std::int64_t out = 0;
  for (std::uint32_t t = 0; t < p.size; ++t)
    if (starts[t] + p.durations[t] > out) out = starts[t] + p.durations[t];
  return out;
}

/// Converts a schedule of the time-reversed project into one of the project itself. O(tasks).
constexpr table<std::int64_t> turned(const project& reversed, const table<std::int64_t>& starts) {
  table<std::int64_t> out(reversed.size);
  const std::int64_t end = makespan_of(reversed, starts);
  for (std::uint32_t t = 0; t < reversed.size; ++t)
    out[reversed.size - 1 - t] = end - starts[t] - reversed.durations[t];
  return out;
}

/// Improves a schedule by forward-backward scheduling until it no longer helps: list schedules of
/// the project and its reverse in turn, each by the finish times of the previous one, the latest
/// first. O(rounds · tasks² · resources). Source: Li and Willis, "An iterative scheduling technique
/// for resource-constrained project scheduling", EJOR 1992; Valls, Ballestin and Quintanilla,
/// "Justification and RCPSP", EJOR 2005.
constexpr table<std::int64_t> justified(const project& p, const project& reversed,
                                        table<std::int64_t> starts) {
  for (;;) {
    table<std::int64_t> priority(p.size);
    for (std::uint32_t t = 0; t < p.size; ++t)
      priority[p.size - 1 - t] = starts[t] + p.durations[t];
    const table<std::int64_t> back = list_starts(reversed, priority);
    for (std::uint32_t t = 0; t < p.size; ++t)
      priority[p.size - 1 - t] = back[t] + p.durations[p.size - 1 - t];
    table<std::int64_t> front = list_starts(p, priority);
    const std::int64_t had = makespan_of(p, starts);
    if (makespan_of(p, front) < had) {
      starts.swap(front);
    } else {
      if (makespan_of(reversed, back) < had) return turned(reversed, back);
      return starts;
    }
  }
}

}  // namespace wf::detail
