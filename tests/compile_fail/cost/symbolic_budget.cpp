// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF110: flops is 2*M**3, over the budget of 100000 at M = 37
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
static_assert(wf::within<decltype(w), wf::flops, 100'000, wf::symbol_range("M", 1, 64)>());
#else
static_assert(wf::within<decltype(w), wf::flops, 100'000, wf::symbol_range("M", 1, 36)>());
#endif
