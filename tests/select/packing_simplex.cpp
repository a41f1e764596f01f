// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing_simplex.hpp>

#include <random>

#include <doctest/doctest.h>

#include "packing_oracle.hpp"

using namespace enumerated;

namespace {

// A model whose limits leave room: the others are propagation's affair.
wf::detail::packing_model roomy_model(std::mt19937& random) {
  for (;;) {
    wf::detail::packing_model m = random_model(random);
    bool roomy = true;
    for (const std::int64_t capacity : m.capacity) roomy = roomy && capacity > 0;
    if (roomy) return m;
  }
}

}  // namespace

TEST_CASE("shares and prices prove each other optimal") {
  std::mt19937 random(531);
  int optimal = 0, infeasible = 0;
  for (int round = 0; round < 6'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = roomy_model(random);
    const wf::detail::packing_state state(m);
    wf::detail::packing_ascent ascent(m);
    wf::detail::packing_simplex simplex(m);
    simplex.reset(state);
    const auto status = simplex.solve(state, 1e30, 1000, 10'000);
    wf::detail::packing_prices prices = ascent.free_prices();
    simplex.price(prices, ascent.scale());
    ascent.reprice(prices);
    const double bound =
        static_cast<double>(ascent.bound(state, prices)) / static_cast<double>(ascent.scale());
    if (status == wf::detail::simplex_status::infeasible) {
      CHECK(bound > static_cast<double>(ascent.dearest()));  // no selection costs that much
      ++infeasible;
      continue;
    }
    REQUIRE(status == wf::detail::simplex_status::optimal);
    ++optimal;
    // The shares are a solution of the relaxation ...
    double cost = 0;
    for (std::uint32_t k = 0; k < m.classes; ++k) {
      double all = 0;
      for (std::uint32_t v = m.first[k]; v < m.first[k + 1]; ++v) {
        CHECK(simplex.share(v) > -1e-6);
        all += simplex.share(v);
        cost += simplex.share(v) * static_cast<double>(m.cost[v]);
      }
      CHECK(all == doctest::Approx(1));
    }
    for (std::uint32_t r = 0; r < m.rows; ++r) {
      double in = 0;
      for (std::uint32_t e = m.row_first[r]; e < m.row_first[r + 1]; ++e)
        in += simplex.share(m.entry[e]);
      CHECK(in < 1 + 1e-6);
    }
    for (std::size_t l = 0; l < m.capacity.size(); ++l) {
      double used = 0;
      for (std::uint32_t v = 0; v < m.values; ++v)
        used += simplex.share(v) * static_cast<double>(m.weight[l * m.values + v]);
      CHECK(used < static_cast<double>(m.capacity[l]) + 1e-4);
    }
    // ... that costs what the prices prove.
    CHECK(bound <= cost + 1e-6);
    CHECK(bound >= cost - 1e-3);
  }
  CHECK(optimal > 4'000);
  CHECK(infeasible > 20);
}

TEST_CASE("after values are dropped the simplex method goes on from its basis") {
  std::mt19937 random(532);
  for (int round = 0; round < 3'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = roomy_model(random);
    wf::detail::packing_state state(m);
    wf::detail::packing_simplex warm(m), cold(m);
    warm.reset(state);
    if (warm.solve(state, 1e30, 1000, 10'000) != wf::detail::simplex_status::optimal) continue;
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (state.class_count[k] > 1 && random() % 2 == 0)
        state.leave(state.left(k)[random() % state.class_count[k]], k);
    const auto status = warm.solve(state, 1e30, 1000, 10'000);
    cold.reset(state);
    REQUIRE(cold.solve(state, 1e30, 1000, 10'000) == status);
    if (status == wf::detail::simplex_status::optimal)
      CHECK(warm.value() == doctest::Approx(cold.value()).epsilon(1e-6));
  }
}
