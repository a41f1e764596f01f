// SPDX-License-Identifier: BSL-1.0
#include <wf/order/peak_model.hpp>

#include <doctest/doctest.h>

#include "../cost/random_schedule.hpp"

TEST_CASE("row 4: what is alive after a set of nodes, and during the next, is that of the sweep") {
  std::mt19937 random(131);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    const std::size_t size = 1 + random() % 12;
    const wf::graph g = schedules::random_graph(random, size, random() % 2 == 0);
    const auto model = wf::detail::peak_model_builder(g.view(), wf::peak_memory, registry).run();
    REQUIRE(model);
    const auto order = wf::topological_order(g.view());
    REQUIRE(order);
    const auto swept =
        wf::liveness_along(g.view(), wf::peak_memory, registry, {order->data(), order->size()});
    REQUIRE(swept);
    wf::detail::peak_state state(*model);
    const std::int64_t start = state.alive();
    for (std::size_t k = 0; k < order->size(); ++k) {
      const std::uint32_t i = wf::index_of((*order)[k]);
      REQUIRE(state.is_ready(i));
      CHECK(state.during(i) == swept->alive[k]);
      const std::int64_t before = state.alive();
      state.execute(i);
      state.undo(i);
      CHECK(state.alive() == before);
      state.execute(i);
    }
    for (std::size_t k = order->size(); k-- > 0;) state.undo(wf::index_of((*order)[k]));
    CHECK(state.alive() == start);
  }
}
