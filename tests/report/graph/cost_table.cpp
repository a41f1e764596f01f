// SPDX-License-Identifier: BSL-1.0
#include <wf/report/graph/cost_table.hpp>

#include <doctest/doctest.h>

#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/order/best.hpp>
#include <wf/report/page/html.hpp>

#include "../golden.hpp"
#include "../samples.hpp"

using samples::contains, samples::kalman;

namespace {

constexpr auto symbolic = wf::workflow<"symbolic">([](wf::scope& s) {
  auto x = s.input<"x", double, "M", 4>();
  auto y = s.let<"filtered">(wf::opaque<"vendor.filter", "x: f64 [M, N] -> y: f64 [M, N]",
                                        wf::declare("flops", "7*M"), wf::effect::pure>(x));
  s.output<"z">(relu(y * s.input<"w", double, 4, "K">()));
});

wf::cost_table table_of(const wf::graph_view& g, wf::view<wf::metric_spec> metrics) {
  auto made = wf::tabulate_costs(g, metrics);
  REQUIRE(made);
  return *made;
}

}  // namespace

TEST_CASE("the cost table adds up") {
  const wf::metric_spec metrics[] = {wf::flops};
  const wf::text table = to_text(table_of(kalman.graph(), metrics), kalman.graph());
  CHECK(contains(table.view(), "inverse(S)"));
  CHECK(contains(table.view(), "705"));
}

TEST_CASE("golden, row 4: the costs of a static workflow as text, Markdown and CSV") {
  const wf::metric_spec metrics[] = {wf::flops, wf::bytes, wf::peak_memory,
                                     wf::along_best_order(wf::peak_memory)};
  const wf::cost_table t = table_of(kalman.graph(), metrics);
  golden::check("kalman_costs.txt", to_text(t, kalman.graph()).view());
  golden::check("kalman_costs.md", to_markdown(t, kalman.graph()).view());
  golden::check("kalman_costs.csv", to_csv(t, kalman.graph()).view());
}

TEST_CASE("golden, row 4: symbolic costs with unknown ones as text, Markdown and CSV") {
  const wf::metric_spec metrics[] = {wf::flops, wf::macs, wf::bytes, wf::latency, wf::peak_memory};
  const wf::cost_table t = table_of(symbolic.graph(), metrics);
  golden::check("symbolic_costs.txt", to_text(t, symbolic.graph()).view());
  golden::check("symbolic_costs.md", to_markdown(t, symbolic.graph()).view());
  golden::check("symbolic_costs.csv", to_csv(t, symbolic.graph()).view());
}

TEST_CASE("a page takes the rows of a table") {
  const wf::metric_spec metrics[] = {wf::flops, wf::latency};
  const wf::cost_table t = table_of(symbolic.graph(), metrics);
  wf::html_page page("costs");
  page.add_table(to_rows(t, symbolic.graph(), {false, true}));
  CHECK(contains(page.body(), "<td>9*K*M + 7*M</td>"));
  CHECK(contains(page.body(), "<td>unknown (3 nodes)</td>"));
  CHECK_FALSE(contains(page.body(), "filtered"));
}

TEST_CASE("cells are escaped") {
  wf::text cell;
  wf::detail::write_csv_cell(cell, "max(a, \"b\")");
  CHECK(cell == wf::text("\"max(a, \"\"b\"\")\""));
}
