// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF207: only sums are polynomials of the symbols; bind the symbols first
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
#ifdef WF_FAIL
constexpr auto degree = wf::cost(w)[wf::peak_memory].degree();
#else
constexpr auto degree = wf::cost(w)[wf::memory].degree();
#endif
static_assert(degree == 2);
