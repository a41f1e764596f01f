// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/delay_search.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/task_bounds.hpp>
#include <wf/search/depth_first.hpp>

#include "../task_graphs.hpp"

namespace {

// The least makespan below a cutoff, or the cutoff if there is none.
template <class Time>
std::int64_t least_below(const wf::task_graph& g, std::int64_t cutoff, bool reversed,
                         std::uint64_t memory, bool may_fix_order = false) {
  const wf::prepared_tasks w = wf::prepare_by_paths(g, reversed);
  wf::detail::delay_problem<Time> problem(w, wf::tail_bounds(w), g.processors == 0, may_fix_order);
  wf::seen_states seen(memory);
  const wf::depth_first_outcome out = wf::depth_first(problem, seen, {}, {.cutoff = cutoff});
  CHECK(out.found == (out.status == wf::search_status::proven));
  if (!out.found) return cutoff;
  std::int64_t makespan = 0;
  for (const wf::task_placement& p : problem.best()) makespan = std::max(makespan, p.finish);
  CHECK(makespan == out.value);
  return out.value;
}

}  // namespace

TEST_CASE("a search below a cutoff finds what is below it, and nothing else") {
  wf_test::task_dice dice(21);
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    const wf::task_graph g =
        dice.graph({.tasks = 5,
                    .processors = static_cast<std::uint32_t>(dice(i % 5 == 0 ? 1 : 0, 3)),
                    .density = static_cast<int>(dice(0, 80)),
                    .longest = dice(1, 6),
                    .largest_delay = dice(0, 20),
                    .heterogeneous = i % 5 == 0,
                    .resources = i % 3 == 0 ? 1u : 0u});
    const std::int64_t least = wf_test::every_schedule(g).least();
    const bool reversed = dice(0, 1) == 1;
    const std::uint64_t memory = dice(0, 1) == 1 ? 0 : 1 << 20;
    CHECK(least_below<std::int32_t>(g, least + 1, reversed, memory) == least);
    CHECK(least_below<std::int64_t>(g, 1000, reversed, memory) == least);
    CHECK(least_below<std::int64_t>(g, least, !reversed, memory) == least);
    if (least > 0) CHECK(least_below<std::int32_t>(g, least - 1, reversed, memory) == least - 1);
  }
}

TEST_CASE("what a search leaves out is not needed, on forks, joins and equal tasks") {
  wf_test::task_dice dice(22);
  for (int i = 0; i < 250; ++i) {
    CAPTURE(i);
    wf::task_graph g;
    g.processors = static_cast<std::uint32_t>(dice(2, 3));
    const std::int64_t times = dice(1, 3), delays = dice(0, 6);
    const bool fork = dice(0, 2) != 0, join = dice(0, 2) != 0;
    // A pure fork or join has one task more on its other side.
    const std::uint32_t first = fork || !join ? 1 : 0, end = join || !fork ? 5 : 6;
    for (int t = 0; t < 6; ++t) g.add("t", dice(i % 4 == 0 ? 0 : 1, times));
    for (std::uint32_t t = first; t < end; ++t) {
      if (fork) g.connect(0, t, dice(0, delays));
      if (join) g.connect(t, 5, dice(0, delays));
    }
    const std::int64_t least = wf_test::every_schedule(g).least();
    for (const bool reversed : {false, true}) {
      CHECK(least_below<std::int32_t>(g, 1000, reversed, 1 << 20) == least);
      CHECK(least_below<std::int32_t>(g, 1000, reversed, 1 << 20, true) == least);
      CHECK(least_below<std::int32_t>(g, least, reversed, 1 << 20, true) == least);
      CHECK(least_below<std::int32_t>(g, least + 1, reversed, 1 << 20) == least);
      CHECK(least_below<std::int32_t>(g, least, reversed, 1 << 20) == least);
    }
  }
}
