// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: dimension K differs: M vs N
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto p = s.input<"P", double, 3, "M">();
  [[maybe_unused]] auto q = s.input<"Q", double, "N", 3>();
#ifdef WF_FAIL
  s.output<"Y">(p * q);
#else
  s.output<"Y">(p * trans(p) + trans(q) * q);
#endif
});
static_assert(w.graph().outputs.size() > 0);
