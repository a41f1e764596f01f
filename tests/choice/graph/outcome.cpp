// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/graph/outcome.hpp>

#include <set>
#include <string>

#include <doctest/doctest.h>

static_assert(wf::growth_outcome{}.status == wf::growth_status::saturated);
static_assert(wf::growth_outcome{.steps = 1} != wf::growth_outcome{});

TEST_CASE("every status has a name of its own") {
  std::set<std::string> names;
  for (const auto status :
       {wf::growth_status::saturated, wf::growth_status::stopped_by_nodes,
        wf::growth_status::stopped_by_steps, wf::growth_status::stopped_by_caller})
    names.insert(wf::to_text(status));
  CHECK(names.size() == 4);
  CHECK(names.count("unknown") == 0);
}
