// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/schedule/delay_facts.hpp>
#include <wf/map/schedule/partial_schedule.hpp>
#include <wf/map/schedule/start_bounds.hpp>
#include <wf/map/schedule/subset_sums.hpp>

namespace wf::detail {

/// Necessary conditions for a completion of a partial schedule that meets the deadline, given the
/// bounds on starts. docs/explanation/scheduling.md justifies them.
template <class Time>
class deadline_tests {
 public:
  /// Reserves the tables for a problem.
  constexpr explicit deadline_tests(const delay_facts<Time>& f)
      : first_start_of_these_(f.processors),
        forced_(f.processors),
        cluster_work_(f.count),
        leader_(f.count),
        allowed_(f.count) {}

  /// True if the partial schedule passes all tests; removes starts (sets them to `never`) on
  /// processors that a cluster of tasks excludes.
  constexpr bool pass(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                      start_bounds<Time>& b) {
    return has_room_at_every_tail(f, s, b) && has_room_for_clusters(f, s, b) &&
           has_resources(f, s, b);
  }

 private:
  static constexpr Time never = delay_facts<Time>::never;
  using neighbour = typename delay_facts<Time>::neighbour;

  constexpr bool can_reach(const delay_facts<Time>& f, const start_bounds<Time>& b) const {
    return f.alike &&
           static_cast<std::uint64_t>(b.deadline / f.unit) < 64 * reachable_sums::most_words;
  }
  constexpr void clear_sums(const delay_facts<Time>& f, const start_bounds<Time>& b) {
    sums_.clear(static_cast<std::size_t>(b.deadline / f.unit) / 64 + 1);
  }
  constexpr void add_to_sums(const delay_facts<Time>& f, const start_bounds<Time>& b, Time time) {
    if (time > 0 && time <= b.deadline) sums_.add(static_cast<std::size_t>(time / f.unit));
  }
  // The maximum work that fits into a time on one processor, by subset sums if `reach`.
  constexpr Time work_within(const delay_facts<Time>& f, Time time, bool reach) const {
    return reach ? static_cast<Time>(sums_.below(static_cast<std::size_t>(time / f.unit))) * f.unit
                 : time;
  }

  // For every tail value, the tasks with at least that tail must finish that long before the
  // deadline: true if all processors together have the time for them, and each one for the tasks
  // that have no other processor.
  constexpr bool has_room_at_every_tail(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                        const start_bounds<Time>& b) {
    const bool reach = can_reach(f, b);
    if (reach) clear_sums(f, b);
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      first_start_of_these_[p] = never;
      forced_[p] = 0;
    }
    Time work = 0;
    for (std::size_t i = 0; i < f.by_tail.size(); ++i) {
      const std::uint32_t t = f.by_tail[i];
      if (!s.is_done(t)) {
        const Time* const row = &b.starts[std::size_t{t} * f.processors];
        const Time end = b.deadline - f.tails[t];
        work += f.durations[t];
        if (reach) add_to_sums(f, b, f.durations[t]);
        std::uint32_t processors = 0, only = 0;
        for (std::uint32_t p = 0; p < f.processors; ++p) {
          if (row[p] == never) continue;
          ++processors;
          only = p;
          if (row[p] < first_start_of_these_[p]) first_start_of_these_[p] = row[p];
        }
        if (processors == 1) {
          forced_[only] += f.duration(t, only);
          if (first_start_of_these_[only] + forced_[only] > end) return false;
        }
      }
      if (i + 1 < f.by_tail.size() && f.tails[f.by_tail[i + 1]] == f.tails[t]) continue;
      const Time end = b.deadline - f.tails[t];
      Time room = 0;
      for (std::uint32_t p = 0; p < f.processors && room < work; ++p)
        if (first_start_of_these_[p] < end)
          room += work_within(f, end - first_start_of_these_[p], reach);
      if (work > room) return false;
    }
    return true;
  }

  // Tasks without time for the delay between them share a processor: true if the clusters that they
  // form fit into the processors as wholes.
  constexpr bool has_room_for_clusters(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                                       start_bounds<Time>& b) {
    if (f.own || f.processors > 64 || !f.w.has_delays) return true;
    Time work = 0, least_tail = never;
    s.each_undone(f, [&](std::uint32_t t) {
      leader_[t] = t;
      cluster_work_[t] = 0;
      work += f.durations[t];
      if (f.tails[t] < least_tail) least_tail = f.tails[t];
      allowed_[t] = 0;
      for (std::uint32_t p = 0; p < f.processors; ++p)
        if (b.starts[std::size_t{t} * f.processors + p] != never)
          allowed_[t] |= std::uint64_t{1} << p;
    });
    bool merged = false, possible = true;
    s.each_undone(f, [&](std::uint32_t t) {
      const Time latest = b.deadline - f.tails[t] - f.durations[t];
      for (const neighbour& e : f.earlier_than(t)) {
        if (s.is_done(e.task) || b.best_finish[e.task] + e.delay <= latest) continue;
        const std::uint32_t a = leader_of(e.task), b = leader_of(t);
        if (a == b) continue;
        leader_[b] = a;
        allowed_[a] &= allowed_[b];
        merged = true;
        possible = possible && allowed_[a] != 0;
      }
    });
    if (!merged) return true;
    if (!possible) return false;
    for (std::uint32_t p = 0; p < f.processors; ++p) forced_[p] = 0;
    s.each_undone(f, [&](std::uint32_t t) {
      const std::uint32_t leader = leader_of(t);
      const std::uint64_t allowed = allowed_[leader];
      cluster_work_[leader] += f.durations[t];
      for (std::uint32_t p = 0; p < f.processors; ++p)
        if ((allowed >> p & 1) == 0) b.starts[std::size_t{t} * f.processors + p] = never;
      if ((allowed & (allowed - 1)) == 0) {
        const auto p = static_cast<std::uint32_t>(std::countr_zero(allowed));
        forced_[p] += f.duration(t, p);
      }
    });
    const bool reach = can_reach(f, b);
    if (reach) {
      clear_sums(f, b);
      s.each_undone(f, [&](std::uint32_t t) {
        if (leader_[t] == t) add_to_sums(f, b, cluster_work_[t]);
      });
    }
    const Time end = b.deadline - least_tail;
    Time room = 0;
    for (std::uint32_t p = 0; p < f.processors; ++p) {
      const Time time = b.first_start[p] < end ? end - b.first_start[p] : 0;
      if (forced_[p] > time) return false;
      room += work_within(f, time, reach);
      if (room > work) room = work;
    }
    return work <= room;
  }
  constexpr std::uint32_t leader_of(std::uint32_t t) {
    while (leader_[t] != t) t = leader_[t] = leader_[leader_[t]];
    return t;
  }

  // True if the energy of all remaining and running tasks is available between now and the
  // deadline.
  constexpr bool has_resources(const delay_facts<Time>& f, const partial_schedule<Time>& s,
                               const start_bounds<Time>& b) const {
    for (std::uint32_t r = 0; r < f.w.resources.size(); ++r) {
      int128 used = 0;
      for (std::uint32_t t = 0; t < f.count; ++t) {
        if (!s.is_done(t))
          used += static_cast<int128>(f.w.demand(t, r)) * f.durations[t];
        else if (s.is_running(t, b.now))
          used += static_cast<int128>(f.w.demand(t, r)) * (s.placed[t].finish - b.now);
      }
      if (used > static_cast<int128>(f.w.resources[r].capacity) * (b.deadline - b.now))
        return false;
    }
    return true;
  }

  table<Time> first_start_of_these_, forced_;  // by processor
  table<Time> cluster_work_;                   // by task
  table<std::uint32_t> leader_;                // forest of the clusters, by task
  table<std::uint64_t> allowed_;               // processors of a cluster, by its leader
  reachable_sums sums_;
};

}  // namespace wf::detail
