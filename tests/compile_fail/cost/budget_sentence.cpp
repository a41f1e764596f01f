// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF110: flops is 120 flop, over the budget of 100
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
#ifdef WF_FAIL
static_assert(wf::within<decltype(w), wf::flops, 100>());
#else
static_assert(wf::within<decltype(w), wf::flops, 120>());
#endif
