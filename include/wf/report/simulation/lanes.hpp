// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/simulate/account/run_account.hpp>

namespace wf::detail {

/// A task in a lane of a resource.
struct lane_box {
  std::uint32_t task = 0;  ///< index of the task
  std::int64_t lane = 0;   ///< counted from 0
};

/// The tasks of a resource, in lanes in which no two are in use at a time.
struct resource_lanes {
  std::uint32_t resource = 0;  ///< index of the resource
  std::int64_t lanes = 0;      ///< number of lanes
  table<lane_box> boxes;       ///< by the begin of their use
};

/// Packs tasks into lanes: each gets the first one that is free. O(tasks · (log tasks + lanes)).
constexpr resource_lanes pack_lanes(const run_account& a, std::uint32_t resource,
                                    table<std::uint32_t>& tasks) {
  stable_sort(tasks, [&](std::uint32_t x, std::uint32_t y) {
    return a.tasks[x].use_begin < a.tasks[y].use_begin;
  });
  resource_lanes out{resource, 0, {}};
  table<std::int64_t> free;
  for (const std::uint32_t t : tasks) {
    std::size_t lane = 0;
    while (lane < free.size() && free[lane] > a.tasks[t].use_begin) ++lane;
    if (lane == free.size()) free.push_back(0);
    free[lane] = a.tasks[t].use_end;
    out.boxes.push_back({t, static_cast<std::int64_t>(lane)});
  }
  out.lanes = static_cast<std::int64_t>(free.size());
  return out;
}

/// The lanes of the resources that were used: of all hosts, then of all links. Delays have none.
/// O(tasks · (log tasks + lanes) + resources).
constexpr table<resource_lanes> lanes_of(const run_account& a) {
  table<table<std::uint32_t>> tasks(a.resources.size());
  for (std::uint32_t t = 0; t < a.tasks.size(); ++t)
    for (const std::uint32_t r : a.resources_of(a.tasks[t])) tasks[r].push_back(t);
  table<resource_lanes> out;
  for (const run_role role : {run_role::host, run_role::link})
    for (std::uint32_t r = 0; r < a.resources.size(); ++r)
      if (a.resources[r].role == role && !tasks[r].empty())
        out.push_back(pack_lanes(a, r, tasks[r]));
  return out;
}

}  // namespace wf::detail
