// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/explore.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/search.hpp>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

using explorer = wf::detail::packing_explorer<wf::detail::packing_search<>>;

// The bound with zero prices: the sum of the cheapest values.
std::int64_t free_bound(const wf::detail::packing_model& m) {
  std::int64_t total = 0;
  for (std::uint32_t k = 0; k < m.classes; ++k) {
    std::int64_t least = wf::unbounded;
    for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v)
      if (m.cost[v] < least) least = m.cost[v];
    total += least;
  }
  return total;
}

}  // namespace

TEST_CASE("exploring finds only solutions below the cutoff, mostly the best, the same each time") {
  std::mt19937 random(601);
  int found = 0, best = 0, solvable = 0;
  for (int round = 0; round < 1'500; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const std::optional<std::int64_t> expected = optimum(m);
    wf::detail::packing_state state(m);
    wf::detail::packing_ascent ascent(m);
    const wf::detail::packing_prices prices = ascent.pricer().free_prices();
    const std::int64_t bound = free_bound(m) * ascent.pricer().scale();
    explorer one(m), two(m);
    for (explorer* e : {&one, &two}) e->remember(state, prices, bound);
    std::int64_t cutoff = wf::unbounded,
                 target = (ascent.pricer().dearest() + 1) * ascent.pricer().scale();
    for (int i = 0; i < 40; ++i) {
      const bool finds = one.run(cutoff, target, target - bound);
      CHECK(finds == two.run(cutoff, target, target - bound));
      if (!finds) continue;
      ++found;
      CHECK(one.found() == two.found());
      wf::detail::packing_choice choice(m);
      const auto priced = choice.load(one.found());
      if (!priced.solves()) {  // classes fixed around a neighbourhood may close a cycle
        CHECK(!priced.possible);
        continue;
      }
      CHECK(priced.objective < cutoff);
      cutoff = priced.objective;
      target = (cutoff - 1) * ascent.pricer().scale() + 1;
      for (explorer* e : {&one, &two}) e->move_to(one.found());
    }
    solvable += expected.has_value();
    if (cutoff == wf::unbounded) continue;
    REQUIRE(expected.has_value());
    CHECK(m.base + cutoff >= *expected);
    best += m.base + cutoff == *expected;
  }
  MESSAGE(found, " improvements, ", best, " of ", solvable, " solved");
  CHECK(solvable > 500);
  CHECK(best > solvable * 9 / 10);
}
