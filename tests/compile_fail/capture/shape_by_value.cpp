// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: dimension K differs: 4 vs 3 (A is 3x4, B is 3x4), line
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
  wf::dynamic_handle<double> x = a;
#ifdef WF_FAIL
  s.output<"Y">(matmul(x, x));
#else
  s.output<"Y">(matmul(x, trans(x)));
#endif
});
static_assert(w.graph().outputs.size() > 0);
