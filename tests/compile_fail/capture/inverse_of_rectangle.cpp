// SPDX-License-Identifier: BSL-1.0
// EXPECT: "inverse"
// EXPECT: WF101: dimension M differs: 3 vs 4
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto m = s.input<"M", double, 3, 3>();
#ifdef WF_FAIL
  s.output<"Y">(inv(a));
#else
  s.output<"Y">(inv(m));
#endif
});
static_assert(w.graph().outputs.size() > 0);
