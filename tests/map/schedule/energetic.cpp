// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/energetic.hpp>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

namespace {

using wf::detail::energetic_bound;

// On two processors, three tasks of 4 between a first and a last one. The path through the others
// is as long, so that only the middle interval is overloaded.
constexpr wf::task_graph crowd() {
  wf::task_graph g;
  g.processors = 2;
  const auto first = g.add("first", 5), last = g.add("last", 5);
  for (int i = 0; i < 3; ++i) {
    const auto t = g.add("t", 4);
    g.connect(first, t);
    g.connect(t, last);
  }
  return g;
}
constexpr bool is_overloaded(std::int64_t deadline, std::size_t most) {
  const auto crowded = wf_test::windows_of(crowd());
  return wf::detail::find_overload(crowded.p, crowded.w, deadline, most).found;
}
static_assert(is_overloaded(15, 1000));
static_assert(!is_overloaded(18, 1000));
static_assert(!is_overloaded(15, 0));
constexpr std::int64_t raised() {
  const auto crowded = wf_test::windows_of(crowd());
  return wf::detail::raise_bound(crowded.p, crowded.w, 14, 20, 1000).bound;
}
static_assert(raised() == 16);

}  // namespace

TEST_CASE("the energetic bound never exceeds the optimum, and its interval is overloaded") {
  wf_test::task_dice dice(1);
  int raised = 0;
  for (int i = 0; i < 400; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 6,
                                         .processors = static_cast<std::uint32_t>(dice(0, 2)),
                                         .density = 30,
                                         .largest_delay = 0,
                                         .resources = 2});
    const auto of = wf_test::windows_of(g);
    const std::int64_t from = of.w.bound(of.p);
    const energetic_bound found = wf::detail::raise_bound(of.p, of.w, from, from + 100, 10'000);
    CHECK(found.bound >= from);
    CHECK(found.bound <= wf_test::every_schedule(g).least());
    CHECK(found.interval.found == (found.bound > from));
    if (!found.interval.found) continue;
    ++raised;
    std::int64_t energy = 0;
    for (std::uint32_t t = 0; t < of.p.size; ++t)
      energy += wf::detail::least_energy(of.p, of.w, t, found.interval.resource, found.bound - 1,
                                         found.interval.begin, found.interval.end);
    CHECK(energy >
          of.p.room[found.interval.resource] * (found.interval.end - found.interval.begin));
  }
  CHECK(raised > 5);
}
