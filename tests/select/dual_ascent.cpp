// SPDX-License-Identifier: BSL-1.0
#include <wf/select/dual_ascent.hpp>

#include <random>

#include <doctest/doctest.h>

#include "packing_oracle.hpp"

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
    wf::detail::packing_prices prices = ascent.free_prices();
    std::int64_t last = ascent.bound(state, prices);
    for (int i = 0; i < 30; ++i) {
      ascent.sweep(state, prices, i % 2 != 0);
      const std::int64_t bound = ascent.bound(state, prices);
      CHECK(bound >= last);
      last = bound;
      for (const std::int64_t price : prices.price) CHECK(price >= 0);
    }
    if (!best) continue;
    CHECK(last <= (*best - m.base) * ascent.scale());
    met += last > (*best - m.base - 1) * ascent.scale();
  }
  CHECK(met > 500);
}

TEST_CASE("any prices that are not negative give a bound") {
  std::mt19937 random(522);
  for (int round = 0; round < 2'000; ++round) {
    const wf::detail::packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const auto best = optimum(m);
    if (!best) continue;
    wf::detail::packing_ascent ascent(m);
    const wf::detail::packing_state state(m);
    wf::detail::packing_prices prices = ascent.free_prices();
    for (std::int64_t& price : prices.price)
      price = static_cast<std::int64_t>(random() % 8) * ascent.scale();
    for (std::int64_t& price : prices.limit)
      price = static_cast<std::int64_t>(random() % 100) * ascent.scale() *
              (wf::detail::packing_prices::fraction / 64);
    ascent.reprice(prices);
    CHECK(ascent.bound(state, prices) <= (*best - m.base) * ascent.scale());
  }
}

TEST_CASE("values leave their class and come back in reverse") {
  wf::detail::packing_model m;
  m.add_class();
  for (std::uint32_t v = 0; v < 4; ++v) m.add_value(v, v);
  m.finish();
  wf::detail::packing_state s(m);
  s.leave(1, 0);
  s.leave(3, 0);
  CHECK(s.class_count[0] == 2);
  CHECK(s.left(0).size() == 2);
  for (const std::uint32_t v : s.left(0)) CHECK((v == 0 || v == 2));
  s.come_back(3, 0);
  s.come_back(1, 0);
  std::uint32_t seen = 0;
  for (const std::uint32_t v : s.left(0)) seen |= 1U << v;
  CHECK(seen == 15);
}
