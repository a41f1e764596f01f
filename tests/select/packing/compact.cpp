// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/compact.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("a packing model has the optimum of its problem") {
  std::mt19937 random(511);
  int solved = 0, empty = 0, infeasible = 0;
  for (int round = 0; round < 4'000; ++round) {
    CAPTURE(round);
    const wf::selection_problem p = random_packing(random);
    const brute expected = enumerate(p);
    const auto model = model_of(p);
    if (!model) {
      CHECK(expected.best.empty());
      continue;
    }
    if (choices(*model) > 20'000) continue;
    const auto best = optimum(*model);
    REQUIRE(best.has_value() == !expected.best.empty());
    infeasible += expected.best.empty();
    if (expected.best.empty()) continue;
    CHECK(*best == expected.best[0]);
    ++solved;
    empty += model->classes == 0;
  }
  CHECK(solved > 1'500);
  CHECK(empty > 50);
  CHECK(infeasible > 200);
}

TEST_CASE("what is needed anyway and has one way is paid and gone; a chain folds into its top") {
  wf::selection_problem p;
  p.add_metric("cost");
  for (int k = 0; k < 5; ++k) p.add_class();
  const auto add = [&](std::uint32_t owner, wf::table<std::uint32_t> needs, std::int64_t cost) {
    p.add_candidate(owner, needs, wf::table<std::int64_t>{cost});
  };
  add(0, {1}, 5);   // the root has a single candidate
  add(1, {2}, 10);  // through the chain 2, 3
  add(1, {4}, 12);  // or through 4
  add(2, {3}, 1);
  add(3, {}, 2);
  add(4, {}, 3);
  p.add_root(0);
  p.objective = wf::minimise_metric(0);
  const auto model = model_of(p);
  REQUIRE(model);
  // After folding, 10 + 1 + 2 is at most 12 + 3 and needs nothing: the choice is decided.
  CHECK(model->classes == 0);
  CHECK(model->base == 18);
}
