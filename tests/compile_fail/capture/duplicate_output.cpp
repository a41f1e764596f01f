// SPDX-License-Identifier: BSL-1.0
// EXPECT: "Y"
// EXPECT: WF104: two outputs have this name
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"Y">(a), s.output<"Y">(relu(a));
#else
  s.output<"Y">(a), s.output<"Z">(relu(a));
#endif
});
static_assert(w.graph().outputs.size() > 0);
