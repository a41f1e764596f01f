// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/symbolic_cost.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/cost/static_cost.hpp>

namespace {

constexpr auto square = wf::workflow<"square">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
constexpr auto products = wf::workflow<"products">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "N">();
  s.output<"Y">(a * trans(a));
});

// Row 4: symbolic totals and budgets over ranges, while compiling.
static_assert(wf::cost(square)[wf::flops].at_most(524'288, wf::symbol_range("M", 1, 64)));
static_assert(!wf::cost(square)[wf::flops].at_most(524'287, wf::symbol_range("M", 1, 64)));
static_assert(wf::cost(products)[wf::flops].less_over(wf::cost(square)[wf::flops],
                                                      wf::symbol_range("M", 8, 64),
                                                      wf::symbol_range("N", 1, 7)));
static_assert(*wf::cost(square)[wf::flops].at({{wf::make_symbol("M"), 10}}) == 2000);
static_assert(wf::within<decltype(square), wf::flops, 524'288, wf::symbol_range("M", 1, 64)>());
static_assert(wf::within<decltype(products), wf::flops, 2 * 64 * 64 * 8,
                         wf::symbol_range("M", 1, 64), wf::symbol_range("N", 1, 8)>());

const wf::polynomial m(wf::make_symbol("M"));

}  // namespace

TEST_CASE("row 10: comparisons over ranges agree with looking at every point") {
  std::mt19937 random(81);
  for (int round = 0; round < 300; ++round) {
    wf::polynomial p;
    for (std::uint32_t e = 0; e < 4; ++e) {
      wf::polynomial power(1);
      REQUIRE(wf::power(m, e, power) == wf::errc::none);
      REQUIRE(wf::add_scaled(p, power, wf::rational(static_cast<int>(random() % 9) - 4)) ==
              wf::errc::none);
    }
    const auto low = static_cast<std::int64_t>(random() % 10);
    const wf::symbol_domain range =
        wf::symbol_range("M", low, low + static_cast<std::int64_t>(random() % 12));
    const auto maximum = static_cast<std::int64_t>(random() % 200) - 50;
    bool below = true, less = true;
    for (std::int64_t x = range.low; x <= range.high; ++x) {
      const wf::assignment point{range.name, x};
      const auto value = *wf::evaluate_at(p, {&point, 1});
      below = below && value <= wf::rational(maximum);
      less = less && value < wf::rational(maximum);
    }
    CHECK(wf::at_most(p, maximum, range) == below);
    CHECK(wf::less_over(p, wf::polynomial(maximum), range) == less);
    const wf::error fault = wf::budget_fault("w", "flops", p, maximum, {&range, 1});
    CHECK((fault.code == wf::errc::none) == below);
    if (!below) CHECK(fault.code == wf::errc::budget_exceeded);
  }
}

TEST_CASE("row 4: a budget that fails says where") {
  wf::polynomial p;
  REQUIRE(wf::power(m, 3, p) == wf::errc::none);
  const wf::symbol_domain range = wf::symbol_range("M", 1, 64);
  CHECK(wf::budget_fault("w", "flops", p, 1000, {&range, 1}).message ==
        wf::text("flops is M**3, over the budget of 1000 at M = 11"));
  wf::polynomial both(wf::make_symbol("N"));
  REQUIRE(wf::multiply(both, m, both) == wf::errc::none);
  const wf::symbol_domain box[] = {range, wf::symbol_range("N", 1, 10)};
  CHECK(wf::budget_fault("w", "flops", both, 600, box).message ==
        wf::text("flops is M*N, over the budget of 600 at M = 64, N = 10"));
  CHECK(wf::budget_fault("w", "flops", both, 600, {box, 1}).code == wf::errc::unknown_symbol);
  CHECK(wf::budget_fault("w", "flops", p, 1, {}).code == wf::errc::unknown_symbol);
  const wf::symbol_domain nameless = wf::symbol_range("not a symbol", 1, 2);
  CHECK(wf::budget_fault("w", "flops", p, 1, {&nameless, 1}).code == wf::errc::not_comparable);
}
