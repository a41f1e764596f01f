// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF107: axis 2 of a value of 2 dimensions
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"Y">(wf::sum<2>(a));
#else
  s.output<"Y">(wf::sum<1>(a));
#endif
});
static_assert(w.graph().outputs.size() > 0);
