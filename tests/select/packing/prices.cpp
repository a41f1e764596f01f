// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/prices.hpp>

#include <random>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_cuts;
using wf::detail::packing_duals;
using wf::detail::packing_model;
using wf::detail::packing_pricer;
using wf::detail::packing_prices;
using wf::detail::packing_state;

namespace {

// Prices from zero to values that occur only in rays.
std::int64_t random_price(std::mt19937& random, std::int64_t unit) {
  switch (random() % 4) {
    case 0:
      return 0;
    case 1:
      return (std::int64_t{1} << 59) + static_cast<std::int64_t>(random());
    default:
      return static_cast<std::int64_t>(random() % 100) * unit;
  }
}

// A state with some values dropped.
packing_state random_state(const packing_model& m, std::mt19937& random) {
  packing_state s(m);
  for (std::uint32_t k = 0; k < m.classes; ++k)
    while (s.class_count[k] > 1 && random() % 3 == 0)
      s.leave(s.left(k)[random() % s.class_count[k]], k);
  return s;
}

void set_random(packing_pricer& pricer, packing_prices& p, const packing_state& s,
                std::mt19937& random) {
  pricer.set(p, s, [&](packing_duals& duals) {
    for (std::int64_t& price : duals.row) price = random_price(random, pricer.scale() / 8 + 1);
    for (std::int64_t& price : duals.limit)
      price = random_price(random, pricer.scale() * (packing_prices::fraction / 64));
  });
}

// Cuts that are equivalent to the rows.
packing_cuts rows_as_cuts(const packing_model& m) {
  packing_cuts out;
  for (std::uint32_t r = 0; r < m.rows; ++r) {
    wf::detail::packing_cut cut;
    for (std::uint32_t e = m.row_first[r]; e < m.row_first[r + 1]; ++e) {
      cut.value.push_back(m.entry[e]);
      cut.coefficient.push_back(2);
    }
    cut.most = 2;
    out.add(cut);
  }
  out.index(m.values);
  return out;
}

}  // namespace

TEST_CASE("whatever the prices, they agree with the reduced costs and prove a bound") {
  std::mt19937 random(522);
  int bounded = 0;
  for (int round = 0; round < 2'000; ++round) {
    CAPTURE(round);
    const packing_model m = random_model(random);
    if (choices(m) > 20'000) continue;
    const auto best = optimum(m);
    wf::detail::packing_ascent ascent(m);
    packing_pricer& pricer = ascent.pricer();
    const packing_cuts cuts = rows_as_cuts(m);
    pricer.use(cuts);
    const packing_state state(m);
    packing_prices prices = pricer.free_prices();
    CHECK(pricer.agrees(state, prices));
    for (int times = 0; times < 4; ++times) {
      set_random(pricer, prices, state, random);
      if (times == 3)
        pricer.set(prices, state, [&](packing_duals& duals) {
          duals.cut = wf::table<std::int64_t>(cuts.size(), pricer.scale() / 4 + 1);
        });
      CHECK(pricer.agrees(state, prices));
      for (int changes = 0; changes < 3 && m.rows != 0; ++changes)
        pricer.change(prices, below(random, m.rows), below(random, 100));
      CHECK(pricer.agrees(state, prices));
      const std::int64_t bound = ascent.bound(state, prices);
      bounded += bound > 0;
      if (best) CHECK(bound <= (*best - m.base) * pricer.scale());
    }
  }
  CHECK(bounded > 500);
}

TEST_CASE("prices of what is left prove nothing less of what was left before") {
  std::mt19937 random(523);
  int limited = 0;
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const packing_model m = random_model(random);
    packing_pricer pricer(m);
    const packing_state all(m), part = random_state(m, random);
    packing_prices prices = pricer.free_prices();
    set_random(pricer, prices, part, random);
    CHECK(pricer.agrees(part, prices));
    packing_prices whole = prices;
    pricer.set(whole, all, [](packing_duals&) {});
    CHECK(whole.duals() == prices.duals());
    for (std::uint32_t v = 0; v < m.values; ++v) {
      CHECK(prices.reduced(v) <= whole.reduced(v));
      if (part.alive[v]) CHECK(prices.reduced(v) == whole.reduced(v));
    }
    limited += prices.reduced() != whole.reduced();
  }
  CHECK(limited > 100);
}

TEST_CASE("prices of another problem, and of other cuts, are found out") {
  std::mt19937 random(524);
  int compared = 0;
  while (compared < 300) {
    packing_model m = random_model(random);
    if (m.rows == 0) continue;
    ++compared;
    packing_cuts cuts = rows_as_cuts(m);
    packing_pricer pricer(m);
    pricer.use(cuts);
    const packing_state state(m);
    packing_prices prices = pricer.free_prices();
    pricer.set(prices, state,
               [&](packing_duals& duals) { duals.cut = wf::table<std::int64_t>(cuts.size(), 8); });
    CHECK(pricer.agrees(state, prices));
    packing_model other = m;
    other.cost[below(random, m.values)] += 1;
    packing_pricer dearer(other);
    dearer.use(cuts);
    if (dearer.scale() == pricer.scale()) CHECK(!dearer.agrees(state, prices));
    wf::table<std::uint8_t> kept(cuts.size(), 1);
    kept[below(random, cuts.size())] = 0;
    cuts.keep(kept);
    cuts.index(m.values);
    CHECK(!pricer.agrees(state, prices));
  }
}

TEST_CASE("prices are made while compiling as they are at run time") {
  static_assert([] {
    const std::int64_t cost[] = {10, 10, 10};
    cover_model cover(cost);
    for (std::uint32_t v = 0; v < 3; ++v) cover.add_edge(v, (v + 1) % 3);
    const packing_model m = cover.finish();
    wf::detail::packing_ascent ascent(m);
    packing_pricer& pricer = ascent.pricer();
    const packing_state state(m);
    packing_prices prices = pricer.free_prices();
    pricer.set(prices, state, [&](packing_duals& duals) {
      for (std::int64_t& price : duals.row) price = 5 * pricer.scale();
    });
    return pricer.agrees(state, prices) && ascent.bound(state, prices) == 15 * pricer.scale();
  }());
}
