// SPDX-License-Identifier: BSL-1.0
#include <wf/report/simulation/timeline_svg.hpp>

#include <doctest/doctest.h>

#include <map>

#include "../samples.hpp"
#include "accounts.hpp"

using samples::contains, samples::count;

TEST_CASE("a timeline is well-formed, deterministic, and has a box for each use") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    const wf::text svg = wf::run_timeline_svg(a);
    std::size_t boxes = 0;
    for (const wf::run_task& t : a.tasks)
      if (t.role != wf::run_role::delay) boxes += t.resources.count;
    REQUIRE(count(svg.view(), "class=\"run") == boxes);
    REQUIRE(accounts::well_formed(svg.view()));
    REQUIRE(svg == wf::run_timeline_svg(a));
    REQUIRE_FALSE(contains(svg.view(), "a<&>"));
  }
}

TEST_CASE("boxes of one lane do not overlap by more than the pixel of a box without width") {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    const wf::text svg = wf::run_timeline_svg(accounts::random_account(seed));
    const auto x = accounts::values(svg.view(), "class=\"run", "x");
    const auto y = accounts::values(svg.view(), "class=\"run", "y");
    const auto wide = accounts::values(svg.view(), "class=\"run", "width");
    std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> lanes;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (wide[i] > 1) REQUIRE(lanes[y[i]].emplace(x[i], x[i] + wide[i]).second);
    for (const auto& [lane, boxes] : lanes) {
      std::int64_t end = 0;
      for (const auto& [from, to] : boxes) {
        REQUIRE(from >= end);
        end = to;
      }
      REQUIRE(end <= wf::detail::run_axis::width);
    }
  }
}

TEST_CASE("tasks of the critical path are outlined, those that only wait for it are not") {
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const wf::run_account a = accounts::random_account(seed);
    std::size_t boxes = 0;
    for (const wf::path_segment& s : wf::critical_path_of(a).segments)
      if (s.reason == wf::path_reason::compute || s.reason == wf::path_reason::link)
        boxes += a.tasks[s.task].resources.count;
    REQUIRE(count(wf::run_timeline_svg(a).view(), "run critical") == boxes);
  }
}

TEST_CASE("a run of any size has a bounded number of elements") {
  const wf::text svg = wf::run_timeline_svg(accounts::large_account(100'000, 300));
  CHECK(count(svg.view(), "class=\"run") == 0);
  CHECK(count(svg.view(), "class=\"cell") > 128);
  CHECK(count(svg.view(), "<rect") <= 30'000);
  CHECK(svg.size() < 4'000'000);
  CHECK(accounts::well_formed(svg.view()));
}

TEST_CASE("a longer axis halves the widths") {
  const wf::run_account a = accounts::random_account(7);
  const wf::text svg = wf::run_timeline_svg(a, {2 * a.makespan});
  for (const std::int64_t x : accounts::values(svg.view(), "class=\"run", "x")) CHECK(x <= 500);
  CHECK(wf::run_timeline_svg(a, {1}) == wf::run_timeline_svg(a));
}

TEST_CASE("an account without tasks is an empty picture") {
  CHECK(accounts::well_formed(wf::run_timeline_svg({}).view()));
}
