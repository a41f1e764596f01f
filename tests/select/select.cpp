// SPDX-License-Identifier: BSL-1.0
#include <wf/select/select.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "enumerate.hpp"

using namespace enumerated;

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
