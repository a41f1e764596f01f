// SPDX-License-Identifier: BSL-1.0
#include <wf/select/pareto/optimise.hpp>

#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/core/units.hpp>

#include "../../choice/expressions.hpp"

namespace {

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto A = s.input<"A", double, 9, 7>();
  auto B = s.input<"B", double, 7, 4>();
  s.output<"Y">(A * B * s.input<"C", double, 4, 5>());
});
constexpr std::size_t points_while_compiling() {
  const auto plans = wf::optimise(product.graph(), wf::trade_off(wf::flops, wf::memory));
  return plans && plans->front.proven() ? plans->front.points.size() : 0;
}
static_assert(points_while_compiling() == 2);

}  // namespace

TEST_CASE("each plan of flops against peak memory is the cheapest within its memory") {
  std::mt19937 random(311);
  std::size_t points = 0;
  for (int round = 0; round < 30; ++round) {
    CAPTURE(round);
    const auto g = expressions::chain(expressions::random_sizes(random, 5 + random() % 3, 40));
    REQUIRE(g);
    const auto plans = wf::optimise(g->view(), wf::trade_off(wf::flops, wf::peak_memory));
    REQUIRE(plans);
    CHECK(plans->front.proven());
    points += plans->front.points.size();
    REQUIRE(plans->chosen.size() == plans->front.points.size());
    std::int64_t memory = wf::unbounded;
    for (std::size_t i = 0; i < plans->chosen.size(); ++i) {
      const wf::objective_vector& value = plans->front.points[i].value;
      CHECK(*wf::price(plans->chosen[i].view(), wf::flops) == value[0]);
      CHECK(*wf::price(plans->chosen[i].view(), wf::peak_memory) == value[1]);
      // With one byte less than the previous plan, this is the cheapest.
      const wf::limit below[] = {wf::peak_memory <= memory - 1};
      const auto next = wf::optimise(g->view(), wf::minimise(wf::flops), below);
      REQUIRE(next);
      CHECK(next->value == value[0]);
      memory = value[1];
    }
    const wf::limit below[] = {wf::peak_memory <= memory - 1};
    CHECK(wf::optimise(g->view(), wf::minimise(wf::flops), below).error().code ==
          wf::errc::infeasible);
  }
  CHECK(points > 35);
}

TEST_CASE("growth is stopped by the caller") {
  const auto stopped =
      wf::optimise(product.graph(), wf::trade_off(wf::flops, wf::memory), {},
                   wf::builtin_registry(), {}, [](const wf::search_progress&) { return false; });
  REQUIRE(stopped);
  CHECK(stopped->from.choices.growth().status == wf::growth_status::stopped_by_caller);
  CHECK_FALSE(stopped->front.proven());
}

TEST_CASE("limits hold for all plans, on other metrics too, and errors are those of the parts") {
  std::mt19937 random(312);
  const auto g = expressions::chain(expressions::random_sizes(random, 5 + random() % 3, 40));
  REQUIRE(g);
  const auto free = wf::optimise(g->view(), wf::minimise(wf::bytes));
  REQUIRE(free);
  const auto plans = wf::optimise(g->view(), wf::trade_off(wf::flops, wf::memory, wf::macs),
                                  wf::bytes <= free->value);
  REQUIRE(plans);
  CHECK(plans->front.proven());
  for (const wf::graph& plan : plans->chosen)
    CHECK(*wf::price(plan.view(), wf::bytes) == free->value);
  const auto none =
      wf::optimise(g->view(), wf::trade_off(wf::flops, wf::memory), wf::bytes <= free->value - 1);
  CHECK(none.error().code == wf::errc::infeasible);
  CHECK(wf::optimise(g->view(), wf::trade_off(wf::flops, wf::flops)).error().code ==
        wf::errc::invalid_problem);
}
