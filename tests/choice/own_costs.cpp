// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/own_costs.hpp>

#include <doctest/doctest.h>

#include "expressions.hpp"

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
