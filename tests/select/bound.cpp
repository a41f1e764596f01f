// SPDX-License-Identifier: BSL-1.0
#include <wf/select/bound.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/stage.hpp>

#include "enumerate.hpp"

using namespace enumerated;

TEST_CASE("the bound of the root is at most every selection's value") {
  std::mt19937 random(106);
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    if (expected.best.empty()) continue;
    const auto stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    wf::detail::selection_bounds bounds(p, stage, reduced);
    auto root = bounds.root();
    const std::int64_t bound = bounds.evaluate(root);
    CHECK(bound <= expected.best[0]);
    ++compared;
  }
  CHECK(compared > 500);
}
