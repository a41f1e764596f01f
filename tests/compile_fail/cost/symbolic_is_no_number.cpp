// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF109: a symbolic cost is no number: ask at_most(maximum, symbol_range(...)), or bind the
// symbols
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
static_assert(wf::cost(w)[wf::flops] < 100);
#else
static_assert(to_text(wf::cost(w)[wf::flops]) == wf::text("2*M**3"));
#endif
