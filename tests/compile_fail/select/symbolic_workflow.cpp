// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF109: optimise<...> needs static shapes
#include <wf/wf.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
constexpr auto v = wf::workflow<"v">([](wf::scope& s) {
  auto a = s.input<"A", double, 3, 3>();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
constexpr auto plan = wf::optimise<w>(wf::minimise(wf::flops));
#else
constexpr auto plan = wf::optimise<v>(wf::minimise(wf::flops));
#endif
static_assert(plan.proven_optimal);
