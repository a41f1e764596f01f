// SPDX-License-Identifier: BSL-1.0
// EXPECT: "transpose"
// EXPECT: WF101: needs a matrix, not 4
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto v = s.input<"v", double, 4>();
#ifdef WF_FAIL
  s.output<"Y">(trans(v));
#else
  s.output<"Y">(trans(a));
#endif
});
static_assert(w.graph().outputs.size() > 0);
