// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>

namespace wf::detail {

/// A task graph without delays as a project with renewable resources only: identical processors
/// become one more resource, of which every task uses 1. Tasks are numbered in topological order.
///
/// A task runs in [start, finish). A task without duration uses no resource but the processors:
/// there it needs one that is not inside another task, so its entry in `demands` is 1.
struct project {
  std::uint32_t size = 0;       ///< number of tasks
  std::uint32_t resources = 0;  ///< number of resources that may be scarce; processors come last
  std::uint32_t words = 0;      ///< words in a row of one bit per task
  bool has_processors = false;  ///< true if the last resource is the processors
  bool has_rows = false;        ///< true if `successors` and `descendants` are filled
  std::int64_t total = 0;       ///< the sum of all durations
  table<std::uint32_t>
      number;  ///< index of each resource in the graph; one past the last: processors
  table<std::int64_t> durations;
  table<std::int64_t> demands;     ///< [t · resources + r], at most the capacity
  table<std::int64_t> capacities;  ///< [r]
  /// Demands rounded down and capacities rounded up to a common unit per resource, so that the
  /// energies (weight · time) of all tasks together fit into 2^60. The unit is mostly 1.
  table<std::int64_t> weights, room;
  table<range> before, after;  ///< neighbours of each task: ranges of `earlier` and `later`
  table<std::uint32_t> earlier, later;  ///< predecessors and successors
  table<word> successors, descendants;  ///< [t · words …]: rows of bits

  /// The predecessors of a task.
  constexpr view<std::uint32_t> earlier_than(std::uint32_t t) const {
    return view<std::uint32_t>(earlier).part(before[t].first, before[t].count);
  }
  /// The successors of a task.
  constexpr view<std::uint32_t> later_than(std::uint32_t t) const {
    return view<std::uint32_t>(later).part(after[t].first, after[t].count);
  }
  /// The demand of a task on a resource.
  constexpr std::int64_t demand(std::uint32_t t, std::uint32_t r) const {
    return demands[std::size_t{t} * resources + r];
  }
  /// The demand of a task on a resource, in the unit of energies.
  constexpr std::int64_t weight(std::uint32_t t, std::uint32_t r) const {
    return weights[std::size_t{t} * resources + r];
  }
  /// The row of bits of a task's descendants. Requires `has_rows`.
  constexpr const word* descendants_of(std::uint32_t t) const {
    return descendants.data() + std::size_t{t} * words;
  }
  /// The row of bits of a task's direct successors. Requires `has_rows`.
  constexpr const word* successors_of(std::uint32_t t) const {
    return successors.data() + std::size_t{t} * words;
  }
};

// The energy unit of a resource: the least power of two with which all energies fit.
constexpr std::int64_t energy_unit(int128 demand_of_all, std::int64_t total) {
  std::int64_t unit = 1;
  while (demand_of_all / unit + 1 > (std::int64_t{1} << 60) / (total + 1)) unit *= 2;
  return unit;
}

/// The project of prepared tasks with identical processors and without delays; processors are a
/// resource if `has_processors`. Rows of bits are filled if `with_rows`. O(tasks · resources +
/// edges), with rows O(tasks · edges / 64) in addition.
constexpr project project_of(const prepared_tasks& w, bool has_processors, bool with_rows) {
  project out;
  out.size = w.size();
  out.durations = w.durations;
  for (const std::int64_t d : w.durations) out.total += d;

  table<int128> demand_of_all;
  for (std::uint32_t r = 0; r < w.resources.size(); ++r) {
    int128 sum = 0;
    for (std::uint32_t t = 0; t < out.size; ++t)
      if (w.durations[t] != 0) sum += w.demand(t, r);
    if (sum <= w.resources[r].capacity) continue;
    out.number.push_back(r);
    out.capacities.push_back(w.resources[r].capacity);
    demand_of_all.push_back(sum);
  }
  if (has_processors && w.processors < out.size) {
    out.has_processors = true;
    out.number.push_back(static_cast<std::uint32_t>(w.resources.size()));
    out.capacities.push_back(w.processors);
    demand_of_all.push_back(out.size);
  }
  out.resources = static_cast<std::uint32_t>(out.capacities.size());
  out.demands.reserve(std::size_t{out.size} * out.resources);
  for (std::uint32_t t = 0; t < out.size; ++t)
    for (std::uint32_t r = 0; r < out.resources; ++r)
      out.demands.push_back(out.number[r] == w.resources.size() ? 1
                            : w.durations[t] == 0               ? 0
                                                                : w.demand(t, out.number[r]));
  out.weights.resize(out.demands.size());
  for (std::uint32_t r = 0; r < out.resources; ++r) {
    const std::int64_t unit = energy_unit(demand_of_all[r], out.total);
    out.room.push_back(out.capacities[r] / unit + (out.capacities[r] % unit != 0));
    for (std::size_t at = r; at < out.weights.size(); at += out.resources)
      out.weights[at] = out.demands[at] / unit;
  }

  out.before = w.before;
  out.after = w.after;
  for (const task_neighbour& e : w.earlier) out.earlier.push_back(e.task);
  for (const task_neighbour& e : w.later) out.later.push_back(e.task);
  out.words = words_for(out.size);
  if (with_rows) {
    out.has_rows = true;
    out.successors.resize(std::size_t{out.size} * out.words);
    out.descendants.resize(out.successors.size());
    for (std::uint32_t t = out.size; t-- > 0;) {
      word* const row = out.descendants.data() + std::size_t{t} * out.words;
      for (const std::uint32_t s : out.later_than(t)) {
        set_bit(out.successors.data() + std::size_t{t} * out.words, s);
        set_bit(row, s);
        unite(row, out.descendants_of(s), out.words);
      }
    }
  }
  return out;
}

}  // namespace wf::detail
