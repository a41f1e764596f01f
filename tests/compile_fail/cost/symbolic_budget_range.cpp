// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF202: the domain says nothing of the symbol 'M'
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
static_assert(wf::within<decltype(w), wf::flops, 100'000, wf::symbol_range("N", 1, 8)>());
#else
static_assert(wf::within<decltype(w), wf::flops, 100'000, wf::symbol_range("M", 1, 8)>());
#endif
