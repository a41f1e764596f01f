// SPDX-License-Identifier: BSL-1.0
#include <wf/select/reduce/dual_ascent.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

TEST_CASE("sweeps never lower the bound, and it never exceeds the optimum") {
  std::mt19937 random(521);
  int met = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const auto best = optimum(m);
    wf::detail::packing_ascent ascent(m);
    const wf::detail::packing_state state(m);
    wf::detail::packing_prices prices = ascent.pricer().free_prices();
    std::int64_t last = ascent.bound(state, prices);
    for (int i = 0; i < 30; ++i) {
      ascent.sweep(state, prices, i % 2 != 0);
      const std::int64_t bound = ascent.bound(state, prices);
      CHECK(bound >= last);
      last = bound;
      for (const std::int64_t price : prices.duals().row) CHECK(price >= 0);
    }
    if (!best) continue;
    CHECK(last <= (*best - m.base) * ascent.pricer().scale());
    met += last > (*best - m.base - 1) * ascent.pricer().scale();
  }
  CHECK(met > 500);
}
