// SPDX-License-Identifier: BSL-1.0
// EXPECT: "matvec"
// EXPECT: WF101: dimension K differs: 4 vs 5
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto v4 = s.input<"v4", double, 4>();
  [[maybe_unused]] auto v5 = s.input<"v5", double, 5>();
#ifdef WF_FAIL
  (void)v4, s.output<"Y">(a * v5);
#else
  (void)v5, s.output<"Y">(a * v4);
#endif
});
static_assert(w.graph().outputs.size() > 0);
