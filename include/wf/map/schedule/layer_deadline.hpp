// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/project.hpp>
#include <wf/map/schedule/time_windows.hpp>

namespace wf::detail {

/// The state-independent consequences of a deadline: latest start times of tasks, and the energies
/// they need before certain times.
struct layer_deadline {
  std::int64_t deadline = 0;
  bool refuted = false;        ///< true if some window is too short
  table<std::int64_t> latest;  ///< latest start time of each task
  table<std::int64_t> ends;    ///< window ends, ascending; at most `most_ends` of them
  /// For each task, the index of the first end after its latest start, and of the first one not
  /// before the end of its window.
  table<std::uint32_t> first, last;
  table<std::int64_t> energies;  ///< [(t · resources + r) · ends + b]: least energy before ends[b]

  constexpr layer_deadline(const project& p, const time_windows& w, std::int64_t d,
                           std::size_t most_ends)
      : deadline(d) {
    for (std::uint32_t t = 0; t < p.size; ++t) {
      latest.push_back(d - w.tails[t] - p.durations[t]);
      if (w.heads[t] > latest[t]) refuted = true;
      ends.push_back(d - w.tails[t]);
    }
    if (refuted) return;
    stable_sort(ends, [](std::int64_t a, std::int64_t b) { return a < b; });
    std::size_t kept = 0;
    for (const std::int64_t time : ends)
      if (kept == 0 || ends[kept - 1] != time) ends[kept++] = time;
    if (const std::size_t count = kept; count > most_ends) {
      kept = 0;
      for (std::size_t i = 1; i <= most_ends; ++i) ends[kept++] = ends[i * count / most_ends - 1];
    }
    while (ends.size() > kept) ends.pop_back();
    for (std::uint32_t t = 0; t < p.size; ++t) {
      std::uint32_t at = 0;
      while (at < ends.size() && ends[at] <= latest[t]) ++at;
      first.push_back(at);
      while (at < ends.size() && ends[at] < latest[t] + p.durations[t]) ++at;
      last.push_back(at);
    }
    energies.reserve(std::size_t{p.size} * p.resources * ends.size());
    for (std::uint32_t t = 0; t < p.size; ++t)
      for (std::uint32_t r = 0; r < p.resources; ++r)
        for (const std::int64_t end : ends) {
          std::int64_t inside = end - latest[t];
          if (inside > p.durations[t]) inside = p.durations[t];
          energies.push_back(inside > 0 ? inside * p.weight(t, r) : 0);
        }
  }
};

}  // namespace wf::detail
