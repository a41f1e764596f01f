// SPDX-License-Identifier: BSL-1.0
// EXPECT: 120 < 100
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
#ifdef WF_FAIL
static_assert(wf::cost(w)[wf::flops] < 100);
#else
static_assert(wf::cost(w)[wf::flops] < 200);
#endif
