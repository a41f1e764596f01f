// SPDX-License-Identifier: BSL-1.0
// EXPECT: "chain"
// EXPECT: WF502: the budget of constant evaluation is exhausted; move the selection to run time
// with EXPECT: wf::optimise(w.graph(), ...)
#include <wf/wf.hpp>

constexpr auto chain = wf::workflow<"chain">([](wf::scope& s) {
  auto six = s.let<"six">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>() *
                          s.input<"C", double, 5, 3>() * s.input<"D", double, 3, 4>() *
                          s.input<"E", double, 4, 5>() * s.input<"F", double, 5, 3>());
#ifdef WF_FAIL
  s.output<"Y">(six * s.input<"G", double, 3, 4>() * s.input<"H", double, 4, 5>() *
                s.input<"I", double, 5, 3>() * s.input<"J", double, 3, 4>() *
                s.input<"K", double, 4, 5>() * s.input<"L", double, 5, 3>());
#else
  s.output<"Y">(six);
#endif
});
constexpr auto plan = wf::optimise<chain>(wf::minimise(wf::flops));  // HERE
static_assert(plan.proven_optimal);
