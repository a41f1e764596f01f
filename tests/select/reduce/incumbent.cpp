// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/incumbent.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/select.hpp>

#include "../enumerate.hpp"

using namespace enumerated;

TEST_CASE("a first solution is a selection: never below the optimum, never over a limit") {
  std::mt19937 random(107);
  int found_any = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const auto found = wf::select(p, wf::search_limits{.max_nodes = 1});
    if (!found) continue;
    REQUIRE_FALSE(expected.best.empty());
    ++found_any;
    CHECK(values_of(found->objective) >= expected.best);
    for (const wf::selection_limit& l : p.limits) CHECK(found->best.totals[l.metric] <= l.maximum);
  }
  CHECK(found_any > 500);
}
