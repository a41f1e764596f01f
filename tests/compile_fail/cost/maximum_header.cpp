// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF207: it is a maximum of polynomials: include <wf/cost/polynomial_maximum.hpp>
#ifdef WF_FAIL
#include <wf/static.hpp>
#else
#include <wf/cost/polynomial_maximum.hpp>
#include <wf/static.hpp>
#endif

inline constexpr wf::metric<"time", "ns", wf::combination::critical_path> duration;
constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  auto a = s.input<"A", double, "M", "M">();
  s.output<"Y">(a * a);
});
constexpr auto cost_of = wf::cost(w)[duration].is_polynomial();
static_assert(cost_of);
