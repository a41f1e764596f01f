// SPDX-License-Identifier: BSL-1.0
//
// A workflow is captured while compiling, and planned and run at run time.
// --8<-- [start:program]
#include <iostream>

#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>

constexpr auto gain = wf::workflow<"gain">([](wf::scope& s) {
  auto P = s.input<"P", double, 2, 2>(wf::spd);
  auto R = s.input<"R", double, 2, 2>(wf::spd);
  auto z = s.input<"z", double, 2>();
  s.output<"x">(P * inv(P + R) * z);
});

int main() {
  const auto plan = wf::executable_plan::make(gain.graph());
  if (!plan) {
    std::cerr << wf::to_text(plan.error()).view() << '\n';
    return 1;
  }
  const wf::dynamic_matrix P = 3 * wf::dynamic_matrix::Identity(2, 2);
  const wf::dynamic_matrix R = wf::dynamic_matrix::Identity(2, 2);
  const wf::dynamic_matrix z = wf::dynamic_matrix::Constant(2, 1, 8);
  const auto results = (*plan)({{"P", P}, {"R", R}, {"z", z}});
  if (!results || results->at("x")(1) != 6) return 1;
  std::cout << "wf " << WF_VERSION_MAJOR << '.' << WF_VERSION_MINOR << '.' << WF_VERSION_PATCH
            << " through Conan: 3/4 of 8 is " << results->at("x")(1) << ", by a plan that is "
            << (plan->proven_optimal() ? "proven" : "not proven") << '\n';
}
// --8<-- [end:program]
