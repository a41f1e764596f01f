// SPDX-License-Identifier: BSL-1.0
//
// The source file that defines the functions that the other tests of executable plans call.
#include <wf/run/static/definitions.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/ir/compare/same.hpp>

namespace {

constexpr auto gain = wf::workflow<"gain">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  s.output<"K">(P * trans(H) * inv(H * P * trans(H) + R));
});

}  // namespace

TEST_CASE("an executable plan is what optimise chooses with the same transforms and kernels") {
  for (const wf::metric_spec& m :
       {wf::metric_spec(wf::flops), wf::metric_spec(wf::execution_time)}) {
    wf::planning_options options;
    options.minimised = m;
    const auto plan = wf::executable_plan::make(gain.graph(), options);
    REQUIRE(plan);
    const auto wanted = wf::optimise(gain.graph(), wf::minimise(m), {}, wf::timed_registry());
    REQUIRE(wanted);
    CHECK(wf::same(plan->chosen(), wanted->chosen.view()));
    CHECK(plan->value() == wanted->value);
    CHECK(plan->bound() == wanted->bound);
    CHECK(plan->details().selected == wanted->selected);
  }
}
