// SPDX-License-Identifier: BSL-1.0
#include <wf/cost/cost_table.hpp>

#include <random>

#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/registry/registry.hpp>

#include "random_schedule.hpp"

namespace {

inline constexpr wf::metric<"time", "ns", wf::combination::critical_path> duration;
inline constexpr wf::metric<"widest", "flop", wf::combination::maximum> widest;

constexpr auto known = wf::workflow<"known">([](wf::scope& s) {
  auto x = s.input<"x", double, 4, 4>();
  s.output<"y">(relu(x * x));
});
constexpr auto partly = wf::workflow<"partly">([](wf::scope& s) {
  auto x = s.input<"x", double, "M", 4>();
  auto y = wf::opaque<"filter", "x: f64 [M, N] -> y: f64 [M, N]", wf::declare("scratch", "0"),
                      wf::effect::pure>(x);
  s.output<"z">(y * s.input<"w", double, 4, 4>());
});

// The same while compiling and at run time.
constexpr bool totals_while_compiling = [] {
  const wf::metric_spec metrics[] = {wf::flops, wf::peak_memory};
  const auto t = wf::tabulate_costs(known.graph(), metrics);
  return t && t->totals[0].is_number() && to_text(t->totals[0]) == wf::text("144") &&
         t->domains.size() == 2 && to_text(t->nodes[0].figures[0]) == wf::text("128");
}();
static_assert(totals_while_compiling);

wf::text cell(const wf::cost_figure& f) { return to_text(f); }

}  // namespace

TEST_CASE("row 4: totals, domains and nodes of random graphs are those of `price`") {
  std::mt19937 random(121);
  const auto registry = wf::builtin_registry();
  const wf::metric_spec metrics[] = {wf::bytes, wf::memory, wf::peak_memory, duration, widest};
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const wf::graph g = schedules::random_graph(random, 1 + random() % 9);
    const auto t = wf::tabulate_costs(g.view(), metrics, registry);
    REQUIRE(t);
    for (std::size_t m = 0; m < 5; ++m) {
      const auto number = [](const wf::cost_figure& f) {
        REQUIRE(f.is_number());
        return f.known.single().constant();
      };
      CHECK(number(t->totals[m]) == wf::rational(*wf::price(g.view(), metrics[m], registry)));
      wf::rational nodes(0), domains(0), largest(0);
      for (const auto& row : t->nodes)
        REQUIRE(add(nodes, number(row.figures[m]), nodes) == wf::errc::none);
      for (const auto& row : t->domains) {
        REQUIRE(add(domains, number(row.figures[m]), domains) == wf::errc::none);
        largest = std::max(largest, number(row.figures[m]));
      }
      if (metrics[m].rule == wf::combination::sum) {
        CHECK(nodes == number(t->totals[m]));
        CHECK(domains == nodes);
      } else if (metrics[m].rule == wf::combination::maximum) {
        CHECK(largest == number(t->totals[m]));
      } else {
        CHECK(largest <= number(t->totals[m]));
      }
    }
  }
}

TEST_CASE("row 4: unknown costs are seen in every sum, never taken for nothing") {
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::latency, wf::peak_memory, wf::macs};
  const auto t = wf::tabulate_costs(partly.graph(), metrics);
  REQUIRE(t);
  CHECK(cell(t->nodes[0].figures[0]) == wf::text("unknown"));
  CHECK(cell(t->nodes[1].figures[0]) == wf::text("32*M"));
  CHECK(cell(t->totals[0]) == wf::text("≥ 32*M + unknown (1 node)"));
  CHECK(cell(t->totals[1]) == wf::text("128*M + 128"));
  CHECK(cell(t->totals[2]) == wf::text("unknown (2 nodes)"));
  CHECK(cell(t->totals[3]) == wf::text("-"));
  CHECK(cell(t->totals[4]) == wf::text("≥ 16*M + unknown (1 node)"));
  CHECK(cell(t->domains[0].figures[0]) == wf::text("unknown"));
  CHECK_FALSE(t->totals[0].is_number());
}

TEST_CASE("row 4: the critical path of a symbolic workflow stands in its table") {
  const wf::metric_spec metrics[] = {duration};
  const auto g = wf::capture("timed", [](wf::scope& s) {
    auto a = s.input<"a", double, "M", "M">();
    s.output<"y">((a * a) * relu(a));
  });
  REQUIRE(g);
  wf::registry r = wf::builtin_registry();
  for (const char* name : {"matmul", "relu"}) {
    wf::kernel_spec k = *r.find(name);
    k.overrides = true;
    k.costs[costs_of(k).size()] = {"time", k.name == "relu" ? "X*100" : "2*C*K"};
    REQUIRE(r.add(k));
  }
  const auto t = wf::tabulate_costs(g->view(), metrics, r);
  REQUIRE(t);
  CHECK(cell(t->totals[0]) == wf::text("max(4*M**3, 2*M**3 + 100*M**2)"));
  CHECK(t->domains.size() == 2);
  for (const auto& row : t->domains)
    CHECK(cell(row.figures[0]) ==
          (row.name == wf::text("linalg") ? wf::text("4*M**3") : wf::text("100*M**2")));
}

TEST_CASE("an operator without kernel is an error") {
  wf::graph g("g");
  const wf::value_type t{wf::dtype::f64, {}, wf::shape::of(2)};
  const wf::value_id x = g.add_input("x", t);
  g.add_node({.op = "mystery"}, {&x, 1}, {&t, 1});
  const wf::metric_spec metrics[] = {wf::flops};
  CHECK(wf::tabulate_costs(g.view(), metrics).error().code == wf::errc::unknown_operator);
}
