// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: the numbers of elements differ: 3x4 vs 5x2
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto a = s.input<"A", double, 3, 4>();
#ifdef WF_FAIL
  s.output<"Y">(wf::reshape<5, 2>(a));
#else
  s.output<"Y">(wf::reshape<6, 2>(a));
#endif
});
static_assert(w.graph().outputs.size() > 0);
