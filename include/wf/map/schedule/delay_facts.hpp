// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>

namespace wf::detail {

/// The greatest common divisor of two numbers that are not negative; of 0 and a number, that
/// number.
template <class Time>
constexpr Time greatest_common_divisor(Time a, Time b) {
  while (b != 0) {
    const Time rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// The facts of a scheduling problem with delays that no partial schedule changes: times in the
/// search's integer type, an order of the tasks if one is optimal, and the dominance rules.
/// docs/explanation/scheduling.md justifies the rules.
///
/// `Time` is an integer type that holds four times the sum of all times and delays.
template <class Time>
struct delay_facts {
  /// Later than every time of a schedule.
  static constexpr Time never = static_cast<Time>(sizeof(Time) == 4 ? 1 << 29 : INT64_MAX / 4);
  /// In place of a task's number.
  static constexpr std::uint32_t no_task = UINT32_MAX;

  /// A predecessor of a task.
  struct neighbour {
    std::uint32_t task = 0;
    Time delay = 0;
  };

  const prepared_tasks& w;
  bool own;    ///< every task has a processor of its own
  bool alike;  ///< all processors take the same times
  std::uint32_t count, processors;
  std::uint32_t words;                   ///< words of a set of tasks
  table<Time> durations, durations_on;   ///< as in `prepared_tasks`
  table<Time> tails, longest_delay;      ///< by task
  table<neighbour> earlier;              ///< ranges of it: `prepared_tasks::before`
  table<std::uint64_t> all;              ///< one bit per task
  table<std::uint32_t> by_tail;          ///< tasks by falling tail
  table<std::uint32_t> kind;             ///< for each processor, the first one with its times
  table<std::uint32_t> same_before;      ///< for each task, the previous identical one
  table<std::uint64_t> before;           ///< for each task, those that have to precede it
  table<std::uint64_t> after_same_time;  ///< those of its duration that it has to precede
  table<std::uint32_t> fixed_order;      ///< all tasks; empty: no fixed order
  Time unit = 0;                         ///< divides all times

  /// `tails` are those of `tail_bounds`. `tasks` must outlive this. `may_fix_order`: if one order
  /// of the tasks on all processors is optimal for every assignment, it becomes `fixed_order`.
  constexpr delay_facts(const prepared_tasks& tasks, const table<std::int64_t>& task_tails,
                        bool own_processors, bool may_fix_order)
      : w(tasks),
        own(own_processors),
        alike(tasks.durations_on.empty()),
        count(tasks.size()),
        // More identical processors than tasks are useless.
        processors(alike && tasks.processors > tasks.size() ? tasks.size() : tasks.processors),
        words((count + 63) / 64) {
    prepare_tasks(task_tails);
    if (may_fix_order) fix_order();
    prepare_rules();
  }

  /// Time of a task on a processor.
  constexpr Time duration(std::uint32_t t, std::uint32_t p) const {
    return alike ? durations[t] : durations_on[std::size_t{t} * processors + p];
  }
  /// The predecessors of a task.
  constexpr view<neighbour> earlier_than(std::uint32_t t) const {
    return view<neighbour>(earlier).part(w.before[t].first, w.before[t].count);
  }
  /// True if all tasks start in `fixed_order`.
  constexpr bool has_fixed_order() const { return !fixed_order.empty(); }
  /// True if the dominance rules demand task `y` before `x` on one processor.
  constexpr bool has_to_precede(std::uint32_t y, std::uint32_t x) const {
    return (before[x * words + y / 64] >> y % 64 & 1) != 0;
  }

 private:
  constexpr void prepare_tasks(const table<std::int64_t>& task_tails) {
    durations.resize(count);
    tails.resize(count);
    longest_delay.resize(count);
    all.resize(words);
    for (std::uint32_t t = 0; t < count; ++t) {
      durations[t] = static_cast<Time>(w.durations[t]);
      tails[t] = static_cast<Time>(task_tails[t]);
      unit = greatest_common_divisor(unit, durations[t]);
      all[t / 64] |= std::uint64_t{1} << t % 64;
      by_tail.push_back(t);
      for (const task_neighbour& e : w.later_than(t))
        if (e.delay > longest_delay[t]) longest_delay[t] = static_cast<Time>(e.delay);
    }
    if (unit == 0) unit = 1;
    stable_sort(by_tail, [&](std::uint32_t a, std::uint32_t b) { return tails[a] > tails[b]; });
    durations_on.reserve(w.durations_on.size());
    for (const std::int64_t time : w.durations_on) durations_on.push_back(static_cast<Time>(time));
    earlier.reserve(w.earlier.size());
    for (const task_neighbour& e : w.earlier)
      earlier.push_back({e.task, static_cast<Time>(e.delay)});
    kind.resize(processors);
    for (std::uint32_t p = 0; p < processors; ++p) {
      kind[p] = own ? p : 0;
      while (kind[p] < p && !alike && !has_same_times(kind[p], p)) ++kind[p];
    }
  }
  constexpr bool has_same_times(std::uint32_t p, std::uint32_t q) const {
    for (std::uint32_t t = 0; t < count; ++t)
      if (duration(t, p) != duration(t, q)) return false;
    return true;
  }

  // For a fork (one task before all others), a join (one after all others), or a graph without
  // edges, tasks sorted by delays are in an optimal order for every assignment to processors.
  constexpr void fix_order() {
    if (!alike || own || !w.resources.empty() || count < 3) return;
    bool is_fork = true, is_join = true;
    for (std::uint32_t t = 0; t < count; ++t) {
      is_fork = is_fork && (t == 0 ? w.before[t].count == 0 : is_behind_first(t));
      is_join = is_join && (t + 1 == count ? w.after[t].count == 0 : is_before_last(t));
    }
    if (!is_fork && !is_join && !w.later.empty()) return;
    fixed_order = by_tail;
    if (is_fork)  // by arrival of the data
      stable_sort(fixed_order, [&](std::uint32_t a, std::uint32_t b) {
        return a == 0 || b == 0 ? a == 0 && b != 0
                                : w.earlier_than(a)[0].delay < w.earlier_than(b)[0].delay;
      });
    else if (is_join)  // by remaining delay, the longest first
      stable_sort(fixed_order, [&](std::uint32_t a, std::uint32_t b) {
        return a + 1 == count || b + 1 == count ? b + 1 == count && a + 1 != count
                                                : longest_delay[a] > longest_delay[b];
      });
  }
  constexpr bool is_behind_first(std::uint32_t t) const {
    return w.before[t].count == 1 && w.earlier_than(t)[0].task == 0;
  }
  constexpr bool is_before_last(std::uint32_t t) const {
    return w.after[t].count == 1 && w.later_than(t)[0].task + 1 == count;
  }

  // True if every successor of task x waits at least as long for y, given equal finish times.
  constexpr bool is_as_urgent(std::uint32_t y, std::uint32_t x) const {
    for (const task_neighbour& e : w.later_than(x)) {
      bool found = false;
      for (const task_neighbour& f : w.later_than(y))
        found = found || (f.task == e.task && f.delay >= e.delay);
      if (!found) return false;
    }
    return true;
  }
  constexpr bool are_same(std::uint32_t a, std::uint32_t b) const {
    if (own || w.before[a].count != w.before[b].count || w.after[a].count != w.after[b].count)
      return false;
    const auto differ = [](const task_neighbour& x, const task_neighbour& y) {
      return x.task != y.task || x.delay != y.delay;
    };
    for (std::size_t i = 0; i < w.before[a].count; ++i)
      if (differ(w.earlier_than(a)[i], w.earlier_than(b)[i])) return false;
    for (std::size_t i = 0; i < w.after[a].count; ++i)
      if (differ(w.later_than(a)[i], w.later_than(b)[i])) return false;
    for (std::uint32_t p = 0; p < processors; ++p)
      if (duration(a, p) != duration(b, p)) return false;
    for (std::uint32_t r = 0; r < w.resources.size(); ++r)
      if (w.demand(a, r) != w.demand(b, r)) return false;
    return true;
  }
  // Dominance rules: the tasks that have to precede others, because exchanging the two does no
  // harm.
  constexpr void prepare_rules() {
    same_before.resize(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      same_before[t] = no_task;
      for (std::uint32_t u = has_fixed_order() ? 0 : t; u-- > 0 && same_before[t] == no_task;)
        if (are_same(u, t)) same_before[t] = u;
    }
    before.resize(std::size_t{count} * words);
    after_same_time.resize(std::size_t{count} * words);
    if (!alike || own || !w.resources.empty() || has_fixed_order()) return;
    // The representative of each class of identical tasks: it ranks them in a total order that
    // agrees with the relation and keeps them together.
    table<std::uint32_t> leader(count);
    for (std::uint32_t t = 0; t < count; ++t)
      leader[t] = same_before[t] == no_task ? t : leader[same_before[t]];
    for (std::uint32_t x = 0; x < count; ++x)
      for (std::uint32_t y = 0; y < count; ++y) {
        if (x == y || durations[x] == 0 || durations[y] == 0 || !is_as_urgent(y, x)) continue;
        const bool first = leader[y] != leader[x] ? leader[y] < leader[x] : y < x;
        if (!is_as_urgent(x, y) || first) before[x * words + y / 64] |= std::uint64_t{1} << y % 64;
        if (has_to_precede(y, x) && durations[x] == durations[y])
          after_same_time[y * words + x / 64] |= std::uint64_t{1} << x % 64;
      }
  }
};

}  // namespace wf::detail
