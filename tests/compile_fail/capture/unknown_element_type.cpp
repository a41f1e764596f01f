// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF102: the element type is not one that wf knows
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
#ifdef WF_FAIL
  s.output<"Y">(s.input<"x", void*, 3>());
#else
  s.output<"Y">(s.input<"x", float, 3>());
#endif
});
static_assert(w.graph().outputs.size() > 0);
