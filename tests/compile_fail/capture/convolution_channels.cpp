// SPDX-License-Identifier: BSL-1.0
// EXPECT: "conv2d"
// EXPECT: WF101: dimension C differs: 3 vs 4
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto x = s.input<"x", float, 1, 3, 8, 8>();
  [[maybe_unused]] auto w3 = s.input<"w3", float, 2, 3, 3, 3>();
  [[maybe_unused]] auto w4 = s.input<"w4", float, 2, 4, 3, 3>();
#ifdef WF_FAIL
  s.output<"Y">(conv2d(x, w4));
#else
  s.output<"Y">(conv2d(x, w3));
#endif
});
static_assert(w.graph().outputs.size() > 0);
