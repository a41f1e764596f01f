// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF102: element types differ: f64 vs f32
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  [[maybe_unused]] auto f = s.input<"F", float, 3, 4>();
#ifdef WF_FAIL
  s.output<"Y">(a + f);
#else
  s.output<"Y">(f + f);
#endif
});
static_assert(w.graph().outputs.size() > 0);
