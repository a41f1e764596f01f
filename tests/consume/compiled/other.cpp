// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/executable_plan.hpp>
#include <wf/static.hpp>

constexpr auto product = wf::workflow<"product">([](wf::scope& s) {
  auto A = s.input<"A", double, 3, 3>();
  auto x = s.input<"x", double, 3>();
  s.output<"y">(A * x);
});

wf::result<wf::executable_plan> planned_elsewhere() {
  return wf::executable_plan::make(product.graph());
}
