// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF107: stride is positive, padding not negative
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto x = s.input<"x", float, 1, 3, 8, 8>();
  [[maybe_unused]] auto w3 = s.input<"w3", float, 2, 3, 3, 3>();
#ifdef WF_FAIL
  s.output<"Y">(wf::conv2d<0>(x, w3));
#else
  s.output<"Y">(wf::conv2d<1>(x, w3));
#endif
});
static_assert(w.graph().outputs.size() > 0);
