// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/simulate/account/run_account.hpp>

namespace wf {

/// The reason why time passes on the critical path.
enum class path_reason : std::uint8_t {
  compute,  ///< a host runs the task
  link,     ///< the task's data move, or are under way
  delay,    ///< the task is a delay: a latency, a timer, an input that comes later
  queue,    ///< the task waits for a resource that others hold
};
/// Number of reasons.
inline constexpr std::size_t path_reasons = 4;

/// The English name of a reason, such as "compute".
constexpr const char* to_text(path_reason r) {
  switch (r) {
    case path_reason::compute:
      return "compute";
    case path_reason::link:
      return "link";
    case path_reason::delay:
      return "delay";
    case path_reason::queue:
      return "queue";
  }
  return "unknown";
}

/// A part of the critical path.
struct path_segment {
  std::uint32_t task = 0;                     ///< index of the task that ran or waited
  std::int64_t from = 0;                      ///< in ticks
  std::int64_t to = 0;                        ///< in ticks; larger than `from`
  path_reason reason = path_reason::compute;  ///< why this time passed

  friend constexpr bool operator==(const path_segment&, const path_segment&) = default;
};

/// The critical path of a run, by time.
struct run_path {
  /// They cover the time from 0 to the makespan, each beginning where the one before it ends.
  table<path_segment> segments;
  std::int64_t ticks[path_reasons]{};  ///< sum of the segments of each reason

  /// The ticks of a reason.
  constexpr std::int64_t of(path_reason r) const { return ticks[static_cast<std::size_t>(r)]; }
  friend constexpr bool operator==(const run_path&, const run_path&) = default;
};

/// The critical path of a run: the chain of causes that ends at the first of the tasks that finish
/// last, apart from delays. Each task of the chain has a segment from its start to its finish, and
/// one before it for the time that it waited for its resource; those without time are left out. No
/// task of the chain can start earlier unless one before it ends earlier or its resource is free
/// earlier. A task whose host or link is shared with others takes longer than alone: that is part
/// of its own segment. Empty if the makespan is 0. O(tasks).
constexpr run_path critical_path_of(const run_account& a) {
  run_path out;
  std::uint32_t at = run_task::none;
  for (std::uint32_t t = 0; t < a.tasks.size() && at == run_task::none; ++t)
    if (a.tasks[t].finish == a.makespan && a.tasks[t].role != run_role::delay) at = t;
  for (std::uint32_t t = 0; t < a.tasks.size() && at == run_task::none; ++t)
    if (a.tasks[t].finish == a.makespan) at = t;
  const auto add = [&](std::int64_t from, std::int64_t to, path_reason why) {
    if (from == to) return;
    out.segments.push_back({at, from, to, why});
    out.ticks[static_cast<std::size_t>(why)] += to - from;
  };
  for (; at != run_task::none; at = a.tasks[at].cause) {
    const run_task& t = a.tasks[at];
    add(t.start, t.finish,
        t.role == run_role::host   ? path_reason::compute
        : t.role == run_role::link ? path_reason::link
                                   : path_reason::delay);
    add(t.ready, t.start, path_reason::queue);
  }
  for (std::size_t i = 0, n = out.segments.size(); i < n / 2; ++i) {
    const path_segment last = out.segments[n - 1 - i];
    out.segments[n - 1 - i] = out.segments[i];
    out.segments[i] = last;
  }
  return out;
}

}  // namespace wf
