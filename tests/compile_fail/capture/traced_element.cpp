// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF111: while tracing there are no
#include <wf/capture/trace.hpp>

constexpr auto w = wf::trace<"w">(
    [](const auto& A) {
#ifdef WF_FAIL
      return A(0, 0) + A;
#else
      return A.sum() + A;
#endif
    },
    wf::outputs<"y">(), wf::input<"A", double, 3, 3>());
static_assert(w.graph().outputs.size() == 1);
