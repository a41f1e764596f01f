// SPDX-License-Identifier: BSL-1.0
#include <wf/select/select.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

using namespace enumerated;

namespace {

// Pseudorandom numbers that are available in constant evaluation.
struct random_numbers {
  std::uint32_t state;
  constexpr std::uint32_t operator()(std::uint32_t end) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8) % end;
  }
};

// Five classes of five candidates with five limits.
constexpr wf::selection_problem knapsack(std::uint32_t seed) {
  random_numbers random{seed};
  wf::selection_problem p;
  p.add_metric("cost");
  for (int l = 0; l < 5; ++l) p.add_metric("limited");
  for (std::uint32_t k = 0; k < 5; ++k) {
    p.add_root(p.add_class());
    for (int n = 0; n < 5; ++n) {
      std::int64_t costs[6] = {}, sum = 0;
      for (int m = 1; m < 6; ++m) sum += costs[m] = 1 + random(20);
      costs[0] = 130 - sum - random(20);
      p.add_candidate(k, {}, costs);
    }
  }
  for (std::uint32_t m = 1; m < 6; ++m) p.add_limit(m, 50);
  p.objective = wf::minimise_metric(0);
  return p;
}

// 64 classes of three candidates, each of which needs some of the four classes before it.
constexpr wf::selection_problem ladder(std::uint32_t seed) {
  random_numbers random{seed};
  wf::selection_problem p;
  p.add_metric("cost");
  for (std::uint32_t k = 0; k < 22; ++k) p.add_class();
  for (std::uint32_t k = 0; k < 22; ++k)
    for (int n = 0; n < 3 && p.candidates.size() < 64; ++n) {
      wf::table<std::uint32_t> needs;
      for (std::uint32_t c = k < 4 ? 0 : 1 + random(2); c > 0; --c)
        needs.push_back(k - 1 - random(4));
      const std::int64_t cost[] = {static_cast<std::int64_t>(1 + random(k < 12 ? 12 : 4))};
      p.add_candidate(k, needs, cost);
    }
  for (std::uint32_t k = 18; k < 22; ++k) p.add_root(k);
  p.objective = wf::minimise_metric(0);
  return p;
}

constexpr std::int64_t proven_value(const wf::selection_problem& p) {
  const auto found = wf::select(p);
  return found && found->status == wf::search_status::proven ? found->objective[0] : -1;
}

}  // namespace

TEST_CASE("constant evaluation, within the compilers' default limits, proves what run time does") {
  constexpr std::int64_t filled = proven_value(knapsack(1)), climbed = proven_value(ladder(199));
  static_assert(filled > 0 && climbed > 0);
  CHECK(filled == enumerate(knapsack(1)).best[0]);
  CHECK(climbed == proven_value(ladder(199)));
}

TEST_CASE("selection against enumeration: verdict, value, proof, reasons") {
  std::mt19937 random(101);
  int infeasible = 0;
  for (int round = 0; round < 6000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_problem(random);
    const brute expected = enumerate(p);
    const auto found = wf::select(p);
    CHECK(found.has_value() == !expected.best.empty());
    if (!found) {
      ++infeasible;
      CHECK((found.error().code == wf::errc::infeasible));
      continue;
    }
    CHECK(found->proven());
    CHECK(values_of(found->objective) == expected.best);
    CHECK(values_of(found->bound) == expected.best);
    std::vector<std::int64_t> totals;
    std::vector<bool> used;
    REQUIRE(evaluate(p, choice_of(p, found->best), totals, used));
    CHECK(values_of(found->best.totals) == totals);
    for (std::uint32_t k = 0; k < p.classes; ++k)
      CHECK(used[k] == (found->best.chosen[k] != wf::no_candidate));
    for (const wf::rejection& r : found->rejected) {
      const auto& with = expected.with[r.candidate];
      if (r.kind == wf::rejection_kind::no_better && !with.empty() && r.level == 0)
        CHECK(r.at_least <= with[0]);
      if (r.kind == wf::rejection_kind::cyclic || r.kind == wf::rejection_kind::unfinishable ||
          r.kind == wf::rejection_kind::over_limit ||
          r.kind == wf::rejection_kind::conflicting_limits)
        CHECK((with.empty() || r.kind == wf::rejection_kind::over_limit));
    }
  }
  CHECK(infeasible > 100);
}

TEST_CASE("a search that is stopped keeps valid figures") {
  std::mt19937 random(102);
  for (int round = 0; round < 500; ++round) {
    const wf::selection_problem p = random_problem(random);
    const brute expected = enumerate(p);
    const auto found = wf::select(p, wf::search_limits{.max_nodes = 1});
    if (!found || expected.best.empty()) continue;
    CHECK(values_of(found->objective) >= expected.best);
    CHECK(found->bound[0] <= expected.best[0]);
  }
}
