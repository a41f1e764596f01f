// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"
#include "solve_stage.hpp"

using namespace enumerated;

TEST_CASE("one stage solves an objective of one level to the enumerated optimum") {
  std::mt19937 random(104);
  int solved = 0;
  for (int round = 0; round < 1500; ++round) {
    CAPTURE(round);
    wf::selection_problem p = random_problem(random);
    if (p.objective.lexicographic) continue;
    const brute expected = enumerate(p);
    const auto found = solve_stage_of(p);
    CHECK(found.found == !expected.best.empty());
    if (!found.found) continue;
    ++solved;
    CHECK(found.value == expected.best[0]);
    CHECK(found.status == wf::search_status::proven);
  }
  CHECK(solved > 500);
}

namespace {

// A hook that depends on the whole selection irregularly, and rejects some.
std::int64_t scrambled(const wf::selection_problem&, const wf::selection& s, std::uint32_t metric) {
  std::uint64_t mix = metric + 1;
  for (const std::uint32_t n : s.chosen)
    if (n != wf::no_candidate) mix = (mix ^ n) * 0x9E3779B97F4A7C15U;
  const std::int64_t value = static_cast<std::int64_t>(mix >> 59U);
  return value == 31 ? -1 : value;
}

// The least value of `scrambled` by enumeration; -1 if there is none.
std::int64_t best_scrambled(const wf::selection_problem& p) {
  std::int64_t best = -1;
  const auto all = [](std::uint32_t) { return true; };
  for_each_measured(p, scrambled, all, [&](const std::vector<std::int64_t>& totals) {
    const std::int64_t value = objective_of(p, totals)[0];
    if (best < 0 || value < best) best = value;
  });
  return best;
}

}  // namespace

TEST_CASE("measured objectives and limits against enumeration") {
  std::mt19937 random(105);
  int solved = 0, infeasible = 0;
  for (int round = 0; round < 6'000; ++round) {
    CAPTURE(round);
    wf::selection_problem p = random_packing(random);
    const std::uint32_t metric = static_cast<std::uint32_t>(p.metrics.size() - 1);
    p.metrics[metric].kind = wf::aggregation::measured;
    for (std::size_t i = 0; i < p.pairs.size(); ++i)
      p.pair_costs[i * p.metrics.size() + metric] = 0;
    if (metric == 0 || round % 3 == 0) {
      const wf::objective_term terms[] = {{0, 1}, {metric, 2}};
      p.objective = wf::minimise_weighted(terms);
    }
    const bool counts = p.objective.terms[p.objective.terms.size() - 1].metric == metric;
    if (!counts || round % 2 == 0) p.add_limit(metric, 20);
    const std::int64_t expected = best_scrambled(p);
    const auto found = solve_stage_of(p, scrambled);
    REQUIRE(found.found == (expected >= 0));
    infeasible += !found.found;
    if (!found.found) continue;
    ++solved;
    CHECK(found.value == expected);
    CHECK(found.status == wf::search_status::proven);
  }
  CHECK(solved > 2'000);
  CHECK(infeasible > 500);
}
