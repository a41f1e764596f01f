// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/project.hpp>

namespace wf::detail {

// Tasks with known tails, sorted by tail and by tail + duration.
class tail_order {
 public:
  // Lower bound on the time from the finish of a task to the end, by the energy of its descendants:
  // for each resource, the maximum over x of x + ⌈F(x) / room⌉, where F(x) is the energy that they
  // must spend earlier than x before the end: Σ weight · min(p, max(0, q + p - x)).
  constexpr std::int64_t after(const project& p, std::uint32_t task) const {
    std::int64_t best = 0;
    const word* const row = p.descendants_of(task);
    for (std::uint32_t r = 0; r < p.resources; ++r) {
      std::int64_t levels = 0, weight_of_levels = 0, tails = 0, weight_of_tails = 0;
      std::size_t next = 0;
      for (std::size_t i = 0; i < by_tail_.size(); ++i) {
        const entry& e = by_tail_[i];
        if (!has_bit(row, e.task)) continue;
        const std::int64_t x = e.time;
        for (; next < by_level_.size() && by_level_[next].time > x; ++next)
          if (has_bit(row, by_level_[next].task)) {
            const std::int64_t weight = p.weight(by_level_[next].task, r);
            levels += weight * by_level_[next].time;
            weight_of_levels += weight;
          }
        const std::int64_t energy = levels - x * weight_of_levels - (tails - x * weight_of_tails);
        const std::int64_t bound = x + energy / p.room[r] + (energy % p.room[r] != 0);
        if (bound > best) best = bound;
        const std::int64_t weight = p.weight(e.task, r);
        tails += weight * x;
        weight_of_tails += weight;
      }
    }
    return best;
  }
  constexpr void add(std::uint32_t task, std::int64_t tail, std::int64_t duration) {
    insert(by_tail_, {tail, task});
    insert(by_level_, {tail + duration, task});
  }

 private:
  struct entry {
    std::int64_t time = 0;
    std::uint32_t task = 0;
  };
  static constexpr void insert(table<entry>& list, entry added) {
    insert_sorted(list, added, [](const entry& a, const entry& b) { return a.time > b.time; });
  }

  table<entry> by_tail_, by_level_;  // descending
};

/// The tail of each task: a lower bound on the time from its finish to the end of any schedule. It
/// is the maximum of the longest path to the end and, with rows of bits, of the energy bound of its
/// descendants: with capacity C and the descendants' tails q and durations p, for every x, x + ⌈Σ
/// weight · min(p, max(0, q + p - x)) / C⌉, since work done earlier than x before the end lies
/// between the task's finish and that time. O(tasks · (tasks · resources + edges)); without rows
/// O(edges).
constexpr table<std::int64_t> tails_of(const project& p) {
  table<std::int64_t> out(p.size);
  tail_order order;
  for (std::uint32_t t = p.size; t-- > 0;) {
    for (const std::uint32_t s : p.later_than(t))
      if (out[s] + p.durations[s] > out[t]) out[t] = out[s] + p.durations[s];
    if (!p.has_rows) continue;
    if (const std::int64_t energetic = order.after(p, t); energetic > out[t]) out[t] = energetic;
    order.add(t, out[t], p.durations[t]);
  }
  return out;
}

/// The time window of each task: it starts no earlier than its head, and at least its tail passes
/// after its finish.
struct time_windows {
  table<std::int64_t> heads, tails;

  /// Lower bound on the makespan: the maximum over tasks of head + duration + tail, which is the
  /// length of the critical path. O(tasks).
  constexpr std::int64_t bound(const project& p) const {
    std::int64_t out = 0;
    for (std::uint32_t t = 0; t < p.size; ++t)
      if (heads[t] + p.durations[t] + tails[t] > out) out = heads[t] + p.durations[t] + tails[t];
    return out;
  }
};

/// Windows from a project and its time reversal, whose task size - 1 - t is this one's t. Cost: as
/// `tails_of`.
constexpr time_windows windows_of(const project& p, const project& reversed) {
  time_windows out;
  out.tails = tails_of(p);
  const table<std::int64_t> heads = tails_of(reversed);
  out.heads.resize(p.size);
  for (std::uint32_t t = 0; t < p.size; ++t) out.heads[t] = heads[p.size - 1 - t];
  return out;
}

/// The same windows with time reversed. O(tasks).
constexpr time_windows turned(const time_windows& w) {
  time_windows out;
  for (std::size_t t = w.heads.size(); t-- > 0;) {
    out.heads.push_back(w.tails[t]);
    out.tails.push_back(w.heads[t]);
  }
  return out;
}

}  // namespace wf::detail
