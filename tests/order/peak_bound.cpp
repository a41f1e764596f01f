// SPDX-License-Identifier: BSL-1.0
#include <wf/order/peak_bound.hpp>

#include <doctest/doctest.h>

#include "../cost/random_schedule.hpp"

TEST_CASE("row 4: working sets and cuts bound what a node needs in every order") {
  std::mt19937 random(141);
  const auto registry = wf::builtin_registry();
  std::size_t tight = 0, nodes = 0, sharper = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const std::size_t size = 2 + random() % 6;
    const wf::graph g = schedules::random_graph(random, size, random() % 2 == 0);
    const auto model = wf::detail::peak_model_builder(g.view(), wf::peak_memory, registry).run();
    REQUIRE(model);
    std::vector<std::int64_t> least(g.view().nodes.size(), INT64_MAX);
    schedules::for_each_order(g.view(), [&](const wf::table<wf::node_id>& order) {
      const auto swept =
          wf::liveness_along(g.view(), wf::peak_memory, registry, {order.data(), order.size()});
      for (std::size_t k = 0; k < order.size(); ++k)
        least[wf::index_of(order[k])] = std::min(least[wf::index_of(order[k])], swept->alive[k]);
    });
    const auto order = wf::topological_order(g.view());
    REQUIRE(order);
    const wf::detail::peak_bounds bounds(*model, {order->data(), order->size()});
    for (std::uint32_t i = 0; i < least.size(); ++i) {
      const std::int64_t set = bounds.working_set(i), cut = bounds.cut(i, INT64_MAX / 4);
      CHECK(set <= cut);
      CHECK(cut <= least[i]);
      CHECK(bounds.cut(i, cut) == cut);
      ++nodes;
      tight += cut == least[i] ? 1 : 0;
      sharper += set < cut ? 1 : 0;
    }
  }
  CHECK(tight > nodes * 8 / 10);
  CHECK(sharper > 0);
}

TEST_CASE("a minimum cut of a network by hand") {
  wf::detail::minimum_cut network(4);
  network.add_edge(0, 1, 3);
  network.add_edge(0, 2, 2);
  network.add_edge(1, 2, 5);
  network.add_edge(1, 3, 2);
  network.add_edge(2, 3, 3);
  CHECK(network.run(0, 3, 100) == 5);
}
