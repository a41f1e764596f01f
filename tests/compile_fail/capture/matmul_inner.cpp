// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: dimension K differs: 5 vs 3 (A is 4x5, B is 3x4)
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto b = s.input<"B", double, 4, 5>();
#ifdef WF_FAIL
  s.output<"Y">(b * a);
#else
  s.output<"Y">(a * b);
#endif
});
static_assert(w.graph().outputs.size() > 0);
