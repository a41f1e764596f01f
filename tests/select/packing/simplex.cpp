// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/simplex.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../packing_oracle.hpp"

using namespace enumerated;

namespace {

// A model with slack limits: tight ones are handled by propagation.
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
    const double bound = bound_of(ascent, state, simplex);
    if (status == wf::detail::simplex_status::infeasible) {
      CHECK(bound >
            static_cast<double>(ascent.pricer().dearest()));  // above the cost of every selection
      ++infeasible;
      continue;
    }
    REQUIRE(status == wf::detail::simplex_status::optimal);
    ++optimal;
    // The shares are a solution of the relaxation, ...
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
    // ... whose cost equals the bound that the prices prove.
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

namespace {

struct solved_relaxation {
  wf::detail::simplex_status status{};
  double value = 0, bound = 0;  ///< the value of the relaxation, and the bound that the prices
                                ///< prove
  int tight = 0;                ///< number of rows with a nonzero price
};

constexpr solved_relaxation solve_relaxation(const wf::detail::packing_model& m) {
  const wf::detail::packing_state state(m);
  wf::detail::packing_ascent ascent(m);
  wf::detail::packing_simplex simplex(m);
  simplex.reset(state);
  solved_relaxation out;
  out.status = simplex.solve(state, 1e30, 1e9, 100'000);
  out.value = simplex.value();
  const wf::detail::packing_prices prices = prices_of(ascent, state, simplex);
  out.bound = bound_of(ascent, state, simplex);
  for (const std::int64_t price : prices.duals().row) out.tight += price > 0;
  return out;
}

// The cost of the cheapest vertex cover of a path.
std::int64_t cover_path(const std::vector<std::int64_t>& cost) {
  std::int64_t in = 0, out = 0;  // with the last vertex in or out of the cover
  for (const std::int64_t c : cost) {
    const std::int64_t now_in = std::min(in, out) + c, now_out = in;
    in = now_in;
    out = now_out;
  }
  return std::min(in, out);
}

constexpr bool covers_half_a_triangle() {
  const std::int64_t cost[] = {10, 10, 10};
  cover_model cover(cost);
  for (std::uint32_t v = 0; v < 3; ++v) cover.add_edge(v, (v + 1) % 3);
  const solved_relaxation solved = solve_relaxation(cover.finish());
  return solved.status == wf::detail::simplex_status::optimal && solved.bound > 14 &&
         solved.bound <= 15;
}
static_assert(covers_half_a_triangle());

}  // namespace

TEST_CASE("an odd cycle of 2,001 tight rows costs half of all its vertices") {
  constexpr std::uint32_t size = 2'001;
  cover_model cover(std::vector<std::int64_t>(size, 2));
  for (std::uint32_t v = 0; v < size; ++v) cover.add_edge(v, (v + 1) % size);
  const solved_relaxation solved = solve_relaxation(cover.finish());
  CHECK(solved.status == wf::detail::simplex_status::optimal);
  CHECK(solved.tight == size);
  CHECK(solved.value == doctest::Approx(size));
  CHECK(solved.bound == doctest::Approx(size).epsilon(1e-4));
}

TEST_CASE("paths of thousands of rows cost what dynamic programming says") {
  std::mt19937 random(533);
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    std::vector<std::int64_t> cost;
    for (int v = 0; v < 4'000; ++v) cost.push_back(1 + static_cast<int>(random() % 20));
    cover_model cover(cost);
    for (std::uint32_t v = 0; v + 1 < cost.size(); ++v) cover.add_edge(v, v + 1);
    const solved_relaxation solved = solve_relaxation(cover.finish());
    CHECK(solved.status == wf::detail::simplex_status::optimal);
    CHECK(solved.tight > 1'000);
    CHECK(solved.value == doctest::Approx(static_cast<double>(cover_path(cost))));
    CHECK(solved.bound > static_cast<double>(cover_path(cost)) - 0.5);
  }
}

TEST_CASE("a saved basis is gone back to") {
  std::mt19937 random(534);
  for (int round = 0; round < 1'000; ++round) {
    CAPTURE(round);
    const wf::detail::packing_model m = roomy_model(random);
    const wf::detail::packing_state all(m);
    wf::detail::packing_state part(m);
    wf::detail::packing_simplex simplex(m);
    simplex.reset(all);
    if (simplex.solve(all, 1e30, 1000, 10'000) != wf::detail::simplex_status::optimal) continue;
    const double value = simplex.value();
    wf::detail::packing_basis saved;
    simplex.save(saved);
    for (std::uint32_t k = 0; k < m.classes; ++k)
      if (part.class_count[k] > 1) part.leave(part.left(k)[random() % part.class_count[k]], k);
    simplex.solve(part, 1e30, 1000, 10'000);
    simplex.load(saved);
    CHECK(simplex.solve(all, 1e30, 1000, 10'000) == wf::detail::simplex_status::optimal);
    CHECK(simplex.value() == doctest::Approx(value));
  }
}
