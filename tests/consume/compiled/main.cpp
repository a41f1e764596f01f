// SPDX-License-Identifier: BSL-1.0
//
// Two translation units that include the declarations of the run-time planner, not its definitions.
#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>

#include <cstdio>

wf::result<wf::executable_plan> planned_elsewhere();

constexpr auto twice = wf::workflow<"twice">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 3>(wf::spd);
  auto x = s.input<"x", double, 3>();
  s.output<"y">(inv(A) * x);
});

int main() {
  const wf::dynamic_matrix A = 4 * wf::dynamic_matrix::Identity(3, 3);
  const wf::dynamic_matrix x = wf::dynamic_matrix::Ones(3, 1);
  const auto here = wf::executable_plan::make(twice.graph()), there = planned_elsewhere();
  if (!here || !there) return 1;
  const auto y = (*here)({{"A", A}, {"x", x}}), z = (*there)({{"A", A}, {"x", x}});
  if (!y || !z) return 1;
  std::printf("0.25 is %g, 4 is %g\n", y->at("y")(2), z->at("y")(2));
  return y->at("y")(2) == 0.25 && z->at("y")(2) == 4 ? 0 : 1;
}
