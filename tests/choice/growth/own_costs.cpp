// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/own_costs.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../expressions.hpp"

TEST_CASE("a candidate costs its price, of peaks its own results, of measured metrics nothing") {
  const auto g = expressions::chain({2, 3, 4, 5});
  REQUIRE(g);
  const auto costs_in = [&](const wf::metric_spec& m) {
    wf::table<std::int64_t> costs(2);
    REQUIRE(wf::detail::add_costs(costs, g->view(), m, 0, 1, wf::builtin_registry()));
    return costs;
  };
  CHECK(costs_in(wf::flops) == wf::table<std::int64_t>{2 * 2 * 3 * 4, 2 * 2 * 4 * 5});
  CHECK(costs_in(wf::peak_memory) == wf::table<std::int64_t>{8 * 2 * 4, 8 * 2 * 5});
  constexpr wf::metric<"m", "", wf::combination::measured> told;
  CHECK(costs_in(told) == wf::table<std::int64_t>{0, 0});
}

TEST_CASE("costs go to their column") {
  const auto g = expressions::chain({2, 3, 4, 5});
  REQUIRE(g);
  wf::table<std::int64_t> costs(4, 7);
  REQUIRE(wf::detail::add_costs(costs, g->view(), wf::flops, 1, 2, wf::builtin_registry()));
  CHECK(costs == wf::table<std::int64_t>{7, 48, 7, 80});
}

TEST_CASE("results that no view shares are in use together") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 50; ++round) {
    // An unknown operator, a known one, and a view.
    for (const char* const op : {"unheard_of", "add", "transpose"}) {
      wf::graph g("g");
      std::int64_t sum = 0, largest = 0;
      std::vector<wf::value_type> results;
      for (std::uint64_t k = 1 + random() % 3; k > 0; --k) {
        const auto extent = static_cast<std::int64_t>(1 + random() % 9);
        results.push_back({wf::dtype::f64, {}, wf::shape::of(extent)});
        sum += 8 * extent;
        largest = std::max(largest, 8 * extent);
      }
      const wf::node_id n = g.add_node({.op = op}, {}, {results.data(), results.size()});
      CHECK(wf::detail::working_set(g, g[n], wf::peak_memory, wf::builtin_registry()) ==
            (std::string(op) == "transpose" ? largest : sum));
    }
  }
}
