// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/relaxation.hpp>

#include <optional>
#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("ascent and the simplex method raise a bound that no solution is below") {
  std::mt19937 random(571);
  int raised = 0, fixed = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const std::optional<std::int64_t> expected = optimum(m);
    wf::detail::packing_relaxation n(m);
    if (!n.domain.begin()) {
      CHECK(!expected);
      continue;
    }
    if (!expected) continue;
    const std::int64_t best = *expected - m.base;
    n.lower_cutoff(best + 1);
    n.lower_cutoff(best + 2);  // no effect
    CHECK(n.cutoff == best + 1);
    const std::int64_t before = n.bound_by_prices();
    n.raise(48, 300, UINT64_MAX);
    CHECK(n.bound < n.target);
    raised += n.bound > before;
    if (n.may_use_simplex() && round % 2 == 0) {
      n.simplex.reset(n.domain.state());
      wf::detail::simplex_status status{};
      n.bound = n.solve_relaxation(1'000, status);
    }
    CHECK(n.rounded(n.bound) <= best);
    // The best solution is below the cutoff: after fixing, a solution of its cost remains.
    const std::uint32_t marked = n.domain.mark();
    CHECK(n.fix_within_bound(nullptr));
    fixed += n.domain.mark() > marked;
    CHECK(n.rounded(n.bound) <= best);
    // No solution is below the optimum: the bound never exceeds it.
    n.inherit(n.bound - 1);
    CHECK(n.gap() >= 1);
  }
  CHECK(raised > 50);
  CHECK(fixed > 20);
}

TEST_CASE("without steps, price ascent ends after its first sweep") {
  std::mt19937 random(572);
  for (int round = 0; round < 200; ++round) {
    const wf::detail::packing_model m = random_model(random);
    wf::detail::packing_relaxation few(m), many(m);
    if (!few.domain.begin() || !many.domain.begin()) continue;
    few.raise(48, 300, 0);
    many.raise(48, 300, UINT64_MAX);
    CHECK(few.ascent.steps() <= many.ascent.steps());
  }
}
