// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF101: at most 8 dimensions
#include <wf/static.hpp>

constexpr auto w = wf::workflow<"w">([](wf::scope& s) {
  [[maybe_unused]] auto v = s.input<"v", double, 1>();
#ifdef WF_FAIL
  s.output<"Y">(wf::reshape<1, 1, 1, 1, 1, 1, 1, 1, 1>(v));
#else
  s.output<"Y">(wf::reshape<1, 1, 1, 1, 1, 1, 1, 1>(v));
#endif
});
static_assert(w.graph().outputs.size() > 0);
