// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/diagnosis/result.hpp>
#include <wf/core/text/text.hpp>

namespace wf {

/// An edge of the wait-for graph: `waits` cannot proceed before `held_up_by` does.
struct wait_edge {
  std::uint32_t waits = 0;       ///< id of the blocked holder
  std::uint32_t held_up_by = 0;  ///< id of the holder that blocks it

  friend constexpr bool operator==(const wait_edge&, const wait_edge&) = default;
};

/// A cycle of a wait-for graph, starting at its smallest member, each waiting for the next; empty
/// if there is none. O(members + edges).
constexpr table<std::uint32_t> wait_cycle(view<wait_edge> edges) {
  std::uint32_t count = 0;
  for (const wait_edge& e : edges) {
    count = e.waits >= count ? e.waits + 1 : count;
    count = e.held_up_by >= count ? e.held_up_by + 1 : count;
  }
  // Removes members that wait for nobody, until only the cycles and what leads to them remains.
  table<std::uint32_t> open(count), first(count + 1), waiting(edges.size()), removed;
  for (const wait_edge& e : edges) {
    ++open[e.waits];
    ++first[e.held_up_by + 1];
  }
  for (std::uint32_t v = 0; v < count; ++v) first[v + 1] += first[v];
  table<std::uint32_t> place(first);
  for (const wait_edge& e : edges) waiting[place[e.held_up_by]++] = e.waits;
  for (std::uint32_t v = 0; v < count; ++v)
    if (open[v] == 0) removed.push_back(v);
  for (std::size_t i = 0; i < removed.size(); ++i)
    for (std::uint32_t k = first[removed[i]]; k < first[removed[i] + 1]; ++k)
      if (--open[waiting[k]] == 0) removed.push_back(waiting[k]);
  if (removed.size() == count) return {};
  // Each remaining member waits for a remaining one: after `count` steps the walk is on a cycle.
  table<std::uint32_t> next(count, count);
  for (const wait_edge& e : edges)
    if (open[e.held_up_by] != 0 && e.held_up_by < next[e.waits]) next[e.waits] = e.held_up_by;
  std::uint32_t at = 0;
  while (open[at] == 0) ++at;
  for (std::uint32_t i = 0; i < count; ++i) at = next[at];
  std::uint32_t smallest = at;
  for (std::uint32_t v = next[at]; v != at; v = next[v]) smallest = v < smallest ? v : smallest;
  table<std::uint32_t> cycle;
  cycle.push_back(smallest);
  for (std::uint32_t v = next[smallest]; v != smallest; v = next[v]) cycle.push_back(v);
  return cycle;
}

/// The text of a cycle for error messages: "a waits for b, b waits for a". `name(holder)` returns a
/// text or view.
template <class Name>
constexpr text wait_cycle_text(view<std::uint32_t> cycle, Name&& name) {
  text out;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (i != 0) out << ", ";
    out << text_view(name(cycle[i])) << " waits for "
        << text_view(name(cycle[i + 1 < cycle.size() ? i + 1 : 0]));
  }
  return out;
}

/// The error `simulation_failed` of a cycle of `wait_cycle`, which is not empty: its subject is the
/// first holder, its message names all. `name(holder)` returns a text or view.
template <class Name>
constexpr error deadlock_error(view<std::uint32_t> cycle, Name&& name) {
  return make_error(errc::simulation_failed, text_view(name(cycle[0])),
                    text() << "deadlock: " << wait_cycle_text(cycle, name).view());
}

}  // namespace wf
