// SPDX-License-Identifier: BSL-1.0
#include <wf/select/static_plan.hpp>

#include <doctest/doctest.h>

#include <wf/capture/workflow.hpp>
#include <wf/core/units.hpp>
#include <wf/ir/same.hpp>

using namespace wf::literals;

namespace {

constexpr auto kalman = wf::workflow<"kalman">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  auto S = s.let<"S">(H * P * trans(H) + R);
  s.output<"K">(P * trans(H) * inv(S));
});
constexpr auto plan = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 8_KiB);
static_assert(plan.failure() == wf::errc::none && plan.proven_optimal);
static_assert(plan.value == plan.bound && plan.value < wf::cost(kalman)[wf::flops]);
static_assert(*wf::price(plan.graph(), wf::flops) == plan.value);
static_assert(static_cast<bool>(wf::validate(plan.graph())));

constexpr auto none = wf::optimise<kalman>(wf::minimise(wf::flops), wf::peak_memory <= 1);
static_assert(none.failure() == wf::errc::infeasible && !none.proven_optimal);

}  // namespace

TEST_CASE("the plan made while compiling is the plan made at run time") {
  const wf::limit limits[] = {wf::peak_memory <= 8_KiB};
  const auto made = wf::optimise(kalman.graph(), wf::minimise(wf::flops), limits);
  REQUIRE(made);
  CHECK(made->value == plan.value);
  CHECK(wf::same(made->chosen.view(), plan.graph()));
}
