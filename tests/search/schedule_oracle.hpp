// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <wf/search/control.hpp>

#include "schedule_problem.hpp"

// Random scheduling problems, their optima and a checker of schedules, written from the problem's
// statement, independently of the states, bounds and successors of the searches.

namespace wf_test {

/// A random acyclic task set of `least` to `most` tasks on 2 or 3 machines (occasionally one), in
/// arbitrary order.
inline task_set random_tasks(std::mt19937& random, std::size_t least, std::size_t most) {
  task_set out;
  out.tasks = least + random() % (most - least + 1);
  out.machines = random() % 8 == 0 ? 1 : 2 + random() % (most_machines - 1);
  std::size_t order[most_tasks]{};
  for (std::size_t t = 0; t < out.tasks; ++t) {
    out.duration[t] = 1 + static_cast<std::int32_t>(random() % 5);
    const std::size_t at = random() % (t + 1);
    order[t] = order[at];
    order[at] = t;
  }
  const auto density = random() % 40;
  for (std::size_t late = 0; late < out.tasks; ++late)
    for (std::size_t early = 0; early < late; ++early)
      if (random() % 100 < density) out.before[order[late]] |= 1U << order[early];
  return out;
}

/// The least makespan, or `unbounded` if there is no schedule: enumerates the reachable states one
/// time unit after the other, with every choice of tasks to start or delay. Four bits per task: 15
/// if it has not started, else its remaining time.
inline std::int64_t least_makespan(const task_set& in) {
  const auto part = [](std::uint32_t code, std::size_t t) { return (code >> (4 * t)) & 15; };
  std::vector<std::uint32_t> layer{
      static_cast<std::uint32_t>((std::uint64_t{1} << (4 * in.tasks)) - 1)};
  for (std::int32_t time = 0; !layer.empty() && time <= in.deadline; ++time) {
    std::vector<std::uint32_t> next;
    for (const std::uint32_t code : layer) {
      if (code == 0) return time;
      std::uint32_t may_start = 0, ticking = 0;
      std::size_t running = 0;
      for (std::size_t t = 0; t < in.tasks; ++t) {
        const std::uint32_t left = part(code, t);
        if (left != 0 && left != 15) ++running, ticking += 1U << (4 * t);
        if (left != 15) continue;
        bool ready = true;
        for (std::size_t u = 0; u < in.tasks; ++u)
          if (((in.before[t] >> u) & 1) != 0 && part(code, u) != 0) ready = false;
        if (ready) may_start |= 1U << t;
      }
      for (std::uint32_t set = may_start;; set = (set - 1) & may_start) {
        std::uint32_t after = code - ticking;
        std::size_t busy = running;
        for (std::size_t t = 0; t < in.tasks; ++t)
          if (((set >> t) & 1) != 0)
            ++busy, after -= (16 - static_cast<std::uint32_t>(in.duration[t])) << (4 * t);
        if (busy > 0 && busy <= in.machines) next.push_back(after);
        if (set == 0) break;
      }
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    layer = std::move(next);
  }
  return wf::unbounded;
}

/// The same tasks renumbered.
inline task_set renamed(const task_set& in, std::mt19937& random) {
  std::size_t name[most_tasks]{};
  for (std::size_t t = 0; t < in.tasks; ++t) {
    const std::size_t at = random() % (t + 1);
    name[t] = name[at];
    name[at] = t;
  }
  task_set out = in;
  for (std::size_t t = 0; t < in.tasks; ++t) {
    out.duration[name[t]] = in.duration[t];
    out.before[name[t]] = 0;
    for (std::size_t u = 0; u < in.tasks; ++u)
      if (((in.before[t] >> u) & 1) != 0) out.before[name[t]] |= 1U << name[u];
  }
  return out;
}

/// Verifies a complete schedule of this makespan; returns the first fault, or "".
inline std::string schedule_fault(const task_set& in, const partial_schedule& s,
                                  std::int64_t makespan) {
  std::int64_t last = 0;
  for (std::size_t t = 0; t < in.tasks; ++t) {
    if (s.start[t] < 0 || s.start[t] > in.deadline) return "a task starts too early or too late";
    const std::int32_t end = s.start[t] + in.duration[t];
    last = std::max<std::int64_t>(last, end);
    if (s.machine[t] < 0 || s.machine[t] >= static_cast<std::int32_t>(in.machines))
      return "there is no such machine";
    for (std::size_t u = 0; u < in.tasks; ++u) {
      const std::int32_t other_end = s.start[u] + in.duration[u];
      if (((in.before[t] >> u) & 1) != 0 && s.start[t] < other_end)
        return "a task starts before a predecessor has ended";
      if (u != t && s.machine[u] == s.machine[t] && s.start[t] < other_end && s.start[u] < end)
        return "two tasks overlap on a machine";
    }
  }
  if (last > in.deadline) return "the deadline is missed";
  return last == makespan ? "" : "the makespan is another";
}

}  // namespace wf_test
