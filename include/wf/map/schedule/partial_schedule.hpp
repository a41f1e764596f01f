// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/schedule/delay_facts.hpp>

namespace wf::detail {

/// A step of a search for a schedule: a task starts on a processor.
template <class Time>
struct task_step {
  std::uint32_t task = 0, processor = 0;
  Time start = 0;
};

/// The tasks that a search has placed, in the order of their starts, with what each step needs to
/// be taken back. Rows by depth hold the state after so many steps.
template <class Time>
class partial_schedule {
 public:
  /// Processor and times of a placed task.
  struct place {
    std::uint32_t processor = 0;
    Time start = 0, finish = 0;
  };

  std::uint32_t depth = 0;        ///< number of placed tasks
  table<std::uint32_t> sequence;  ///< the placed tasks, in order
  table<place> placed;            ///< by task
  table<std::uint64_t> done;      ///< bits of the placed tasks
  table<std::uint32_t> waiting;   ///< number of unplaced predecessors, by task
  table<Time> free_at;            ///< [depth · processors + p]: when a processor becomes free
  table<std::uint32_t> last_on;   ///< likewise: the last task on it
  table<Time> makespan;           ///< [depth]

  /// The empty schedule.
  constexpr explicit partial_schedule(const delay_facts<Time>& f)
      : sequence(f.count),
        placed(f.count),
        done(f.words),
        waiting(f.count),
        free_at((std::size_t{f.count} + 1) * f.processors),
        last_on((std::size_t{f.count} + 1) * f.processors),
        makespan(std::size_t{f.count} + 1) {
    for (std::uint32_t t = 0; t < f.count; ++t) waiting[t] = f.w.before[t].count;
    for (std::uint32_t p = 0; p < f.processors; ++p) last_on[p] = delay_facts<Time>::no_task;
  }

  /// Appends a step. O(processors + successors).
  constexpr void apply(const delay_facts<Time>& f, const task_step<Time>& step) {
    const std::uint32_t t = step.task, p = step.processor;
    const Time finish = step.start + f.duration(t, p);
    placed[t] = {p, step.start, finish};
    sequence[depth] = t;
    const std::size_t from = std::size_t{depth} * f.processors, to = from + f.processors;
    for (std::uint32_t q = 0; q < f.processors; ++q) {
      free_at[to + q] = free_at[from + q];
      last_on[to + q] = last_on[from + q];
    }
    free_at[to + p] = finish;
    last_on[to + p] = t;
    makespan[depth + 1] = finish > makespan[depth] ? finish : makespan[depth];
    done[t / 64] |= std::uint64_t{1} << t % 64;
    for (const task_neighbour& e : f.w.later_than(t)) --waiting[e.task];
    ++depth;
  }
  /// Takes the last step back. O(successors).
  constexpr void undo(const delay_facts<Time>& f) {
    const std::uint32_t t = sequence[--depth];
    done[t / 64] &= ~(std::uint64_t{1} << t % 64);
    for (const task_neighbour& e : f.w.later_than(t)) ++waiting[e.task];
  }
  /// True if a task is placed.
  constexpr bool is_done(std::uint32_t t) const { return (done[t / 64] >> t % 64 & 1) != 0; }
  /// True if a placed task runs beyond a time.
  constexpr bool is_running(std::uint32_t t, Time now) const {
    return is_done(t) && placed[t].finish > now && placed[t].start != placed[t].finish;
  }
  /// Calls `visit` with every task that is not placed, ascending.
  template <class F>
  constexpr void each_undone(const delay_facts<Time>& f, F&& visit) const {
    for (std::uint32_t i = 0; i < f.words; ++i)
      for (std::uint64_t left = f.all[i] & ~done[i]; left != 0; left &= left - 1)
        visit(64 * i + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
};

}  // namespace wf::detail
