// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: shapes do not fit (A is 3x4, B is 4x5)
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto b = s.input<"B", double, 4, 5>();
#ifdef WF_FAIL
  s.output<"Y">(a + b);
#else
  s.output<"Y">(a + a);
#endif
});
static_assert(w.graph().outputs.size() > 0);
