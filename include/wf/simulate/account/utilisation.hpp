// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/core/integer.hpp>
#include <wf/simulate/account/run_account.hpp>

namespace wf {

/// A step of a utilisation: so many tasks use the resource from `time` on, until the next step.
struct usage_step {
  std::int64_t time = 0;    ///< in ticks
  std::int64_t in_use = 0;  ///< number of tasks; more than the capacity share it

  friend constexpr bool operator==(const usage_step&, const usage_step&) = default;
};

/// The use of one resource over a run.
struct resource_usage {
  /// By time; neighbours differ, and the last one is 0. Empty: never used.
  table<usage_step> steps;
  std::uint64_t tasks = 0;    ///< number of tasks that used it, for no time at all, too
  std::int64_t work = 0;      ///< sum of their work: ticks, work or bytes; saturates
  std::int64_t occupied = 0;  ///< ticks in which at least one task used it
  /// Ticks in use, each counted as often as there are tasks, but at most the capacity; saturates.
  std::int64_t busy = 0;
  std::int64_t most = 0;  ///< the largest number of tasks at a time

  friend constexpr bool operator==(const resource_usage&, const resource_usage&) = default;
};

/// The units of a resource that are busy while so many tasks use it.
constexpr std::int64_t busy_units(const run_resource& r, std::int64_t in_use) {
  return r.capacity != 0 && in_use > r.capacity ? r.capacity : in_use;
}

namespace detail {

/// Changes of the number of tasks on each resource, sorted by time.
inline constexpr auto by_time = [](const usage_step& a, const usage_step& b) {
  return a.time < b.time;
};

/// Turns changes by any order into steps, and sums them up.
constexpr void sum_up(const run_resource& r, table<usage_step>& changes, resource_usage& out) {
  stable_sort(changes, by_time);
  std::int64_t in_use = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    in_use += changes[i].in_use;
    if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time) continue;
    const std::int64_t before = out.steps.empty() ? 0 : out.steps.back().in_use;
    if (in_use == before) continue;
    if (!out.steps.empty()) {
      const std::int64_t ticks = changes[i].time - out.steps.back().time;
      const int128 busy = int128{busy_units(r, before)} * ticks + out.busy;
      out.busy = busy > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(busy);
      if (before != 0) out.occupied += ticks;
    }
    out.steps.push_back({changes[i].time, in_use});
    if (in_use > out.most) out.most = in_use;
  }
}

}  // namespace detail

/// The use of each resource over time, in integers: the integral of the steps, capped by the
/// capacity, is `busy`. A link of a route is in use while a transfer over it moves, whatever rate
/// it gets; the latency is not use. O(uses · log uses + resources).
constexpr table<resource_usage> utilisation_of(const run_account& a) {
  table<resource_usage> out(a.resources.size());
  table<table<usage_step>> changes(a.resources.size());
  for (const run_task& t : a.tasks)
    for (const std::uint32_t r : a.resources_of(t)) {
      ++out[r].tasks;
      out[r].work = saturating_add(out[r].work, t.work);
      if (t.use_begin == t.use_end) continue;
      changes[r].push_back({t.use_begin, 1});
      changes[r].push_back({t.use_end, -1});
    }
  for (std::uint32_t r = 0; r < out.size(); ++r) detail::sum_up(a.resources[r], changes[r], out[r]);
  return out;
}

/// The bytes that a link moved in a run, in percent of what it could have moved: at most the share
/// of time in which it was in use, and less where its transfers were slowed down elsewhere; 0
/// without a limit, or for a run without duration.
constexpr double load_percent(const run_account& a, const run_resource& link,
                              const resource_usage& usage) {
  const double most = link.rate * static_cast<double>(a.makespan);
  return most > 0 ? 100 * static_cast<double>(usage.work) / most : 0;
}

}  // namespace wf
