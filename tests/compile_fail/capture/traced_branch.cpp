// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF111: while tracing there are no
// EXPECT: needs an operator such as where
#include <wf/capture/trace.hpp>

constexpr auto w = wf::trace<"w">(
    [](const auto& x) {
#ifdef WF_FAIL
      return x.sum() > 0 ? x + 1 : x - 1;
#else
      return x - 1;
#endif
    },
    wf::outputs<"y">(), wf::input<"x", double, 3>());
static_assert(w.graph().outputs.size() == 1);
