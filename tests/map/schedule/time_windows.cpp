// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/time_windows.hpp>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

namespace {

using wf::detail::project;
using wf::detail::time_windows;

// One task, then three parallel ones of 4, then one: on two processors the three take 8 instead of
// 4, and the last starts no earlier than the mean of the work before it.
constexpr wf::task_graph diamond() {
  wf::task_graph g;
  g.processors = 2;
  g.add("a", 1);
  for (int i = 0; i < 3; ++i) {
    const auto b = g.add("b", 4);
    g.connect(0, b);
  }
  g.add("c", 2);
  for (std::uint32_t b = 1; b <= 3; ++b) g.connect(b, 4);
  return g;
}
constexpr time_windows windows(const wf::task_graph& g, bool rows) {
  return wf_test::windows_of(g, rows).w;
}
static_assert(windows(diamond(), false).tails[0] == 6);
static_assert(windows(diamond(), true).tails[0] == 8);
static_assert(windows(diamond(), true).heads[4] == 7);
static_assert(windows(diamond(), true).heads[1] == 1);

}  // namespace

TEST_CASE("heads and tails hold in the best schedule of what is before and behind") {
  wf_test::task_dice dice(1);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 6,
                                         .processors = static_cast<std::uint32_t>(dice(0, 2)),
                                         .density = 50,
                                         .largest_delay = 0,
                                         .resources = 1});
    const wf::prepared_tasks w = wf::prepare(g);
    const project p = wf::detail::project_of(w, g.processors != 0, true);
    const project r = wf::detail::project_of(wf::prepare(g, true), g.processors != 0, true);
    const time_windows both = wf::detail::windows_of(p, r);
    const time_windows paths = windows(g, false);
    const std::int64_t least = wf_test::every_schedule(g).least();
    CHECK(both.bound(p) <= least);
    CHECK(paths.bound(p) <= both.bound(p));
    for (std::uint32_t t = 0; t < p.size; ++t) {
      // The graph of the successors alone takes at least the tail.
      wf::task_graph rest = g;
      for (std::uint32_t u = 0; u < p.size; ++u)
        if (!wf::detail::has_bit(p.descendants_of(t), u)) {
          rest.tasks[w.original[u]].duration = 0;
          for (wf::resource_demand& d : rest.demands)
            if (d.task == w.original[u]) d.amount = 0;
        }
      rest.edges.clear();
      for (const wf::task_edge& e : g.edges)
        if (rest.tasks[e.from].duration != 0 || rest.tasks[e.to].duration != 0 ||
            g.tasks[e.from].duration == 0)
          rest.edges.push_back(e);
      CHECK(both.tails[t] <= wf_test::every_schedule(rest).least());
      CHECK(both.tails[t] >= paths.tails[t]);
    }
    const time_windows twice = wf::detail::turned(wf::detail::turned(both));
    CHECK(twice.heads == both.heads);
    CHECK(twice.tails == both.tails);
  }
}
