// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/map/schedule/task_graph.hpp>

namespace wf {

namespace detail {

// The usage of a resource, or of a processor with capacity 1, as a step function of time: `used`
// from `time` on, until the next entry. A task without duration uses nothing, but on a processor it
// must not lie inside another task: `kept` marks its position.
class usage_profile {
 public:
  constexpr usage_profile() { steps_.push_back({}); }

  // The earliest time from `at` on at which `amount` more (at most the capacity) is free for
  // `duration`. O(log steps + steps passed).
  constexpr std::int64_t earliest(std::int64_t at, std::int64_t duration, std::int64_t amount,
                                  std::int64_t capacity) const {
    for (std::size_t i = last_not_after(at); i < steps_.size() && steps_[i].time < at + duration;
         ++i) {
      if (steps_[i].used > capacity - amount)
        at = steps_[i + 1].time;  // the last step uses nothing
      else if (steps_[i].kept && steps_[i].time > at)
        at = steps_[i].time;
    }
    return at;
  }
  // The earliest time from `at` on that is not inside a task. O(log steps).
  constexpr std::int64_t earliest_between(std::int64_t at) const {
    const std::size_t i = last_not_after(at);
    return steps_[i].used != 0 && steps_[i].time < at ? steps_[i + 1].time : at;
  }
  // Adds a usage of `amount` for `duration`. O(steps).
  constexpr void use(std::int64_t from, std::int64_t duration, std::int64_t amount) {
    const std::size_t first = cut(from);
    if (duration == 0) steps_[first].kept = true;
    const std::size_t end = cut(from + duration);
    for (std::size_t i = first; i < end; ++i) steps_[i].used += amount;
  }
  // The time from which on nothing is in use.
  constexpr std::int64_t end() const { return steps_.back().time; }

 private:
  struct step {
    std::int64_t time = 0, used = 0;
    bool kept = false;
  };
  constexpr std::size_t last_not_after(std::int64_t time) const {
    std::size_t low = 0, high = steps_.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (steps_[middle].time <= time ? low : high) = middle;
    }
    return low;
  }
  constexpr std::size_t cut(std::int64_t time) {
    const std::size_t at = last_not_after(time);
    if (steps_[at].time == time) return at;
    steps_.push_back({});
    for (std::size_t i = steps_.size() - 1; i > at + 1; --i) steps_[i] = steps_[i - 1];
    steps_[at + 1] = {time, steps_[at].used, false};
    return at + 1;
  }

  table<step> steps_;
};

enum class list_rule : std::uint8_t { earliest_start, earliest_finish_inserted };

// Schedules tasks by priority (the largest first among those that are ready, ties by index), each
// on the processor selected by the rule, as early as possible there.
constexpr table<task_placement> list_schedule(const prepared_tasks& w,
                                              const table<std::int64_t>& priority, list_rule rule,
                                              bool own_processors) {
  table<task_placement> out(w.size());
  table<usage_profile> busy(own_processors ? 0 : w.processors), used(w.resources.size());

  const auto start_on = [&](std::uint32_t t, std::uint32_t p) {
    std::int64_t at = 0;
    for (const task_neighbour& e : w.earlier_than(t)) {
      const std::int64_t arrival = out[e.task].finish + (out[e.task].processor == p ? 0 : e.delay);
      if (arrival > at) at = arrival;
    }
    const std::int64_t duration = w.duration(t, p);
    if (!own_processors && rule == list_rule::earliest_start && busy[p].end() > at)
      at = busy[p].end();
    for (bool moved = true; moved;) {
      const std::int64_t before = at;
      if (!own_processors)
        at = duration == 0 ? busy[p].earliest_between(at) : busy[p].earliest(at, duration, 1, 1);
      for (std::uint32_t r = 0; r < used.size() && duration != 0; ++r)
        at = used[r].earliest(at, duration, w.demand(t, r), w.resources[r].capacity);
      moved = at != before;
    }
    return at;
  };
  for (ready_tasks ready(w, priority); !ready.empty();) {
    const std::uint32_t t = ready.take();
    task_placement best;
    for (std::uint32_t p = own_processors ? t : 0; p < (own_processors ? t + 1 : w.processors);
         ++p) {
      const std::int64_t start = start_on(t, p);
      const task_placement here{p, start, start + w.duration(t, p)};
      const bool better = rule == list_rule::earliest_start && here.start != best.start
                              ? here.start < best.start
                              : here.finish < best.finish;
      if (p == 0 || own_processors || better) best = here;
    }
    out[t] = best;
    const std::int64_t duration = best.finish - best.start;
    if (!own_processors) busy[best.processor].use(best.start, duration, 1);
    for (std::uint32_t r = 0; r < used.size() && duration != 0; ++r)
      used[r].use(best.start, duration, w.demand(t, r));
  }
  return out;
}

// Mean time of a task over all processors, rounded down.
constexpr std::int64_t mean_duration(const prepared_tasks& w, std::uint32_t t) {
  if (w.durations_on.empty()) return w.durations[t];
  std::int64_t sum = 0;
  for (std::uint32_t p = 0; p < w.processors; ++p) sum += w.duration(t, p);
  return sum / w.processors;
}

// The level of each task: the longest path from its start to the end, by mean times, and delays if
// wanted.
constexpr table<std::int64_t> mean_levels(const prepared_tasks& w, bool with_delays) {
  table<std::int64_t> out(w.size());
  for (std::uint32_t t = w.size(); t-- > 0;) {
    for (const task_neighbour& e : w.later_than(t)) {
      const std::int64_t level = out[e.task] + (with_delays ? e.delay : 0);
      if (level > out[t]) out[t] = level;
    }
    out[t] += mean_duration(w, t);
  }
  return out;
}

// Converts a schedule of the prepared form into one of the graph.
constexpr task_schedule schedule_of(const prepared_tasks& w, const task_graph& g,
                                    const table<task_placement>& placed, bool reversed = false) {
  task_schedule out;
  out.tasks.resize(w.size());
  for (const task_placement& p : placed)
    if (p.finish > out.makespan) out.makespan = p.finish;
  for (std::uint32_t t = 0; t < w.size(); ++t) {
    task_placement at = placed[t];
    if (reversed) at = {at.processor, out.makespan - at.finish, out.makespan - at.start};
    if (g.processors == 0) at.processor = w.original[t];
    out.tasks[w.original[t]] = at;
  }
  return out;
}

constexpr result<task_schedule> list_schedule(const task_graph& g, list_rule rule) {
  const auto valid = validate(g);
  if (!valid) return valid.error();
  const prepared_tasks w = prepare(g);
  const bool with_delays = rule == list_rule::earliest_finish_inserted;
  return schedule_of(w, g, list_schedule(w, mean_levels(w, with_delays), rule, g.processors == 0));
}

}  // namespace detail

/// HLFET (highest levels first with estimated times): of the ready tasks the one with the longest
/// path of times to the end comes next; it is appended to the processor where it starts first.
/// Renewable resources are respected. The schedule's bound is 0: nothing is proven. Errors: those
/// of `validate`. O(tasks · (processors + log tasks) + edges · processors) without resources.
/// Source: Adam, Chandy and Dickson, "A comparison of list schedules for parallel processing
/// systems", CACM 1974.
constexpr result<task_schedule> hlfet(const task_graph& g) {
  return detail::list_schedule(g, detail::list_rule::earliest_start);
}

/// HEFT (heterogeneous earliest finish time): tasks in the order of their longest paths of mean
/// times and delays to the end, each on the processor where it finishes first, inserted into an
/// idle interval if it fits there. Renewable resources are respected. The schedule's bound is 0:
/// nothing is proven. Errors: those of `validate`. O(tasks² + edges · processors) without
/// resources. Source: Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity task
/// scheduling for heterogeneous computing", IEEE TPDS 2002.
constexpr result<task_schedule> heft(const task_graph& g) {
  return detail::list_schedule(g, detail::list_rule::earliest_finish_inserted);
}

}  // namespace wf
