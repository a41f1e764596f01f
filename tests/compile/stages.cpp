// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/stages.hpp>

#include <doctest/doctest.h>

#include <wf/compile/toolchain.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/parse.hpp>

namespace {

constexpr auto sum = wf::workflow<"sum">([](wf::scope& s) {
  auto a = s.input<"a", double, 3>();
  s.output<"y">(a + a);
});
constexpr auto by_workflow = wf::define(sum);
constexpr auto by_body = wf::define<"sum">([](wf::scope& s) {
  auto a = s.input<"a", double, 3>();
  s.output<"y">(a + a);
});
static_assert(by_workflow.name == "sum" && by_body.name == "sum");
static_assert(wf::same(by_workflow.capture()->view(), sum.graph()));

template <class Workflow>
wf::graph graph(const Workflow& w) {
  return wf::graph(w.graph());
}
bool ends_with(const wf::text& t, wf::text_view end) {
  return t.size() >= end.size() && t.view().part(t.size() - end.size()) == end;
}

}  // namespace

TEST_CASE("a definition captures its workflow, now or then") {
  CHECK(wf::same(by_workflow.capture()->view(), sum.graph()));
  CHECK(by_body.capture()->view().nodes.size() == 1);
  const auto wrong = wf::define<"none">([](wf::scope&) {});
  CHECK(wrong.capture().error().code == wf::errc::no_output);
}

TEST_CASE("reports call stages by short names") {
  CHECK(wf::stage_name<wf::graph> == "graph");
  CHECK(wf::stage_name<wf::plan> == "plan");
  CHECK(wf::stage_name<wf::simulated_plan> == "simulated plan");
}

TEST_CASE("stages have a text that begins with their graph's") {
  wf::compile_settings settings;
  settings.array.memory_bytes = 1024;
  const auto plan = wf::default_toolchain(settings).get<"plan">().record(graph(sum));
  REQUIRE(plan);
  const wf::text priced = wf::to_text(plan.get<"price">());
  CHECK(ends_with(priced, "# flops: 3\n"));
  CHECK(wf::same(wf::parse_graph(priced.view())->view(), sum.graph()));
  CHECK(ends_with(wf::to_text(plan.get<"select">()), "# value 3, bound 3, proven\n"));
  CHECK(!wf::to_text(plan.get<"expand">()).empty());
  const auto placed = wf::default_toolchain(settings).get<"place">().record(plan.get<"select">());
  REQUIRE(placed);
  const wf::mapped_plan& mapped = placed.get<"map">();
  const wf::text of_plan = wf::to_text(plan.get<"select">());
  CHECK(wf::to_text(mapped).view().starts_with(of_plan.view()));
  CHECK(ends_with(wf::to_text(mapped), wf::to_text(mapped.placed, mapped.work).view()));
  CHECK(ends_with(wf::to_text(placed.get<"simulate">()),
                  wf::to_text(placed.get<"simulate">().replay).view()));
}
