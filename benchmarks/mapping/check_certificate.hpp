// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <wf/core/integer.hpp>
#include <wf/map/schedule/resource_schedule.hpp>

namespace mapping_benchmark {

/// A resource of a graph in the checker's form: processors are a resource of which every task uses
/// 1.
struct checked_resource {
  std::int64_t capacity = 0;
  std::vector<std::int64_t> demand;
};

/// The largest tails that follow from the claimed ones in one step: for each task, the most that
/// its successors or, for some resource and time x, the energy of its descendants justify.
inline std::vector<std::int64_t> justified_tails(const std::vector<std::int64_t>& duration,
                                                 const std::vector<std::vector<bool>>& follows,
                                                 const std::vector<checked_resource>& resources,
                                                 const std::vector<std::int64_t>& claimed) {
  const std::size_t count = duration.size();
  std::vector<std::int64_t> out(count);
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t s = 0; s < count; ++s) {
      if (!follows[t][s]) continue;
      out[t] = std::max(out[t], claimed[s] + duration[s]);
      const std::int64_t x = claimed[s];
      for (const checked_resource& r : resources) {
        if (r.capacity == 0) continue;
        wf::int128 energy = 0;
        for (std::size_t u = 0; u < count; ++u)
          if (follows[t][u])
            energy +=
                static_cast<wf::int128>(r.demand[u]) *
                std::max<std::int64_t>(0, std::min(duration[u], claimed[u] + duration[u] - x));
        const wf::int128 time = (energy + r.capacity - 1) / r.capacity;
        out[t] = std::max(out[t], x + static_cast<std::int64_t>(time));
      }
    }
  return out;
}

/// Verifies a certificate of a valid graph without delays against the definition of the bounds
/// alone; returns the first fault, or "". A certificate by search contains only its bound. O(tasks³
/// · resources).
inline std::string fault_of(const wf::task_graph& g, const wf::makespan_certificate& c) {
  const std::size_t count = g.tasks.size();
  if (c.heads.size() != count || c.tails.size() != count) return "a head or a tail is missing";
  std::vector<std::int64_t> duration, heads, tails;
  for (std::size_t t = 0; t < count; ++t) {
    duration.push_back(g.tasks[t].duration);
    heads.push_back(c.heads[t]);
    tails.push_back(c.tails[t]);
  }
  std::vector<std::vector<bool>> later(count, std::vector<bool>(count)), earlier = later;
  for (const wf::task_edge& e : g.edges) later[e.from][e.to] = true;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < count; ++i)
      if (later[i][k])
        for (std::size_t j = 0; j < count; ++j)
          if (later[k][j]) later[i][j] = true;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) earlier[j][i] = later[i][j];

  std::vector<checked_resource> resources(g.resources.size() + 1);
  for (checked_resource& r : resources) r.demand.resize(count);
  for (std::size_t r = 0; r < g.resources.size(); ++r)
    resources[r].capacity = g.resources[r].capacity;
  for (const wf::resource_demand& d : g.demands) resources[d.resource].demand[d.task] = d.amount;
  resources.back().capacity = g.processors;
  if (g.processors != 0) resources.back().demand.assign(count, 1);

  const std::vector<std::int64_t> most_tails = justified_tails(duration, later, resources, tails);
  const std::vector<std::int64_t> most_heads = justified_tails(duration, earlier, resources, heads);
  for (std::size_t t = 0; t < count; ++t) {
    if (tails[t] > most_tails[t]) return "the tail of task " + std::to_string(t) + " is too long";
    if (heads[t] > most_heads[t]) return "the head of task " + std::to_string(t) + " is too late";
  }

  switch (c.reason) {
    case wf::bound_reason::search:
      return {};
    case wf::bound_reason::window:
      if (c.task >= count) return "the certificate names no task";
      return heads[c.task] + duration[c.task] + tails[c.task] < c.bound
                 ? "the window of the task is shorter than the bound"
                 : "";
    case wf::bound_reason::interval:
      break;
  }
  if (c.resource >= resources.size()) return "the certificate names no resource";
  if (c.begin >= c.end) return "the certificate's interval is empty";
  const checked_resource& r = resources[c.resource];
  wf::int128 energy = 0;
  for (std::size_t t = 0; t < count; ++t) {
    // If the makespan is below the bound, the task runs in [head, bound - 1 - tail).
    const std::int64_t latest = c.bound - 1 - tails[t] - duration[t];
    const std::int64_t left = std::max<std::int64_t>(
        0, std::min(heads[t] + duration[t], c.end) - std::max(heads[t], c.begin));
    const std::int64_t right = std::max<std::int64_t>(
        0, std::min(latest + duration[t], c.end) - std::max(latest, c.begin));
    energy += static_cast<wf::int128>(r.demand[t]) * std::min(left, right);
  }
  if (energy <= static_cast<wf::int128>(r.capacity) * (c.end - c.begin))
    return "the interval is not overloaded";
  return {};
}

}  // namespace mapping_benchmark
