// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/layered_search.hpp>

#include <doctest/doctest.h>

#include <wf/map/schedule/list_starts.hpp>
#include <wf/search/executor.hpp>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

namespace {

using wf::detail::layer_end;
using wf::detail::layered_search;
constexpr layer_end pass(layered_search& search, std::int64_t deadline, std::size_t width) {
  wf::in_turn executor;
  return search.pass(deadline, width, 1000, executor,
                     [](std::uint64_t, std::uint64_t, std::uint64_t) { return true; });
}

constexpr wf::task_graph parts() {
  wf::task_graph g;
  g.processors = 2;
  for (const std::int64_t time : {3, 3, 2, 2, 2}) g.add("t", time);
  return g;
}
constexpr layer_end parts_within(std::int64_t deadline) {
  const auto of = wf_test::windows_of(parts());
  layered_search search(of.p, of.w);
  return pass(search, deadline, 1000);
}
static_assert(parts_within(6) == layer_end::found);
static_assert(parts_within(5) == layer_end::refuted);

}  // namespace

TEST_CASE("a pass without cuts decides every deadline, and one with cuts is never wrong") {
  wf_test::task_dice dice(1);
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 6,
                                         .processors = static_cast<std::uint32_t>(dice(0, 2)),
                                         .density = static_cast<int>(dice(0, 40)),
                                         .largest_delay = 0,
                                         .resources = static_cast<std::uint32_t>(dice(1, 3))});
    const auto of = wf_test::windows_of(g);
    if (of.p.resources == 0) continue;
    const std::int64_t least = wf_test::every_schedule(g).least();
    layered_search search(of.p, of.w);
    for (std::int64_t deadline = least - 3; deadline < least; ++deadline) {
      CHECK(pass(search, deadline, 1'000'000) == layer_end::refuted);
      CHECK(pass(search, deadline, 1) != layer_end::found);
    }
    for (const std::int64_t deadline : {least, least + 1, least + 1000}) {
      REQUIRE(pass(search, deadline, 1'000'000) == layer_end::found);
      const auto starts = wf::detail::starts_of_order(of.p, search.order());
      CHECK(wf::detail::makespan_of(of.p, starts) >= least);
      CHECK(wf::detail::makespan_of(of.p, starts) <= deadline);
      if (pass(search, deadline, 1) == layer_end::found) {
        const auto rough = wf::detail::starts_of_order(of.p, search.order());
        CHECK(wf::detail::makespan_of(of.p, rough) <= deadline);
      } else {
        CHECK(search.widest() == 1);
      }
    }
  }
}

TEST_CASE("passes in parts decide every deadline, however narrow they are") {
  wf_test::task_dice dice(2);
  wf::in_turn executor;
  const auto go_on = [](std::uint64_t, std::uint64_t, std::uint64_t) { return true; };
  int more = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::task_graph g = dice.graph({.tasks = 9,
                                         .processors = static_cast<std::uint32_t>(dice(0, 2)),
                                         .density = static_cast<int>(dice(0, 20)),
                                         .largest_delay = 0,
                                         .resources = static_cast<std::uint32_t>(dice(1, 3))});
    const auto of = wf_test::windows_of(g);
    if (of.p.resources == 0) continue;
    layered_search whole(of.p, of.w);
    std::int64_t least = of.w.bound(of.p);
    while (pass(whole, least, 1'000'000) == layer_end::refuted) ++least;
    for (const std::size_t width : {1U, 3U, 20U}) {
      layered_search parts(of.p, of.w);
      CHECK(parts.exhaust(least - 1, width, 1000, executor, go_on) == layer_end::refuted);
      CHECK(parts.widest() <= width);
      REQUIRE(parts.exhaust(least, width, 1000, executor, go_on) == layer_end::found);
      const auto starts = wf::detail::starts_of_order(of.p, parts.order());
      CHECK(wf::detail::makespan_of(of.p, starts) <= least);
      layered_search once(of.p, of.w);
      more += pass(once, least - 1, width) == layer_end::truncated;
    }
  }
  CHECK(more > 50);
}

TEST_CASE("a pass may be stopped") {
  const auto of = wf_test::windows_of(parts());
  layered_search search(of.p, of.w);
  wf::in_turn executor;
  int asked = 0;
  CHECK(search.pass(6, 1000, 1000, executor, [&](std::uint64_t, std::uint64_t, std::uint64_t) {
    return ++asked < 3;
  }) == layer_end::stopped);
}
