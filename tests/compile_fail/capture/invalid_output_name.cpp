// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF105: a name is a letter, then letters, digits, _ .
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"a b">(a);
#else
  s.output<"a_b">(a);
#endif
});
static_assert(w.graph().outputs.size() > 0);
