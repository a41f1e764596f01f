// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF105: a name is a letter, then letters, digits, _ .
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
#ifdef WF_FAIL
  s.output<"Y">(s.input<"1st", double, 3>());
#else
  s.output<"Y">(s.input<"first", double, 3>());
#endif
});
static_assert(w.graph().outputs.size() > 0);
