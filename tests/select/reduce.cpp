// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce.hpp>

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

TEST_CASE("what reductions remove is never part of every optimum") {
  std::mt19937 random(105);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const auto reduced = wf::detail::reduce(p, stage_for(p));
    // The optimum survives: the reduced problem still reaches it.
    wf::no_measure measure;
    wf::keep_going callback;
    const auto stage = stage_for(p);
    const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                               wf::search_limits{}.resolved());
    CHECK(found.found == !expected.best.empty());
    if (found.found) CHECK(found.value == expected.best[0]);
  }
}
