// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF110: least_peak_memory is 376 B, over the budget of 300
#include <wf/order/best.hpp>
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  s.output<"Y">(s.input<"A", double, 3, 4>() * s.input<"B", double, 4, 5>());
});
inline constexpr auto least = wf::along_best_order(wf::peak_memory);
#ifdef WF_FAIL
static_assert(wf::within<decltype(w), least, 300>());
#else
static_assert(wf::within<decltype(w), least, 376>());
#endif
