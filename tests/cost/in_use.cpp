// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/in_use.hpp>

#include <doctest/doctest.h>

#include <wf/cost/peak.hpp>
#include <wf/registry/registry.hpp>

TEST_CASE("what is in use along an order, with and without addresses") {
  wf::graph g("g");
  const wf::value_type vector{wf::dtype::f64, {}, wf::shape::of(10)};
  const wf::value_id x = g.add_input("x", vector);
  const wf::node_id first =
      g.add_node({.op = "exp", .domain = "elementwise"}, {&x, 1}, {&vector, 1});
  const wf::value_id y = wf::graph_view::output_of(g.view()[first]);
  const wf::value_id both[] = {x, y};
  const wf::node_id last = g.add_node({.op = "add", .domain = "elementwise"}, both, {&vector, 1});
  g.add_output("z", wf::graph_view::output_of(g.view()[last]));
  const wf::registry kernels = wf::builtin_registry();
  const wf::node_id order[] = {first, last};
  const auto bytes = wf::detail::amounts_in_use_along(g.view(), wf::peak_memory, kernels, order);
  REQUIRE(bytes);
  CHECK(bytes->peak == 160);  // the sum overwrites the exponentials
  CHECK(bytes->alive[0] == 160);
  const auto plan = wf::detail::storage_plan_along(g.view(), kernels, order, 4);
  REQUIRE(plan);
  CHECK(plan->bytes == 80);
  constexpr wf::metric<"flops", "flop", wf::combination::peak> held;
  const auto amounts = wf::detail::amounts_in_use_along(g.view(), held, kernels, order);
  REQUIRE(amounts);
  CHECK(amounts->alive[0] == 10);
  CHECK(amounts->alive[1] == 20);
  const wf::node_id wrong[] = {last, first};
  CHECK_FALSE(wf::detail::amounts_in_use_along(g.view(), wf::peak_memory, kernels, wrong));
  CHECK(*wf::detail::peak_of(g.view(), wf::peak_memory, kernels) == bytes->peak);
}
