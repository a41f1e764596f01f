// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF106: line
// EXPECT: uses a handle of another workflow, or an unassigned one
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  wf::dynamic_handle<double> none;
#ifdef WF_FAIL
  (void)a, s.output<"Y">(none);
#else
  none = a, s.output<"Y">(none);
#endif
});
static_assert(w.graph().outputs.size() > 0);
