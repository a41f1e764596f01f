// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/control.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

static_assert(wf::growth_outcome{}.status == wf::growth_status::saturated);
static_assert(wf::growth_outcome{.steps = 1} != wf::growth_outcome{});

// A callback says whether to go on.
constexpr auto says = [](const wf::growth_progress& now) { return now.steps < 3; };
constexpr auto is_silent = [](const wf::growth_progress&) {};
static_assert(wf::growth_callback<decltype(says)> && wf::growth_callback<wf::keep_growing>);
static_assert(!wf::growth_callback<decltype(is_silent)> && !wf::growth_callback<int>);
static_assert(wf::keep_growing{}({.steps = 1, .nodes = 2, .waiting = 3}));

TEST_CASE("without a word, all candidates are kept, and the objective of the plan compares them") {
  constexpr wf::growth_limits limits;
  static_assert(limits.beam.width == 0 && limits.beam.metric.name.empty());
  static_assert(limits.max_steps == 0 && limits.progress_interval == 0);
  CHECK(limits.max_nodes == 20000);
}

TEST_CASE("every status has a name of its own") {
  std::set<std::string> names;
  for (const auto status :
       {wf::growth_status::saturated, wf::growth_status::stopped_by_nodes,
        wf::growth_status::stopped_by_steps, wf::growth_status::stopped_by_caller})
    names.insert(wf::to_text(status));
  CHECK(names.size() == 4);
  CHECK(names.count("unknown") == 0);
}
