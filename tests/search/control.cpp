// SPDX-License-Identifier: BSL-1.0
#include <wf/search/control.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

static_assert(wf::gap_between(100, 90) == wf::ratio{10, 100});
static_assert(wf::gap_between(100, 100) == wf::ratio{0, 1} &&
              wf::gap_between(5, 9) == wf::ratio{0, 1});
static_assert(wf::gap_between(wf::unbounded, 3).denominator == 0);
// While compiling there are limits that hold before a compiler's own.
static_assert(wf::search_limits{}.resolved().max_nodes < 100'000);
static_assert(wf::search_limits{.max_nodes = 7}.resolved().max_nodes == 7);
static_assert(wf::progress_callback<wf::keep_going>);

TEST_CASE("at run time nothing but memory is limited by default") {
  const wf::search_limits limits = wf::search_limits{}.resolved();
  CHECK(limits.max_nodes == UINT64_MAX);
  CHECK(limits.max_steps == UINT64_MAX);
  CHECK(limits.max_open >= 1'000'000);
}

TEST_CASE("every status has a name of its own") {
  std::set<std::string> names;
  for (int i = 0; i < 5; ++i) names.insert(wf::to_text(static_cast<wf::search_status>(i)));
  CHECK(names.size() == 5);
}
