// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/cost.hpp>

#include <algorithm>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/registry/registry.hpp>

namespace {

constexpr auto network = wf::workflow<"network">([](wf::scope& s) {
  auto x = s.input<"x", double, 8, 4>();
  auto w = s.input<"w", double, 4, 4>();
  auto h = x;
  h = s.let<"a">(relu(h * w));
  h = s.let<"b">(relu(h * w));
  s.output<"y">(h);
});
static_assert(*wf::price(network.graph(), wf::flops) == 2 * (2 * 8 * 4 * 4 + 8 * 4));

inline constexpr wf::metric<"widest", "flop", wf::combination::maximum> widest;

}  // namespace

TEST_CASE("sums, maxima and peaks combine as their metric says") {
  wf::registry r = wf::builtin_registry();
  wf::kernel_spec relu = *r.find("relu");
  relu.overrides = true;
  relu.costs[2] = {"widest", "X"};
  REQUIRE(r.add(relu));
  CHECK(*wf::price(network.graph(), widest, r) == 32);
  CHECK(*wf::price(network.graph(), wf::peak_memory) == (8 * 4 + 4 * 4 + 2 * 8 * 4) * 8);
  const wf::metric_spec metrics[] = {wf::flops, wf::peak_memory};
  const auto rows = wf::price_nodes(network.graph(), metrics, r);
  REQUIRE(rows);
  std::int64_t total = 0, peak = 0;
  for (const wf::cost_row& row : *rows) {
    total += row.costs[0];
    peak = std::max(peak, row.costs[1]);
  }
  CHECK(total == *wf::price(network.graph(), wf::flops));
  CHECK(peak == *wf::price(network.graph(), wf::peak_memory));
}

TEST_CASE("symbolic workflows: a polynomial, and no number") {
  const auto g = wf::capture("symbolic", [](wf::scope& s) {
    auto a = s.input<"A", double, "M", "N">();
    s.output<"Y">(a * trans(a));
  });
  REQUIRE(g);
  CHECK(wf::to_text(*wf::price_symbolic(g->view(), wf::flops)) == wf::text("2*M**2*N"));
  CHECK(wf::price(g->view(), wf::flops).error().code == wf::errc::workflow_not_static);
  CHECK(wf::price_symbolic(g->view(), wf::peak_memory).error().code == wf::errc::not_comparable);
}
