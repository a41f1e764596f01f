// SPDX-License-Identifier: BSL-1.0
#include <wf/compile/stages.hpp>

#include <doctest/doctest.h>

#include <wf/ir/same.hpp>

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
