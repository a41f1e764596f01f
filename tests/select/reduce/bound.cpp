// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/bound.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/stage.hpp>

#include "../enumerate.hpp"

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
    wf::detail::partial_selection root(reduced);
    const std::int64_t bound = bounds.evaluate(root);
    CHECK(bound <= expected.best[0]);
    ++compared;
  }
  CHECK(compared > 500);
}

namespace {

// Roots whose candidates need nothing: the bounds with a candidate are sums.
wf::selection_problem flat_problem(std::mt19937& random) {
  wf::selection_problem p;
  const std::uint32_t metrics = 1 + below(random, 2);
  for (std::uint32_t m = 0; m < metrics; ++m) p.add_metric("metric");
  for (std::uint32_t k = 1 + below(random, 5); k-- > 0;) {
    p.add_root(p.add_class());
    for (std::uint32_t n = 1 + below(random, 4); n-- > 0;) {
      const std::int64_t costs[] = {below(random, 9), below(random, 9)};
      p.add_candidate(p.classes - 1, {}, wf::view<std::int64_t>(costs, metrics));
    }
  }
  p.objective = wf::minimise_metric(0);
  if (metrics == 2) p.objective.terms.push_back({1, 3});
  if (below(random, 4) == 0) p.add_limit(metrics - 1, below(random, 20));
  return p;
}

}  // namespace

TEST_CASE("the bound with a candidate is that of what is left when it is forced") {
  std::mt19937 random(107);
  int compared = 0, quick = 0;
  for (int round = 0; round < 3'000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = round % 2 == 0 ? flat_problem(random) : random_problem(random);
    if (p.objective.lexicographic) continue;
    const auto stage = wf::detail::weighted_stage(p);
    const auto reduced = wf::detail::reduce(p, stage);
    if (!reduced.feasible) continue;
    wf::detail::selection_bounds bounds(p, stage, reduced);
    for (std::uint32_t n = 0; n < reduced.candidates; ++n) {
      wf::detail::partial_selection forced(reduced);
      forced.force(reduced, n);
      const std::int64_t bound = bounds.evaluate(forced);
      CHECK(bounds.evaluate_with(n) == bound);
      ++compared;
      quick += bounds.visits_with() == 1;
    }
  }
  CHECK(compared > 5'000);
  CHECK(quick > 1'000);
}
