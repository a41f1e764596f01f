// SPDX-License-Identifier: BSL-1.0
// EXPECT: "A"
// EXPECT: WF104: two inputs have this name
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"Y">(a + s.input<"A", double, 3, 4>());
#else
  s.output<"Y">(a + s.input<"B", double, 3, 4>());
#endif
});
static_assert(w.graph().outputs.size() > 0);
