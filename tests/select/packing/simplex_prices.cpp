// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/simplex_prices.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_model;
using wf::detail::packing_state;
using wf::detail::simplex_prices;

// The slack basis with the cheapest value of each class as its key.
static void set_cheapest(simplex_prices& prices, const packing_model& m) {
  for (std::uint32_t k = 0; k < m.classes; ++k) {
    std::uint32_t best = m.first[k];
    for (std::uint32_t v = best; v < m.first[k + 1]; ++v)
      if (m.cost[v] < m.cost[best]) best = v;
    prices.key_.push_back(best);
  }
  REQUIRE(prices.invert());
}

TEST_CASE("without tight rows the reduced costs are the costs") {
  std::mt19937 random(624);
  for (int round = 0; round < 200; ++round) {
    const packing_model m = random_model(random);
    const packing_state state(m);
    simplex_prices prices(m);
    set_cheapest(prices, m);
    prices.reprice(state);
    CHECK(prices.priced_);
    double total = 0;
    for (std::uint32_t k = 0; k < m.classes; ++k)
      total += static_cast<double>(m.cost[prices.key_[k]]);
    CHECK(prices.value_ == doctest::Approx(total));
    for (std::uint32_t v = 0; v < m.values; ++v)
      CHECK(prices.reduced_[v] == static_cast<double>(m.cost[v]));
  }
}

TEST_CASE("the price of a row grows until a value is as cheap as the key") {
  const std::int64_t cost[] = {10, 20};
  cover_model cover(cost);
  cover.add_edge(0, 1);
  const packing_model m = cover.finish();
  const packing_state state(m);
  simplex_prices prices(m);
  set_cheapest(prices, m);
  prices.reprice(state);
  prices.direct(state, {simplex_prices::leaving::basic, 0, 1, 1});
  const simplex_prices::entering in = prices.find_entering(state);
  REQUIRE(in.found);
  CHECK(in.variable == m.first[0]);
  CHECK(in.length == 10);
  CHECK(in.slope == -1);
  prices.advance(state, in.length);
  CHECK(prices.lambda_[0] == 10);
  CHECK(prices.reduced_[in.variable] == prices.reduced_[prices.key_[0]]);
}

TEST_CASE("the ratio test leaves no value cheaper than its class's key") {
  std::mt19937 random(625);
  int moved = 0;
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const packing_model m = random_model(random);
    const packing_state state(m);
    simplex_prices prices(m);
    if (prices.all_ == 0) continue;
    set_cheapest(prices, m);
    prices.reprice(state);
    prices.direct(state, {simplex_prices::leaving::basic, below(random, prices.all_), 1, 1});
    const simplex_prices::entering in = prices.find_entering(state);
    if (!in.found) continue;
    prices.advance(state, in.length);
    for (std::uint32_t v = 0; v < m.values; ++v)
      CHECK(prices.reduced_[v] > prices.reduced_[prices.key_[m.owner[v]]] - 1e-6);
    ++moved;
  }
  CHECK(moved > 100);
}

TEST_CASE("a class whose key is dropped gets its cheapest live value as the key") {
  const std::int64_t cost[] = {10, 20};
  cover_model cover(cost);
  cover.add_edge(0, 1);
  const packing_model m = cover.finish();
  packing_state state(m);
  simplex_prices prices(m);
  set_cheapest(prices, m);
  prices.reprice(state);
  state.leave(prices.key_[1], 1);
  prices.renew_keys(state);
  CHECK(prices.key_[1] == m.first[1]);
  CHECK(prices.value_ == 20);
}
