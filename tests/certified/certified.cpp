// SPDX-License-Identifier: BSL-1.0
//
// A program with certified searches that links the compiled engine without them.
#include <doctest/doctest.h>

#include <wf/wf.hpp>

#ifndef WF_COMPILED
#error "this program links wf::compiled"
#endif

namespace {

constexpr auto gain = wf::workflow<"gain">([](wf::scope& s) {
  auto P = s.input<"P", double, 6, 6>(wf::spd);
  auto H = s.input<"H", double, 3, 6>();
  auto R = s.input<"R", double, 3, 3>(wf::spd);
  s.output<"K">(P * trans(H) * inv(H * P * trans(H) + R));
});

std::uint64_t claims() {
  const wf::certification_log& log = wf::certifications;
  return log.accepted + log.taken_back + log.without_rule;
}

}  // namespace

TEST_CASE("searches are certified by the program that asks, whatever the compiled engine does") {
  const auto plan = wf::optimise(gain.graph(), wf::minimise(wf::flops));
  REQUIRE(plan);
  CHECK(plan->proven_optimal);
  const std::uint64_t by_optimise = claims();
  CHECK(by_optimise > 0);
  const auto selected = wf::select(plan->from.problem);
  REQUIRE(selected);
  CHECK(selected->objective[0] == plan->value);
  const std::uint64_t by_select = claims();
  CHECK(by_select > by_optimise);
  const auto again =
      wf::select_plan(plan->from, wf::minimise(wf::flops), {}, wf::builtin_registry());
  REQUIRE(again);
  CHECK(again->value == plan->value);
  CHECK(claims() > by_select);
  CHECK(wf::certifications.accepted > 0);
}
