// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/project.hpp>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"

namespace {

using wf::detail::project;

constexpr wf::task_graph three() {
  wf::task_graph g;
  g.processors = 2;
  const auto c = g.add("c", 4), a = g.add("a", 2), b = g.add("b", 0);
  g.connect(a, b);
  g.connect(b, c);
  g.connect(a, c);
  g.resources.push_back({wf::text("never short"), 5});
  g.resources.push_back({wf::text("short"), 3});
  g.demands.push_back({a, 0, 3});
  g.demands.push_back({c, 0, 2});
  g.demands.push_back({a, 1, 3});
  g.demands.push_back({c, 1, 2});
  g.demands.push_back({b, 1, 1});
  return g;
}
constexpr project made(bool reversed = false) {
  return wf::detail::project_of(wf::prepare(three(), reversed), true, true);
}
static_assert(made().size == 3 && made().total == 6);
static_assert(made().resources == 2 && made().has_processors);
static_assert(made().number[0] == 1 && made().number[1] == 2);
static_assert(made().demand(0, 0) == 3 && made().demand(2, 0) == 2);
// A task of duration 0 uses a processor, but no resources.
static_assert(made().demand(1, 0) == 0 && made().demand(1, 1) == 1);
static_assert(made().later_than(0).size() == 2 && made().earlier_than(2).size() == 2);
static_assert(wf::detail::has_bit(made().descendants_of(0), 2));
static_assert(made(true).durations[0] == 4);

}  // namespace

TEST_CASE("descendants are the transitive closure") {
  wf_test::task_dice dice(1);
  for (int i = 0; i < 40; ++i) {
    const wf::task_graph g = dice.graph({.tasks = 90, .density = 4, .resources = 1});
    const project p = wf::detail::project_of(wf::prepare(g), false, true);
    int wrong = 0;
    for (std::uint32_t t = 0; t < p.size; ++t)
      for (std::uint32_t u = 0; u < p.size; ++u) {
        bool follows = false;
        for (const std::uint32_t s : p.later_than(t))
          follows = follows || s == u || wf::detail::has_bit(p.descendants_of(s), u);
        wrong += wf::detail::has_bit(p.descendants_of(t), u) != follows;
      }
    CHECK(wrong == 0);
  }
}

TEST_CASE("energies fit into 2^60, and their unit only relaxes") {
  wf::task_graph g;
  const std::int64_t much = INT64_MAX / 2;
  for (int i = 0; i < 3; ++i) g.add("t", wf::max_task_time / 4);
  g.resources.push_back({wf::text("r"), much});
  for (std::uint32_t t = 0; t < 3; ++t) g.demands.push_back({t, 0, much - t});
  const project p = wf::detail::project_of(wf::prepare(g), false, true);
  REQUIRE(p.resources == 1);
  std::int64_t weights = 0;
  for (const std::int64_t w : p.weights) weights += w;
  CHECK(wf::int128{weights} * p.total <= wf::int128{1} << 60);
  std::int64_t unit = 1;
  while (unit < much / p.room[0]) unit *= 2;
  for (std::uint32_t t = 0; t < 3; ++t) {
    CHECK(p.weight(t, 0) == p.demand(t, 0) / unit);
    CHECK(p.weight(t, 0) <= p.room[0]);
  }
}
