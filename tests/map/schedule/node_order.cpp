// SPDX-License-Identifier: BSL-1.0
#include <wf/map/schedule/node_order.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/ir/compare/same.hpp>

#include "../random_ticks.hpp"

namespace {

// The second product is longer, so it comes first.
constexpr auto two = wf::workflow<"two">([](wf::scope& s) {
  auto a = s.input<"a", double, 2, 8>();
  auto b = s.input<"b", double, 8, 2>();
  auto small = s.let<"small">(a * b);
  auto large = s.let<"large">(b * a);
  s.output<"tail">(s.let<"end">(large * b));
  s.output<"head">(small);
});
constexpr bool long_first() {
  wf::task_options o;
  const wf::registry kernels = wf::builtin_registry();
  auto s = wf::schedule(two.graph(), wf::flops, kernels, o);
  if (!s) return false;
  s->times.tasks[0].start = 1'000'000;
  const auto order = wf::order_of(two.graph(), *s);
  return order &&
         *order == wf::table<wf::node_id>{wf::node_id{1}, wf::node_id{2}, wf::node_id{0}} &&
         wf::reordered(two.graph(), *order)->view().nodes.size() == 3;
}
static_assert(long_first());

}  // namespace

TEST_CASE("tasks come by their starts, and everything after what it reads") {
  wf_test::task_dice dice(5);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    const wf::graph g = wf_test::random_ticks(dice, 10);
    const auto s =
        wf::schedule(g, wf_test::ticks, wf::builtin_registry(), wf_test::random_machine(dice));
    if (!s) continue;
    const auto order = wf::order_of(g, *s);
    REQUIRE(order);
    REQUIRE(order->size() == g.view().nodes.size());
    std::vector<std::size_t> place(g.view().nodes.size());
    for (std::size_t k = 0; k < order->size(); ++k) place[wf::index_of((*order)[k])] = k;
    const auto after = wf_test::reachable(g.view());
    for (std::size_t a = 0; a < place.size(); ++a)
      for (std::size_t b = 0; b < place.size(); ++b)
        if (after[a][b]) CHECK(place[a] < place[b]);
    for (std::size_t a = 0; a < s->tasks.nodes.size(); ++a)
      for (std::size_t b = 0; b < s->tasks.nodes.size(); ++b)
        if (s->times.tasks[a].start < s->times.tasks[b].start)
          CHECK(place[wf::index_of(s->tasks.nodes[a])] < place[wf::index_of(s->tasks.nodes[b])]);
    const auto made = wf::reordered(g, *order);
    REQUIRE(made);
    for (std::size_t k = 0; k < order->size(); ++k)
      CHECK(made->view().label(static_cast<wf::node_id>(k)) == g.view().label((*order)[k]));
  }
}

TEST_CASE("a schedule of another workflow, or an impossible one, gives no order") {
  wf_test::task_dice dice(6);
  const wf::graph other = wf_test::random_ticks(dice, 2);
  auto s = wf::schedule(two.graph(), wf::flops, wf::builtin_registry());
  REQUIRE(s);
  const auto foreign = wf::order_of(other, *s);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().code == wf::errc::invalid_problem);
  s->times.tasks[2].start = 0;
  s->times.tasks[1].start = 10;
  const auto early = wf::order_of(two.graph(), *s);
  REQUIRE_FALSE(early);
  CHECK(early.error().code == wf::errc::invalid_problem);
  const wf::node_id wrong[] = {wf::node_id{2}, wf::node_id{1}, wf::node_id{0}};
  const auto made = wf::reordered(two.graph(), wrong);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == wf::errc::malformed_graph);
}
