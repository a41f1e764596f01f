// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"
#include "hard_blocks.hpp"

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

static std::int64_t solved(const wf::selection_problem& p) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  wf::no_measure measure;
  wf::keep_going callback;
  const auto found = wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                             wf::search_limits{}.resolved());
  CHECK(found.status == (found.found ? wf::search_status::proven : wf::search_status::infeasible));
  return found.value;
}

TEST_CASE("parts that share nothing are solved together as well as one by one") {
  for (std::uint32_t seed = 1500; seed < 2300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    wf::selection_problem whole = empty_problem();
    std::int64_t total = 0;
    for (std::uint32_t blocks = 2 + below(random, 3); blocks > 0; --blocks) {
      std::mt19937 again = random;
      wf::selection_problem part = empty_problem();
      add_hard_block(part, again);
      add_hard_block(whole, random);
      const std::int64_t value = solved(part);
      total = total == wf::unbounded || value == wf::unbounded ? wf::unbounded : total + value;
    }
    CHECK(solved(whole) == total);
  }
}
