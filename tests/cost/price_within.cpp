// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/price_within.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

TEST_CASE("prices that are no rational numbers: bounds, and whole units above them") {
  constexpr wf::metric<"longest", "flop", wf::combination::critical_path> longest;
  constexpr wf::metric<"largest", "flop", wf::combination::maximum> largest;
  std::mt19937_64 random(20261123);
  MESSAGE("seed 20261123");
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(100)};
  for (int trial = 0; trial < 300; ++trial) {
    // Nodes with one or two earlier operands, with their prices as Python would print them.
    wf::graph g("g");
    std::vector<wf::value_id> values = {g.add_input("x", vector)};
    long double sum = 0, most = 0;
    std::vector<long double> path = {0};
    int irrational = 0;
    const int nodes = static_cast<int>(random() % 8) + 1;
    for (int n = 0; n < nodes; ++n) {
      const std::size_t a = random() % values.size(), b = random() % values.size();
      const wf::value_id operands[] = {values[a], values[b]};
      const wf::node_id made = g.add_node({.op = "add"}, operands, {&vector, 1});
      const int whole = static_cast<int>(random() % 90) + 1;
      const bool is_whole = random() % 3 == 0;
      const std::string formula =
          is_whole ? std::to_string(whole)
                   : std::to_string(whole) + "*log2(" + std::to_string(3 * whole) + ")";
      const long double cost =
          is_whole ? static_cast<long double>(whole) : whole * std::log2(3.0L * whole);
      for (const char* metric : {"flops", "longest", "largest"})
        g.add_cost(metric, {formula.data(), formula.size()});
      irrational += is_whole ? 0 : 1;
      sum += cost;
      most = std::max(most, cost);
      path.push_back(cost + std::max(path[a], path[b]));
      values.push_back(wf::graph_view::output_of(g.view()[made]));
    }
    g.add_output("y", values.back());
    const auto check = [&](const wf::metric_spec& m, long double expected) {
      const auto within = wf::price_within(g.view(), m);
      REQUIRE(within);
      if (within->is_exact) {
        CHECK(within->exact == wf::rational(static_cast<std::int64_t>(expected)));
      } else {
        const long double low = std::ldexp(static_cast<long double>(within->low.digits),
                                           within->low.exponent),
                          high = std::ldexp(static_cast<long double>(within->high.digits),
                                            within->high.exponent);
        CHECK(low <= expected * (1 + 1e-17L));
        CHECK(high >= expected * (1 - 1e-17L));
        CHECK(high - low <= 1e-15L * expected);
      }
      const auto whole = wf::price(g.view(), m);
      REQUIRE(whole);
      CHECK(static_cast<long double>(*whole) >= expected - 1e-9L);
      CHECK(static_cast<long double>(*whole) < expected + irrational + 1e-9L);
    };
    check(wf::flops, sum);
    check(largest, most);
    check(longest, *std::max_element(path.begin(), path.end()));
  }
}
