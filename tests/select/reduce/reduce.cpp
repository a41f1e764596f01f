// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/reduce.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../enumerate.hpp"
#include "../solve_stage.hpp"

using namespace enumerated;

TEST_CASE("what reductions remove is never part of every optimum") {
  std::mt19937 random(105);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    // The reduced problem has the same optimum.
    const auto found = solve_stage_of(p);
    CHECK(found.found == !expected.best.empty());
    if (found.found) CHECK(found.value == expected.best[0]);
  }
}
