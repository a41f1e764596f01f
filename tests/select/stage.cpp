// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

using namespace enumerated;

TEST_CASE("one stage solves an objective of one level to the enumerated optimum") {
  std::mt19937 random(104);
  int solved = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    wf::no_measure measure;
    wf::keep_going callback;
    const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                               wf::search_limits{}.resolved());
    CHECK(found.found == !expected.best.empty());
    if (!found.found) continue;
    ++solved;
    CHECK(found.value == expected.best[0]);
    CHECK(found.status == wf::search_status::proven);
  }
  CHECK(solved > 500);
}
