// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/time_windows.hpp>

namespace wf::detail {

/// An interval in which tasks need more energy of a resource than it offers.
struct overload {
  bool found = false;          ///< true if there is one
  std::uint32_t resource = 0;  ///< index into the resources of the project
  std::int64_t begin = 0;      ///< first time of the interval
  std::int64_t end = 0;        ///< end of the interval, exclusive
};

/// The minimum energy (weight · time) of a task on a resource within [begin, end) in schedules that
/// meet the deadline: the part of its duration that lies inside both if the task is shifted to the
/// left and to the right end of its window.
constexpr std::int64_t least_energy(const project& p, const time_windows& w, std::uint32_t task,
                                    std::uint32_t resource, std::int64_t deadline,
                                    std::int64_t begin, std::int64_t end) {
  std::int64_t inside = p.durations[task];
  const std::int64_t left = w.heads[task] + p.durations[task] - begin;
  const std::int64_t right = end - (deadline - w.tails[task] - p.durations[task]);
  if (end - begin < inside) inside = end - begin;
  if (left < inside) inside = left;
  if (right < inside) inside = right;
  return inside > 0 ? inside * p.weight(task, resource) : 0;
}

/// Finds an overload, which proves that no schedule meets the deadline, among the intervals from a
/// task's head to the end of a task's window, the longest first: Σ minimum energy > capacity ·
/// length. `most` bounds the number of intervals examined for each resource. O(tasks³ · resources).
/// Source: Fernandez and Bussell, "Bounds on the number of processors and time for multiprocessor
/// optimal schedules", IEEE Trans. Computers 1973; for resources Baptiste, Le Pape and Nuijten,
/// "Satisfiability tests and time-bound adjustments for cumulative scheduling problems", 1999.
constexpr overload find_overload(const project& p, const time_windows& w, std::int64_t deadline,
                                 std::size_t most) {
  table<std::int64_t> begins = w.heads, ends;
  for (const std::int64_t q : w.tails) ends.push_back(deadline - q);
  const auto unique = [](table<std::int64_t>& list) {
    stable_sort(list, [](std::int64_t a, std::int64_t b) { return a < b; });
    std::size_t kept = 0;
    for (const std::int64_t time : list)
      if (kept == 0 || list[kept - 1] != time) list[kept++] = time;
    while (list.size() > kept) list.pop_back();
  };
  unique(begins);
  unique(ends);
  for (std::uint32_t r = 0; r < p.resources; ++r) {
    std::size_t looked = 0;
    for (const std::int64_t begin : begins)
      for (std::size_t k = ends.size(); k > 0 && ends[k - 1] > begin && looked < most; --k) {
        const std::int64_t end = ends[k - 1];
        ++looked;
        std::int64_t needed = 0;
        for (std::uint32_t t = 0; t < p.size; ++t)
          needed += least_energy(p, w, t, r, deadline, begin, end);
        if (needed / p.room[r] + (needed % p.room[r] != 0) > end - begin)
          return {true, r, begin, end};
      }
  }
  return {};
}

/// The energetic lower bound and its proof.
struct energetic_bound {
  std::int64_t bound = 0;  ///< lower bound on the makespan
  overload interval;       ///< overload for the deadline bound - 1, if it raised the bound
};

/// Raises a lower bound, at most to `above`, by galloping and bisection over the deadline. `most`
/// bounds the intervals examined for each deadline and resource.
constexpr energetic_bound raise_bound(const project& p, const time_windows& w, std::int64_t bound,
                                      std::int64_t above, std::size_t most) {
  energetic_bound out{bound, {}};
  std::int64_t step = 1;
  bool growing = true;
  while (out.bound < above) {
    const std::int64_t left = above - out.bound;
    if (step > left) step = left;
    const std::int64_t deadline = out.bound + step - 1;
    if (const overload found = find_overload(p, w, deadline, most); found.found) {
      out = {deadline + 1, found};
      if (growing) step *= 2;
    } else {
      above = deadline;
      growing = false;
      if (above <= out.bound) break;
    }
    if (!growing) step = (above - out.bound + 1) / 2;
  }
  return out;
}

}  // namespace wf::detail
