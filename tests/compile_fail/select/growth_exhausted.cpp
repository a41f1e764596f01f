// SPDX-License-Identifier: BSL-1.0
// EXPECT: "deep"
// EXPECT: WF502: the budget of constant evaluation is exhausted; move the selection to run time
// with
#include <wf/wf.hpp>

// With this many products clang exceeds its limit during growth.
constexpr auto deep = wf::workflow<"deep">([](wf::scope& s) {
#ifdef WF_FAIL
  s.output<"Y">(
      s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>() * s.input<"C", double, 5, 3>() *
      s.input<"D", double, 3, 4>() * s.input<"E", double, 4, 5>() * s.input<"F", double, 5, 3>() *
      s.input<"G", double, 3, 4>() * s.input<"H", double, 4, 5>() * s.input<"I", double, 5, 3>() *
      s.input<"J", double, 3, 4>() * s.input<"K", double, 4, 5>() * s.input<"L", double, 5, 3>() *
      s.input<"M", double, 3, 4>() * s.input<"N", double, 4, 5>() * s.input<"O", double, 5, 3>() *
      s.input<"P", double, 3, 4>() * s.input<"Q", double, 4, 5>() * s.input<"R", double, 5, 3>());
#else
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
#endif
});
constexpr auto plan = wf::optimise<deep>(wf::minimise(wf::flops));  // HERE
static_assert(plan.proven_optimal);
