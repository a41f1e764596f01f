// SPDX-License-Identifier: BSL-1.0
#include <wf/select/stage.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

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

wf::detail::stage_outcome solve(const wf::selection_problem& p) {
  const wf::detail::selection_stage stage = wf::detail::weighted_stage(p);
  const auto reduced = wf::detail::reduce(p, stage);
  wf::no_measure measure;
  wf::keep_going callback;
  return wf::detail::solve_stage(p, stage, reduced, nullptr, measure, callback,
                                 wf::search_limits{}.resolved());
}

wf::selection_problem empty_problem() {
  wf::selection_problem p;
  p.add_metric("m");
  p.objective = wf::minimise_metric(0);
  return p;
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
      const auto alone = solve(part);
      CHECK(alone.status == wf::search_status::proven);
      expected += alone.value;
    }
    const auto found = solve(all);
    CHECK(found.status == wf::search_status::proven);
    CHECK(found.value == expected);
    CHECK(found.bound == expected);
  }
}
