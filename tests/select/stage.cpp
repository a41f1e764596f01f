// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"
#include "hard_blocks.hpp"
#include "solve_stage.hpp"

using namespace enumerated;

namespace {

// Adds a weighted vertex cover: a root for each edge, which needs either end.
void add_cover(wf::selection_problem& p, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t vertices = 20 + below(random, 16);
  const std::uint32_t first = p.classes;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const std::int64_t costs[] = {50 + below(random, 1000)};
    p.add_candidate(p.add_class(), {}, costs);
  }
  const std::int64_t free[] = {0};
  for (std::uint32_t v = 0; v < vertices; ++v)
    for (std::uint32_t i = 1; i <= 1 + below(random, 3) / 2; ++i) {
      const std::uint32_t other = i == 1 ? v + 1 : v + 2 + below(random, 4);
      const std::uint32_t k = p.add_class(), ends[] = {first + v, first + other % vertices};
      p.add_candidate(k, wf::view<std::uint32_t>(ends, 1), free);
      p.add_candidate(k, wf::view<std::uint32_t>(ends + 1, 1), free);
      p.add_root(k);
    }
}

}  // namespace

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

// A hook that depends on the whole selection in no helpful way, and rejects some.
std::int64_t scrambled(const wf::selection_problem&, const wf::selection& s, std::uint32_t metric) {
  std::uint64_t mix = metric + 1;
  for (const std::uint32_t n : s.chosen)
    if (n != wf::no_candidate) mix = (mix ^ n) * 0x9E3779B97F4A7C15U;
  const std::int64_t value = static_cast<std::int64_t>(mix >> 59U);
  return value == 31 ? -1 : value;
}

// The least value by enumeration of what `scrambled` judges; -1 if there is none.
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

TEST_CASE("what shares nothing is solved apart: the best of each part goes with that of others") {
  std::mt19937 random(105);
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    wf::selection_problem all = empty_problem();
    std::int64_t expected = 0;
    for (std::uint32_t parts = 6 + below(random, 12); parts > 0; --parts) {
      const std::uint32_t seed = static_cast<std::uint32_t>(random());
      wf::selection_problem part = empty_problem();
      add_cover(part, seed);
      add_cover(all, seed);
      const auto alone = solve_stage_of(part);
      CHECK(alone.status == wf::search_status::proven);
      expected += alone.value;
    }
    const auto found = solve_stage_of(all);
    CHECK(found.status == wf::search_status::proven);
    CHECK(found.value == expected);
    CHECK(found.bound == expected);
  }
}

namespace {

std::int64_t solved(const wf::selection_problem& p) {
  const auto found = solve_stage_of(p);
  CHECK(found.status == (found.found ? wf::search_status::proven : wf::search_status::infeasible));
  return found.value;
}

}  // namespace

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
