// SPDX-License-Identifier: BSL-1.0
// EXPECT: "::opaque::filter#0"
// EXPECT: WF305: its cost in flops is not declared
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto x = s.input<"x", double, "M">();
  s.output<"y">(wf::opaque<"filter", "x: f64 [M] -> y: f64 [M]", wf::declare("macs", "M")>(x));
});
#ifdef WF_FAIL
constexpr auto degree = wf::cost(w)[wf::flops].degree();
#else
constexpr auto degree = wf::cost(w)[wf::macs].degree();
#endif
static_assert(degree == 1);
