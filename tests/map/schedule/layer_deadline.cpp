// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/layer_deadline.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include "../task_graphs.hpp"
#include "../windowed.hpp"

TEST_CASE("a deadline is refuted at once if a window is too short, and not otherwise") {
  wf_test::task_dice dice(31);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const auto of = wf_test::windows_of(
        dice.graph({.tasks = 6, .processors = 2, .largest_delay = 0, .resources = 2}));
    std::int64_t longest = 0;
    for (std::uint32_t t = 0; t < of.p.size; ++t)
      longest = std::max(longest, of.w.heads[t] + of.p.durations[t] + of.w.tails[t]);
    CHECK_FALSE(wf::detail::layer_deadline(of.p, of.w, longest, 100).refuted);
    CHECK(wf::detail::layer_deadline(of.p, of.w, longest - 1, 100).refuted);
  }
}

TEST_CASE("energies are what a task started as late as possible needs before an end") {
  wf_test::task_dice dice(32);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const auto of = wf_test::windows_of(
        dice.graph({.tasks = 6, .processors = 2, .largest_delay = 0, .resources = 2}));
    const std::size_t most = i % 2 == 0 ? 100 : 2;
    const wf::detail::layer_deadline d(of.p, of.w, 1000, most);
    REQUIRE(!d.refuted);
    CHECK(d.ends.size() <= most);
    CHECK(std::is_sorted(d.ends.begin(), d.ends.end()));
    for (std::uint32_t t = 0; t < of.p.size; ++t)
      for (std::uint32_t r = 0; r < of.p.resources; ++r)
        for (std::size_t b = 0; b < d.ends.size(); ++b) {
          std::int64_t energy = 0;
          for (std::int64_t at = d.latest[t]; at < d.latest[t] + of.p.durations[t]; ++at)
            energy += at < d.ends[b] ? of.p.weight(t, r) : 0;
          CHECK(d.energies[(t * of.p.resources + r) * d.ends.size() + b] == energy);
        }
  }
}
