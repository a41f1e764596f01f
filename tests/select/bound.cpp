// SPDX-License-Identifier: BSL-1.0
#include <wf/select/bound.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/stage.hpp>

#include "enumerate.hpp"

using namespace enumerated;

namespace {

// The stage of an objective of one level.
wf::detail::selection_stage stage_for(const wf::selection_problem& p) {
  wf::detail::selection_stage stage = wf::detail::stage_of(p);
  for (const wf::selection_limit& l : p.limits) wf::detail::tighten(stage, l);
  for (const wf::objective_term& t : p.objective.terms) stage.weight[t.metric] += t.weight;
  return stage;
}

}  // namespace

TEST_CASE("the bound of the root is at most every selection's value") {
  std::mt19937 random(106);
  int compared = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    if (expected.best.empty()) continue;
    const auto stage = stage_for(p);
    const auto reduced = wf::detail::reduce(p, stage);
    wf::detail::selection_bounds bounds(p, stage, reduced);
    auto root = bounds.root();
    const std::int64_t bound = bounds.evaluate(root, wf::unbounded);
    CHECK(bound <= expected.best[0]);
    ++compared;
  }
  CHECK(compared > 500);
}
