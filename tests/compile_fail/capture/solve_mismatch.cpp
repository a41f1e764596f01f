// SPDX-License-Identifier: BSL-1.0
// EXPECT: "solve"
// EXPECT: WF101: dimension M differs: 3 vs 4
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto b = s.input<"B", double, 4, 5>();
  [[maybe_unused]] auto m = s.input<"M", double, 3, 3>();
#ifdef WF_FAIL
  s.output<"Y">(solve(m, b));
#else
  s.output<"Y">(solve(m, m));
#endif
});
static_assert(w.graph().outputs.size() > 0);
