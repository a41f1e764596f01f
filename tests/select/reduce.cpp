// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/stage.hpp>

#include "enumerate.hpp"

using namespace enumerated;

TEST_CASE("what reductions remove is never part of every optimum") {
  std::mt19937 random(105);
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const auto reduced = wf::detail::reduce(p, wf::detail::weighted_stage(p));
    // The optimum survives: the reduced problem still reaches it.
    wf::no_measure measure;
    wf::keep_going callback;
    const auto stage = wf::detail::weighted_stage(p);
    const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                               wf::search_limits{}.resolved());
    CHECK(found.found == !expected.best.empty());
    if (found.found) CHECK(found.value == expected.best[0]);
  }
}
