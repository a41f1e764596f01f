// SPDX-License-Identifier: BSL-1.0
#include <wf/order/best.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>

#include "../cost/random_schedule.hpp"
#include "../sanitized.hpp"

namespace {

// Two products of large matrices, of which only a vector each is needed: computing one after the
// other avoids holding both.
constexpr auto wasteful = wf::workflow<"wasteful">([](wf::scope& s) {
  auto a = s.input<"a", double, 8, 2>();
  auto b = s.input<"b", double, 2, 8>();
  auto v = s.input<"v", double, 8>();
  auto first = s.let<"first">(a * b);
  auto second = s.let<"second">(relu(a) * b);
  auto third = s.let<"third">(relu(relu(a)) * b);
  s.output<"y">(first * v + (second * v + third * v));
});
constexpr std::int64_t captured = wf::cost(wasteful)[wf::peak_memory];
constexpr std::int64_t least = wf::cost(wasteful)[wf::along_best_order(wf::peak_memory)];
static_assert(least < captured);
constexpr bool proven_while_compiling = [] {
  const auto found = wf::best_order(wasteful.graph(), wf::peak_memory);
  return found && found->proven && found->peak == least && found->order.size() == 10;
}();
static_assert(proven_while_compiling);
static_assert(wf::along_best_order(wf::peak_memory).spec.name == "least_peak_memory");

std::int64_t peak_along(const wf::graph_view& g, const wf::registry& r, const wf::metric_spec& m,
                        const wf::table<wf::node_id>& order) {
  return wf::liveness_along(g, m, r, {order.data(), order.size()})->peak;
}

inline constexpr wf::metric<"handles", "handle", wf::combination::peak> handles;

}  // namespace

TEST_CASE("row 4: the best order of random graphs, against every topological order") {
  std::mt19937 random(91);
  const auto registry = wf::builtin_registry();
  int better = 0;
  for (int round = 0; round < (wf_test::sanitized ? 200 : 2000); ++round) {
    CAPTURE(round);
    const std::size_t nodes = 1 + random() % 7;
    const wf::graph g = schedules::random_graph(random, nodes, random() % 2 == 0);
    const auto found = wf::best_order(g.view(), wf::peak_memory);
    REQUIRE(found);
    CHECK(found->proven);
    CHECK(found->bound == found->peak);
    CHECK(schedules::is_topological(g.view(), found->order));
    CHECK(peak_along(g.view(), registry, wf::peak_memory, found->order) == found->peak);
    CHECK(found->peak == schedules::least_peak(g.view(), registry, wf::peak_memory));
    better += found->peak < *wf::price(g.view(), wf::peak_memory) ? 1 : 0;
  }
  CHECK(better > (wf_test::sanitized ? 10 : 100));
}

TEST_CASE("row 4: a user's peak metric has a best order too") {
  std::mt19937 random(92);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    wf::graph g("random");
    const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2, 2)};
    g.add_input("x", t);
    for (std::size_t i = 1 + random() % 7; i > 0; --i) {
      const std::size_t all = g.view().values.size();
      const wf::value_id operands[] = {static_cast<wf::value_id>(random() % all),
                                       static_cast<wf::value_id>(random() % all)};
      g.add_node({.op = "matmul"}, {operands, 2}, {&t, 1});
      g.add_cost("handles", (wf::text() << random() % 5).view());
    }
    g.add_output("y", static_cast<wf::value_id>(g.view().values.size() - 1));
    const auto found = wf::best_order(g.view(), handles);
    REQUIRE(found);
    CHECK(found->proven);
    CHECK(peak_along(g.view(), registry, handles, found->order) == found->peak);
    CHECK(found->peak == schedules::least_peak(g.view(), registry, handles));
  }
}

TEST_CASE("row 4: graphs of 30 nodes are solved exactly") {
  std::mt19937 random(93);
  const auto registry = wf::builtin_registry();
  std::uint32_t most = 0, gaps = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const wf::graph g = schedules::random_graph(random, 30, random() % 2 == 0);
    const auto found = wf::best_order(g.view(), wf::peak_memory);
    REQUIRE(found);
    // The bound is the peak of live bytes; only gaps in the storage plan leave it unproven.
    CHECK(found->proven == (found->bound == found->peak));
    CHECK(schedules::is_topological(g.view(), found->order));
    CHECK(peak_along(g.view(), registry, wf::peak_memory, found->order) == found->peak);
    const auto used = wf::best_order(g.view(), handles);
    REQUIRE(used);
    CHECK(used->proven);
    gaps += found->proven ? 0 : 1;
    most = std::max(most, found->states);
  }
  CHECK(gaps <= 4);
  MESSAGE("most states of a graph of 30 nodes: ", most, ", plans with gaps: ", gaps);
}

TEST_CASE("row 4: beyond the limit of states the bound is certified") {
  std::mt19937 random(94);
  const auto registry = wf::builtin_registry();
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const wf::graph g = schedules::random_graph(random, 8 + random() % 10, true);
    const auto exact = wf::best_order(g.view(), wf::peak_memory);
    REQUIRE(exact);
    REQUIRE(exact->proven);
    for (const wf::order_limits limits : {wf::order_limits{1, 1}, wf::order_limits{4, 1},
                                          wf::order_limits{1, 100}, wf::order_limits{20, 100}}) {
      const auto found = wf::best_order(g.view(), wf::peak_memory, limits);
      REQUIRE(found);
      CHECK(found->bound <= exact->peak);
      CHECK(found->peak >= exact->peak);
      CHECK(found->proven == (found->bound == found->peak));
      CHECK(peak_along(g.view(), registry, wf::peak_memory, found->order) == found->peak);
    }
  }
}

TEST_CASE("row 4: large graphs get an order, a bound and the truth about the proof") {
  std::mt19937 random(95);
  const auto registry = wf::builtin_registry();
  for (const std::size_t nodes : {std::size_t{100}, std::size_t{300}}) {
    CAPTURE(nodes);
    const wf::graph g = schedules::random_graph(random, nodes, false);
    const auto found = wf::best_order(g.view(), wf::peak_memory, {5000, 0});
    REQUIRE(found);
    CHECK(schedules::is_topological(g.view(), found->order));
    CHECK(peak_along(g.view(), registry, wf::peak_memory, found->order) == found->peak);
    CHECK(found->bound <= found->peak);
    CHECK(found->peak <= *wf::price(g.view(), wf::peak_memory));
    MESSAGE(nodes, " nodes: peak ", found->peak, ", bound ", found->bound, ", states ",
            found->states);
  }
}

TEST_CASE("only peaks have a best order") {
  CHECK(wf::best_order(wasteful.graph(), wf::flops).error().code == wf::errc::not_comparable);
  wf::graph g("g");
  g.add_output("y", g.add_input("x", {wf::dtype::f64, {}, wf::shape::of("M")}));
  CHECK(wf::best_order(g.view(), wf::peak_memory).error().code == wf::errc::workflow_not_static);
  wf::graph none("none");
  none.add_output("y", none.add_input("x", {wf::dtype::f64, {}, wf::shape::of(4)}));
  const auto found = wf::best_order(none.view(), wf::peak_memory);
  REQUIRE(found);
  CHECK(found->proven);
  CHECK(found->peak == 32);
  CHECK(found->order.empty());
}
