// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/delay_facts.hpp>
#include <wf/map/schedule/partial_schedule.hpp>
#include <wf/map/schedule/task_bounds.hpp>

namespace wf::detail {

/// For each task that a partial schedule leaves out and each processor, bounds on its start in the
/// completions that meet a deadline.
///
/// Tasks start in a fixed order: by time, those without duration first, then by number; each as
/// early as possible after the tasks before it on its processor. A task is held back from a
/// processor if its turn there has passed, or if it should have preceded the last task there; it
/// may follow a later task.
template <class Time>
class start_bounds {
 public:
  Time deadline = 0;                    ///< latest finish of all tasks
  Time now = 0;                         ///< start of the last placed task: none starts earlier
  Time shortest = 0;                    ///< least duration of the tasks left out
  table<Time> starts, limits;           ///< [t · processors + p]: earliest and latest start
  table<std::uint8_t> held_back;        ///< likewise: not to be started next
  table<Time> best_finish;              ///< earliest finish of a task, by task
  table<std::uint32_t> best_processor;  ///< where it is
  table<Time> second_finish;            ///< earliest finish on another processor
  table<Time> first_start;              ///< earliest start of a task, by processor

  /// Reserves the tables for a problem.
  constexpr explicit start_bounds(const delay_facts<Time>& f)
      : starts(std::size_t{f.count} * f.processors),
        limits(std::size_t{f.count} * f.processors),
        held_back(std::size_t{f.count} * f.processors),
        best_finish(f.count),
        best_processor(f.count),
        second_finish(f.count),
        first_start(f.processors) {}

  /// Fills `starts` with lower bounds: no completion that meets the deadline starts the task on the
  /// processor earlier; `never` if none starts it there. False if some task has no processor left.
  constexpr bool find(const delay_facts<Time>& f, const partial_schedule<Time>& s, Time end) {
    deadline = end;
    now = s.depth == 0 || f.has_fixed_order() ? 0 : s.placed[s.sequence[s.depth - 1]].start;
    shortest = never;
    s.each_undone(f, [&](std::uint32_t t) {
      if (f.durations[t] < shortest) shortest = f.durations[t];
    });
    for (std::uint32_t p = 0; p < f.processors; ++p) first_start[p] = never;
    for (std::uint32_t i = 0; i < f.words; ++i)
      for (std::uint64_t left = f.all[i] & ~s.done[i]; left != 0; left &= left - 1)
        if (!find_starts_of(f, s, 64 * i + static_cast<std::uint32_t>(std::countr_zero(left))))
          return false;
    return true;
  }

  /// True if a task that starts at a time keeps the order of starts.
  constexpr bool is_in_turn(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                            std::uint32_t t, std::uint32_t p, Time start) const {
    if (s.depth == 0 || f.has_fixed_order() || start > now) return true;
    if (start < now) return false;
    const std::uint32_t last = s.sequence[s.depth - 1];
    const bool lasts = f.duration(t, p) != 0, last_lasts = s.placed[last].finish != now;
    return lasts != last_lasts ? lasts : t > last;
  }

 private:
  static constexpr Time never = delay_facts<Time>::never;
  static constexpr std::uint32_t no_task = delay_facts<Time>::no_task;
  using neighbour = typename delay_facts<Time>::neighbour;
  using place = typename partial_schedule<Time>::place;

  constexpr bool find_starts_of(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                std::uint32_t t) {
    Time* const row = &starts[std::size_t{t} * f.processors];
    Time* const limit = &limits[std::size_t{t} * f.processors];
    std::uint8_t* const held = &held_back[std::size_t{t} * f.processors];
    const Time* const free_at = &s.free_at[std::size_t{s.depth} * f.processors];
    const bool is_free = s.waiting[t] == 0;
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      row[p] = free_at[p];
      held[p] = 0;
    }
    std::uint32_t coming_count = 0;
    for (const neighbour& e : f.earlier_than(t)) {
      if (s.is_done(e.task)) {
        const place& from = s.placed[e.task];
        const Time here = row[from.processor], arrival = from.finish + e.delay;
        for (std::uint32_t p = 0; p < f.processors; ++p)
          if (row[p] < arrival) row[p] = arrival;
        row[from.processor] = here > from.finish ? here : from.finish;
      } else {
        ++coming_count;
        const Time* const other = &starts[std::size_t{e.task} * f.processors];
        for (std::uint32_t p = 0; p < f.processors; ++p) {
          const Time here = other[p] + f.duration(e.task, p);
          const Time elsewhere = finish_elsewhere(e.task, p) + e.delay;
          const Time arrival = here < elsewhere ? here : elsewhere;
          if (row[p] < arrival) row[p] = arrival;
        }
      }
    }
    if (is_free && f.w.resources.empty())
      hold_back(f, s, t, row, held);
    else
      for (std::uint32_t p = 0; p < f.processors; ++p)
        if (row[p] < now) row[p] = now;
    if (coming_count > 1) wait_for_several(f, s, t, row);
    for (std::uint32_t p = 0; p < f.processors; ++p)
      limit[p] = deadline - f.tails[t] - f.duration(t, p);
    if (is_free) limit_by_exchange(f, s, t, limit);
    Time best = never, second = never;
    std::uint32_t best_at = 0;
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      if (row[p] > limit[p] || (f.own && p != t)) {
        row[p] = never;
        continue;
      }
      if (row[p] < first_start[p]) first_start[p] = row[p];
      const Time finish = row[p] + f.duration(t, p);
      if (finish < best) {
        second = best;
        best = finish;
        best_at = p;
      } else if (finish < second) {
        second = finish;
      }
    }
    best_finish[t] = best;
    second_finish[t] = second;
    best_processor[t] = best_at;
    return best != never;
  }

  constexpr Time finish_elsewhere(std::uint32_t t, std::uint32_t p) const {
    return best_processor[t] == p ? second_finish[t] : best_finish[t];
  }

  // A task whose data have arrived is held back from a processor if it would start before its turn,
  // or in place of the last task there though it should precede that one.
  constexpr void hold_back(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                           std::uint32_t t, Time* row, std::uint8_t* held) const {
    const std::uint32_t* const last_on = &s.last_on[std::size_t{s.depth} * f.processors];
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      held[p] = !is_in_turn(f, s, t, p, row[p]);
      const std::uint32_t last = last_on[p];
      if (!held[p] && last != no_task && f.has_to_precede(t, last))
        held[p] = data_ready(f, s, t, p) <= s.placed[last].start;
      if (held[p] && row[p] < now + shortest) row[p] = now + shortest;
    }
  }

  // The arrival time of a task's data on a processor. Precondition: its predecessors are placed.
  constexpr Time data_ready(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                            std::uint32_t t, std::uint32_t p) const {
    Time at = 0;
    for (const neighbour& e : f.earlier_than(t)) {
      const place& from = s.placed[e.task];
      const Time arrival = from.finish + (from.processor == p ? 0 : e.delay);
      if (arrival > at) at = arrival;
    }
    return at;
  }

  // Unplaced predecessors on the same processor as the task run in sequence.
  constexpr void wait_for_several(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                  std::uint32_t t, Time* row) {
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      coming_.clear();
      for (const neighbour& e : f.earlier_than(t)) {
        if (s.is_done(e.task)) continue;
        split_neighbour<Time> added{
            finish_elsewhere(e.task, p) + e.delay,
            {f.duration(e.task, p), starts[std::size_t{e.task} * f.processors + p]}};
        if (added.elsewhere > never) added.elsewhere = never;
        insert_sorted(coming_, added, split_neighbour<Time>::is_before);
      }
      const Time least = time_beside(coming_, here_, row[p], coming_.size());
      if (least > row[p]) row[p] = least;
    }
  }

  // A task of the same duration as one that started earlier, and that it should precede, starts
  // only where exchanging the two would do harm.
  constexpr void limit_by_exchange(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                   std::uint32_t t, Time* limit) const {
    for (std::uint32_t i = 0; i < f.words; ++i) {
      // A placed task u that t has to precede.
      const std::uint64_t exchangeable = f.after_same_time[t * f.words + i] & s.done[i];
      for (std::uint64_t left = exchangeable; left != 0; left &= left - 1) {
        const std::uint32_t u = 64 * i + static_cast<std::uint32_t>(std::countr_zero(left));
        const place& at = s.placed[u];
        if (data_ready(f, s, t, at.processor) > at.start) continue;
        const Time delay = f.longest_delay[t] > 1 ? f.longest_delay[t] : 1;
        for (std::uint32_t p = 0; p < f.processors; ++p) {
          if (p == at.processor) {
            limit[p] = -1;
          } else if (limit[p] >= at.start + delay) {
            const Time ready = data_ready(f, s, u, p);
            const Time least = ready > at.start + delay ? ready : at.start + delay;
            if (limit[p] >= least) limit[p] = least - 1;
          }
        }
      }
    }
  }

  table<split_neighbour<Time>> coming_;  // unplaced predecessors of a task, seen from a processor
  one_machine<Time> here_;
};

}  // namespace wf::detail
