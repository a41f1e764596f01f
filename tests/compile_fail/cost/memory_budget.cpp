// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF110: peak_memory is 376 B, over the budget of 300
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
#ifdef WF_FAIL
static_assert(wf::within<decltype(w), wf::peak_memory, 300>());
#else
static_assert(wf::within<decltype(w), wf::peak_memory, 376>());
#endif
