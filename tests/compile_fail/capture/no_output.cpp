// SPDX-License-Identifier: BSL-1.0
// EXPECT: "w"
// EXPECT: WF108: the workflow hands nothing out: call s.output
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  (void)a;
#else
  s.output<"Y">(a);
#endif
});
static_assert(w.graph().outputs.size() > 0);
