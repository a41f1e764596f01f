// SPDX-License-Identifier: BSL-1.0
// EXPECT: "softmax"
// EXPECT: WF102: operand X is i32, not floating
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto i = s.input<"I", std::int32_t, 3>();
#ifdef WF_FAIL
  (void)a, s.output<"Y">(softmax(i));
#else
  (void)i, s.output<"Y">(softmax(a));
#endif
});
static_assert(w.graph().outputs.size() > 0);
