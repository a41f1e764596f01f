// SPDX-License-Identifier: BSL-1.0
#include <wf/order/search.hpp>

#include <doctest/doctest.h>

#include "../cost/random_schedule.hpp"

TEST_CASE("row 4: the search finds what is better than the incumbent, or proves that nothing is") {
  std::mt19937 random(151);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const std::size_t size = 1 + random() % 6;
    const wf::graph g = schedules::random_graph(random, size, random() % 2 == 0);
    const std::int64_t least = schedules::least_peak(g.view(), registry, wf::peak_memory);
    const auto model = wf::detail::peak_model_builder(g.view(), wf::peak_memory, registry).run();
    REQUIRE(model);
    wf::detail::order_search none(*model, least, 0);  // no order is below the optimum
    CHECK(none.run(10'000));
    CHECK_FALSE(none.found());
    CHECK(none.bound() == least);
    wf::detail::order_search better(*model, least + 1, 0);
    CHECK(better.run(10'000));
    REQUIRE(better.found());
    wf::detail::peak_state state(*model);
    CHECK(wf::detail::value_of(state, better.order()).peak == least);
    wf::detail::order_search cut_off(*model, least + 1, 0);
    if (!cut_off.run(1)) CHECK(cut_off.bound() <= least);
  }
}

TEST_CASE("row 4: greedy orders and local improvement keep every edge") {
  std::mt19937 random(152);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const std::size_t size = 1 + random() % 30;
    const wf::graph g = schedules::random_graph(random, size, random() % 2 == 0);
    const auto model = wf::detail::peak_model_builder(g.view(), wf::peak_memory, registry).run();
    REQUIRE(model);
    wf::detail::peak_state state(*model);
    wf::table<std::uint32_t> order = wf::detail::greedy_order(*model, state);
    const wf::detail::order_value before = wf::detail::value_of(state, order);
    wf::detail::improve_order(*model, state, order, 0);
    CHECK_FALSE(before < wf::detail::value_of(state, order));
    wf::table<wf::node_id> ids;
    for (const std::uint32_t i : order) ids.push_back(static_cast<wf::node_id>(i));
    CHECK(schedules::is_topological(g.view(), ids));
  }
}
