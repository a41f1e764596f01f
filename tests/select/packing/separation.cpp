// SPDX-License-Identifier: BSL-1.0
#include <wf/select/packing/separation.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/select/packing/search.hpp>
#include <wf/select/packing/simplex.hpp>

#include "../hard_model.hpp"
#include "../packing_oracle.hpp"

using namespace enumerated;
using wf::detail::packing_cut;
using wf::detail::packing_cuts;
using wf::detail::packing_cutter;
using wf::detail::packing_model;
using wf::detail::packing_simplex;
using wf::detail::simplex_status;

namespace {

// Four classes of three values: any two classes have a row for each value, so that no value is
// taken twice.
constexpr packing_model pigeon_holes() {
  packing_model m;
  for (std::uint32_t k = 0; k < 4; ++k) {
    m.add_class();
    for (std::uint32_t v = 0; v < 3; ++v) m.add_value(v, packing_model::none);
  }
  for (std::uint32_t v = 0; v < 3; ++v)
    for (std::uint32_t a = 0; a < 4; ++a)
      for (std::uint32_t b = 0; b < a; ++b) {
        const std::uint32_t both[] = {3 * b + v, 3 * a + v};
        m.add_row(both);
      }
  finish_flat(m);
  return m;
}

// The value of the relaxation with all cuts found, or -1 if it is infeasible.
constexpr double cut_off(const packing_model& m) {
  const wf::detail::packing_state state(m);
  packing_simplex simplex(m);
  packing_cutter cutter(m);
  packing_cuts pool;
  simplex.reset(state);
  for (;;) {
    if (simplex.solve(state, 1e30, 1000, 1000) != simplex_status::optimal) return -1;
    const wf::table<packing_cut> found = cutter.run(simplex.shares(), pool);
    if (found.empty()) return simplex.value();
    for (const packing_cut& cut : found) pool.add(cut);
    pool.index(m.values);
    simplex.use(pool);
  }
}

constexpr bool is_near(double a, double b) { return a - b < 1e-6 && b - a < 1e-6; }

}  // namespace

TEST_CASE("cuts hold for every solution, and not for the shares that they were found from") {
  std::mt19937 random(571);
  int models = 0, found = 0, multiples = 0;
  while (models < 800) {
    CAPTURE(models);
    const packing_model m = hard_model(random);
    ++models;
    std::vector<std::vector<std::uint32_t>> solutions;
    for_each_solution(m, [&](const std::vector<std::uint32_t>& s) { solutions.push_back(s); });
    const wf::detail::packing_state state(m);
    packing_simplex simplex(m);
    packing_cutter cutter(m);
    packing_cuts pool;
    simplex.reset(state);
    double value = 0;
    for (int round = 0; round < 12; ++round) {
      if (simplex.solve(state, 1e30, 1000, 10'000) != simplex_status::optimal) break;
      CHECK(simplex.value() >= value - 1e-6);
      value = simplex.value();
      const wf::table<double> share = simplex.shares();
      for (const packing_cut& cut : cutter.run(share, pool)) {
        ++found;
        const auto largest = std::max_element(cut.coefficient.begin(), cut.coefficient.end());
        multiples += *largest > 1;
        CHECK(use(cut, [&](std::uint32_t v) { return share[v]; }) >
              static_cast<double>(cut.most) + 0.01);
        for (std::size_t i = 1; i < cut.value.size(); ++i) CHECK(cut.value[i - 1] < cut.value[i]);
        CHECK(std::all_of(solutions.begin(), solutions.end(), [&](const auto& s) {
          return use(cut, [&](std::uint32_t v) { return s[m.owner[v]] == v ? 1.0 : 0.0; }) <
                 static_cast<double>(cut.most) + 0.01;
        }));
        pool.add(cut);
      }
      pool.index(m.values);
      simplex.use(pool);
    }
    const auto best = cheapest(m);
    if (best) CHECK(value < static_cast<double>(best->cost - m.base) + 1e-6);
  }
  CHECK(found > 1'000);
  CHECK(multiples > 100);
}

TEST_CASE("odd rings are cut to the optimum, and too few holes to nothing") {
  static_assert(is_near(cut_off(odd_ring(5)), 3));
  CHECK(cut_off(pigeon_holes()) == -1);
  for (std::uint32_t size = 3; size < 20; size += 2) {
    CAPTURE(size);
    CHECK(is_near(cut_off(odd_ring(size)), (size + 1) / 2.0));
  }
}

TEST_CASE("a search with cuts agrees with enumeration, and needs fewer nodes") {
  std::mt19937 random(573);
  std::uint64_t nodes[2] = {0, 0};
  for (int round = 0; round < 800; ++round) {
    CAPTURE(round);
    const packing_model m = hard_model(random);
    const auto expected = optimum(m);
    for (const bool cuts : {false, true}) {
      packing_cuts pool;
      wf::detail::packing_search<> search(m);
      search.set_budget(1000);
      if (cuts) search.set_cutting(pool);
      search.start([] { return true; });
      search.begin();
      while (search.is_open()) search.advance(1'000'000, 1000);
      search.prove(search.value() == wf::unbounded ? wf::unbounded : search.value());
      nodes[cuts] += search.counters().nodes;
      CAPTURE(cuts);
      CHECK(expected.has_value() == (search.value() != wf::unbounded));
      if (expected) CHECK(m.base + search.value() == *expected);
    }
  }
  CHECK(nodes[1] < nodes[0]);
}
