// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF111: the traced function
// EXPECT: symbolic dimension
#include <wf/capture/trace.hpp>

constexpr auto w = wf::trace<"w">(
    [](auto x) {
#ifdef WF_FAIL
      for (int i = 0; i < x.rows(); ++i) x += 1;
#else
      for (int i = 0; i < x.cols(); ++i) x += 1;
#endif
      return x;
    },
    wf::outputs<"y">(), wf::input<"x", double, "N">());
static_assert(w.graph().outputs.size() == 1);
