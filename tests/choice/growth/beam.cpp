// SPDX-License-Identifier: BSL-1.0
#include <wf/choice/growth/beam.hpp>

#include <string>

#include <doctest/doctest.h>

#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/select/optimise.hpp>

#include "../equal_classes.hpp"
#include "../expressions.hpp"
#include "../rules.hpp"

namespace {

std::vector<std::int64_t> random_sizes(std::mt19937_64& random) {
  return expressions::random_sizes(random, 5 + random() % 5, 30);
}

wf::optimise_options with_beam(std::uint32_t width, const wf::metric_spec& metric = {}) {
  wf::optimise_options options;
  options.growth.beam = {width, metric};
  return options;
}

constexpr bool keeps_one() {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(8, 8)};
  const wf::value_id a = g.add_input("A", {wf::dtype::f64, wf::spd, wf::shape::of(8, 8)});
  const wf::node_id n = g.add_node({.op = "inverse", .domain = "linalg"}, {&a, 1}, {&t, 1});
  g.add_output("B", wf::graph_view::output_of(g[n]));
  const auto all = wf::grow(g.view(), {&wf::transforms::definite_solve, 1});
  const auto one = wf::grow(g.view(), {&wf::transforms::definite_solve, 1}, wf::builtin_registry(),
                            {.beam = {.width = 1, .metric = wf::flops}});
  return all->size() == 2 && one->size() == 1 && one->growth().dropped == 1 &&
         one->growth().beam_width == 1;
}
static_assert(keeps_one());

}  // namespace

TEST_CASE("a wider beam is never worse on chains; the widest is exact") {
  std::mt19937_64 random(71);
  int better = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const auto g = expressions::chain(random_sizes(random));
    REQUIRE(g);
    // The beam ranks by bytes written, the plan is judged by flops: so the beam may err.
    const auto best = wf::optimise(g->view(), wf::minimise(wf::flops));
    REQUIRE(best);
    std::int64_t last = INT64_MAX, first = 0;
    for (std::uint32_t width = 1; width <= 9; ++width) {
      const auto plan = wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(),
                                     with_beam(width, wf::bytes_written));
      REQUIRE(plan);
      CHECK(plan->proven_optimal);
      CHECK(plan->value <= last);
      CHECK(plan->value >= best->value);
      last = plan->value;
      if (width == 1) first = last;
      const wf::choice_graph& c = plan->from.choices;
      for (std::uint32_t v = 0; v < c.view().values.size(); ++v)
        CHECK(c.candidates_of(wf::value_id{v}).size() <= width);
    }
    CHECK(last == best->value);
    better += first > last ? 1 : 0;
  }
  CHECK(better > 5);
}

TEST_CASE("a beam of one is the cheapest tree, which is the optimum where nothing is shared") {
  std::mt19937_64 random(72);
  for (int round = 0; round < 60; ++round) {
    const auto g = expressions::chain(random_sizes(random));
    REQUIRE(g);
    const auto best = wf::optimise(g->view(), wf::minimise(wf::flops));
    const auto tree =
        wf::optimise(g->view(), wf::minimise(wf::flops), {}, wf::builtin_registry(), with_beam(1));
    REQUIRE(best);
    REQUIRE(tree);
    CHECK(tree->value == best->value);
    CHECK(tree->from.choices.growth().beam_width == 1);
    CHECK(tree->from.choices.view().nodes.size() < best->from.choices.view().nodes.size());
  }
}

TEST_CASE("whatever a beam drops, the rest has a plan, and classes stay equal") {
  const wf::transform all[] = {rules::commute_sums,         rules::associate_sums,
                               rules::expand_products,      rules::collect_factors,
                               rules::cancel_turns,         rules::distribute_turns,
                               wf::transforms::chain_order, wf::transforms::definite_solve};
  int dropped = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const auto captured = expressions::random(seed, {.steps = 8, .largest = 3});
    REQUIRE(captured);
    const auto stated = wf::price(captured->view(), wf::flops, wf::builtin_registry());
    REQUIRE(stated);
    for (const std::uint32_t width : {1U, 2U, 3U}) {
      CAPTURE(width);
      wf::optimise_options options = with_beam(width);
      options.transforms = all;
      options.growth.max_nodes = 500;
      const auto plan = wf::optimise(captured->view(), wf::minimise(wf::flops), {},
                                     wf::builtin_registry(), options);
      REQUIRE_MESSAGE(plan, std::string(wf::to_text(plan.error()).view()));
      dropped += plan->from.choices.growth().dropped != 0 ? 1 : 0;
      check_classes(plan->from.choices, seed);
      check_invariants(plan->from.choices);
      CHECK(wf::validate(plan->chosen.view()));
    }
  }
  CHECK(dropped > 100);
}

TEST_CASE("a beam needs a metric of single candidates, and sizes") {
  const auto g = expressions::chain({2, 3, 4, 5});
  REQUIRE(g);
  const auto told = [&](const wf::graph_view& of, const wf::metric_spec& metric) {
    const auto grown = wf::grow(of, wf::transforms::linalg_transforms, wf::builtin_registry(),
                                {.beam = {.width = 1, .metric = metric}});
    return grown ? wf::errc::none : grown.error().code;
  };
  CHECK(told(g->view(), {}) == wf::errc::invalid_problem);
  CHECK(told(g->view(), {"m", "", wf::combination::measured}) == wf::errc::invalid_problem);
  CHECK(told(g->view(), wf::peak_memory) == wf::errc::none);
  CHECK(told(g->view(), wf::depth) == wf::errc::none);
  const auto symbolic = wf::capture(
      "symbolic", [](wf::scope& s) { s.output<"B">(inv(s.input<"A", double, "M", "M">())); });
  REQUIRE(symbolic);
  CHECK(told(symbolic->view(), wf::flops) == wf::errc::workflow_not_static);
}
