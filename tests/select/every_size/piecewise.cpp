// SPDX-License-Identifier: BSL-1.0
#include <wf/select/every_size/piecewise.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/capture/equations/equations.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/core/units.hpp>
#include <wf/order/best.hpp>
#include <wf/registry/times/host_times.hpp>

#include "../../choice/expressions.hpp"

using namespace wf::literals;

namespace {

constexpr auto low_rank = wf::workflow<"low_rank">([](wf::scope& s) {
  auto U = s.input<"U", double, "M", 8>();
  auto V = s.input<"V", double, 8, "M">();
  auto X = s.input<"X", double, "M", 8>();
  s.output<"Y">(U * V * X);
});
constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, "N", "N">(wf::spd);
  auto H = s.input<"H", double, 12, "N">();
  auto R = s.input<"R", double, 12, 12>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});

// Row 10, while compiling: the low-rank product is evaluated from the left for sizes up to 8 and
// from the right above, over the whole range; the threshold is derived from the two polynomials.
constexpr bool flips_at_9 = [] {
  const auto plans = wf::optimise_piecewise(low_rank.graph(), wf::symbol_range("M", 1, 4096),
                                            wf::minimise(wf::flops));
  return plans && plans->pieces.size() == 2 && plans->pieces[0].high == 8 &&
         plans->pieces[1].low == 9 && to_text(plans->pieces[0].value) == wf::text("32*M**2") &&
         to_text(plans->pieces[1].value) == wf::text("256*M");
}();
static_assert(flips_at_9);

wf::graph bind(const wf::graph_view& g, const char* symbol, std::int64_t size) {
  const wf::symbol_size bound{wf::make_symbol(symbol), size};
  auto made = wf::bind_symbols(g, {&bound, 1});
  REQUIRE(made);
  return *made;
}

// Checks every size separately: the plan of its piece keeps the limits and attains the optimum.
void check_every_size(const wf::graph_view& g, const wf::piecewise_plan& plans,
                      const wf::metric_spec& metric, wf::view<wf::limit> limits) {
  const auto registry = wf::builtin_registry();
  const wf::text name = to_text(plans.range.name);
  std::int64_t next = plans.range.low;
  for (const wf::plan_piece& piece : plans.pieces) {
    CHECK(piece.low == next);
    CHECK(piece.low <= piece.high);
    next = piece.high + 1;
  }
  CHECK(next == plans.range.high + 1);
  for (std::int64_t size = plans.range.low; size <= plans.range.high; ++size) {
    CAPTURE(size);
    const wf::graph alone = bind(g, std::string(name.view()).c_str(), size);
    const auto best = wf::optimise(alone.view(), wf::minimise(metric), limits, registry);
    const wf::plan_piece* piece = plans.plan_for(size);
    REQUIRE(piece != nullptr);
    if (!best) {
      CHECK(best.error().code == wf::errc::infeasible);
      CHECK(piece->failure == wf::errc::infeasible);
      CHECK(plans.bound_for(size).error().code == wf::errc::infeasible);
      continue;
    }
    const auto bound = plans.bound_for(size);
    REQUIRE(bound);
    CHECK(*wf::price(bound->view(), metric, registry) == best->value);
    for (const wf::limit& l : limits)
      CHECK(*wf::price(bound->view(), l.metric, registry) <= l.maximum);
    if (piece->has_value) {
      const wf::assignment point{plans.range.name, size};
      CHECK(*wf::evaluate_at(piece->value, {&point, 1}) == wf::rational(best->value));
    }
  }
}

}  // namespace

TEST_CASE("row 10: a product of low rank flips at the derived size") {
  const auto plans = wf::optimise_piecewise(low_rank.graph(), wf::symbol_range("M", 1, 4096),
                                            wf::minimise(wf::flops));
  REQUIRE(plans);
  REQUIRE(plans->pieces.size() == 2);
  CHECK(plans->pieces[0].high == 8);
  CHECK(plans->solved <= 12);
  CHECK(plans->single_sizes == 0);
  const auto near = wf::optimise_piecewise(low_rank.graph(), wf::symbol_range("M", 1, 40),
                                           wf::minimise(wf::flops));
  REQUIRE(near);
  check_every_size(low_rank.graph(), *near, wf::flops, {});
  CHECK(plans->plan_for(0) == nullptr);
  CHECK(plans->plan_for(4097) == nullptr);
  CHECK(plans->bound_for(4097).error().code == wf::errc::bad_attribute);
}

TEST_CASE("row 10: matrix chains with one symbolic dimension, every size by itself") {
  std::mt19937 random(111);
  std::size_t pieces = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    auto sizes = expressions::random_sizes(random, 4 + random() % 3, 40);
    sizes[random() % sizes.size()] = -1;
    if (random() % 3 == 0) sizes[random() % sizes.size()] = -1;
    const auto g = expressions::chain(sizes);
    REQUIRE(g);
    const auto plans =
        wf::optimise_piecewise(g->view(), wf::symbol_range("M", 1, 60), wf::minimise(wf::flops));
    REQUIRE(plans);
    if (std::count(sizes.begin(), sizes.end(), -1) == 0) continue;
    check_every_size(g->view(), *plans, wf::flops, {});
    pieces += plans->pieces.size();
  }
  CHECK(pieces > 90);
}

TEST_CASE("row 10: chains under limits, every size by itself") {
  std::mt19937 random(112);
  int limited = 0, measured = 0;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    auto sizes = expressions::random_sizes(random, 4 + random() % 2, 12);
    sizes[random() % sizes.size()] = -1;
    const auto g = expressions::chain(sizes);
    REQUIRE(g);
    const wf::symbol_domain range = wf::symbol_range("M", 1, 30);
    const auto registry = wf::builtin_registry();
    // Between the requirement of the best plan for the middle, and half of it.
    const auto middle = wf::optimise(bind(g->view(), "M", 15).view(), wf::minimise(wf::flops));
    REQUIRE(middle);
    const bool peak = random() % 2 == 0;
    const wf::metric_spec metric =
        peak ? wf::metric_spec(wf::peak_memory) : wf::metric_spec(wf::bytes);
    const std::int64_t used = *wf::price(middle->chosen.view(), metric, registry);
    const wf::limit limits[] = {
        {metric, used - static_cast<std::int64_t>(random() % 5) * used / 8}};
    const auto plans =
        wf::optimise_piecewise(g->view(), range, wf::minimise(wf::flops), limits, registry);
    REQUIRE(plans);
    check_every_size(g->view(), *plans, wf::flops, limits);
    for (const wf::plan_piece& piece : plans->pieces)
      limited += piece.failure == wf::errc::infeasible ? 1 : 0;
    measured += peak ? 1 : 0;
  }
  CHECK(limited > 5);
  CHECK(measured > 5);
}

TEST_CASE("row 10: objectives that are no polynomials are decided size by size") {
  std::mt19937 random(113);
  for (int round = 0; round < 6; ++round) {
    auto sizes = expressions::random_sizes(random, 4, 12);
    sizes[random() % sizes.size()] = -1;
    const auto g = expressions::chain(sizes);
    REQUIRE(g);
    const auto plans = wf::optimise_piecewise(g->view(), wf::symbol_range("M", 1, 25),
                                              wf::minimise(wf::peak_memory));
    REQUIRE(plans);
    CHECK(plans->single_sizes == 25);
    check_every_size(g->view(), *plans, wf::peak_memory, {});
  }
  wf::piecewise_options few;
  few.max_single_sizes = 10;
  const auto small = expressions::chain({-1, 2, 3, 4});
  REQUIRE(small);
  const auto refused =
      wf::optimise_piecewise(small->view(), wf::symbol_range("M", 1, 25),
                             wf::minimise(wf::peak_memory), {}, wf::builtin_registry(), few);
  CHECK(refused.error().code == wf::errc::search_limit);
}

TEST_CASE("row 10: a Kalman gain for every number of states") {
  const auto plans = wf::optimise_piecewise(kalman.graph(), wf::symbol_range("N", 1, 400),
                                            wf::minimise(wf::flops));
  REQUIRE(plans);
  CHECK(plans->single_sizes < 10);
  MESSAGE(plans->pieces.size(), " pieces from ", plans->solved, " problems");
  CHECK(plans->pieces.size() >= 2);
  const auto near =
      wf::optimise_piecewise(kalman.graph(), wf::symbol_range("N", 1, 48), wf::minimise(wf::flops));
  REQUIRE(near);
  check_every_size(kalman.graph(), *near, wf::flops, {});
}

TEST_CASE("row 10: a limit on the least peak of any order") {
  const auto g = expressions::chain({8, -1, 6, 5, 9});
  REQUIRE(g);
  const auto registry = wf::builtin_registry();
  const wf::metric_spec least = wf::along_best_order(wf::peak_memory);
  const wf::limit limits[] = {{least, 4000}};
  const auto plans = wf::optimise_piecewise(g->view(), wf::symbol_range("M", 1, 40),
                                            wf::minimise(wf::flops), limits, registry);
  REQUIRE(plans);
  check_every_size(g->view(), *plans, wf::flops, limits);
  CHECK(plans->pieces.back().failure == wf::errc::infeasible);
  CHECK(plans->pieces[0].failure == wf::errc::none);
}

TEST_CASE("growth is stopped by the caller, and no plan is found where there is none") {
  const auto stopped = wf::optimise_piecewise(low_rank.graph(), wf::symbol_range("M", 1, 100),
                                              wf::minimise(wf::flops), {}, wf::builtin_registry(),
                                              {}, [](const wf::search_progress&) { return false; });
  REQUIRE(stopped);
  CHECK(stopped->from.choices.growth().status == wf::growth_status::stopped_by_caller);
  CHECK(wf::piecewise_plan().plan_for(1) == nullptr);
}

TEST_CASE("questions that have no answer are refused") {
  const auto fails = [](const wf::graph_view& g, const wf::symbol_domain& range) {
    return wf::optimise_piecewise(g, range, wf::minimise(wf::flops)).error().code;
  };
  CHECK(fails(low_rank.graph(), wf::symbol_range("M", 5, 4)) == wf::errc::not_comparable);
  CHECK(fails(low_rank.graph(), wf::symbol_range("", 1, 4)) == wf::errc::not_comparable);
  CHECK(fails(low_rank.graph(), wf::symbol_range("N", 1, 4)) == wf::errc::workflow_not_static);
}

TEST_CASE("plans by predicted time are decided size by size, and are those of each size") {
  auto read = wf::equations("least_squares",
                            "input X : f64[M,20]; input y : f64[M];"
                            "b = inv(trans(X)*X)*trans(X)*y; export b");
  REQUIRE(read);
  const wf::registry kernels = wf::timed_registry();
  const auto plans = wf::optimise_piecewise(read->view(), wf::symbol_range("M", 20, 120),
                                            wf::minimise(wf::execution_time), {}, kernels);
  REQUIRE(plans);
  for (const std::int64_t size : {20, 33, 64, 119, 120}) {
    CAPTURE(size);
    const auto chosen = plans->bound_for(size);
    REQUIRE(chosen);
    const auto best = wf::optimise(bind(read->view(), "M", size).view(),
                                   wf::minimise(wf::execution_time), {}, kernels);
    REQUIRE(best);
    CHECK(*wf::price(chosen->view(), wf::execution_time, kernels) == best->value);
  }
}
