// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF105: a symbolic extent is 1 to 10 letters, digits, _
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
#ifdef WF_FAIL
  s.output<"Y">(s.input<"x", float, "sequence_length">());
#else
  s.output<"Y">(s.input<"x", float, "sequence">());
#endif
});
static_assert(w.graph().outputs.size() > 0);
