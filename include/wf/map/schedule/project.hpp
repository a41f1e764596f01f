// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/select/bits.hpp>

namespace wf::detail {

/// A task graph without delays as a project with renewable resources alone: alike processors are
/// one more resource, of which every task uses 1. Tasks are numbered so that precedences ascend.
///
/// A task runs from its start until before its finish. What takes no time uses no resource, but of
/// processors it needs one that is not inside of another task; so `demands` has a 1 there.
struct project {
  std::uint32_t size = 0;       ///< tasks
  std::uint32_t resources = 0;  ///< those that may run short; processors come last
  std::uint32_t words = 0;      ///< of a row of bits with one for each task
  bool has_processors = false;  ///< the last resource is the processors
  bool has_rows = false;        ///< `successors` and `descendants` are there
  std::int64_t total = 0;       ///< the sum of all durations
  table<std::uint32_t> number;  ///< of each resource, its index in the graph
  table<std::int64_t> durations;
  table<std::int64_t> demands;     ///< [t · resources + r], at most the capacity
  table<std::int64_t> capacities;  ///< [r]
  /// Demands rounded down and capacities rounded up by the same unit, so that energies (weight ·
  /// time) of all tasks together fit into 2^60. Mostly the unit is 1.
  table<std::int64_t> weights, room;
  table<range> before, after;           ///< of each task, a range of `earlier`, of `later`
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
  /// The row of all that follows a task.
  constexpr const word* descendants_of(std::uint32_t t) const {
    return descendants.data() + std::size_t{t} * words;
  }
  /// The row of what follows a task at once.
  constexpr const word* successors_of(std::uint32_t t) const {
    return successors.data() + std::size_t{t} * words;
  }
};

// The unit of energies of a resource.
constexpr std::int64_t energy_unit(int128 demand_of_all, std::int64_t total) {
  std::int64_t unit = 1;
  while (demand_of_all / unit + 1 > (std::int64_t{1} << 60) / (total + 1)) unit *= 2;
  return unit;
}

/// The project of prepared tasks, whose processors are alike and which have no delays; processors
/// count if `has_processors`. Rows of bits are there if `with_rows`.
/// O(tasks · resources + edges), with rows O(tasks · edges / 64) beside.
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
