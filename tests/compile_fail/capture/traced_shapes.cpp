// SPDX-License-Identifier: BSL-1.0
// EXPECT: "matmul"
// EXPECT: WF101: dimension K differs: 4 vs 3
#include <wf/capture/trace.hpp>

constexpr auto w = wf::trace<"w">(
    [](const auto& A, const auto& B) {
#ifdef WF_FAIL
      return A * B;
#else
      return A * B.transpose();
#endif
    },
    wf::outputs<"y">(), wf::input<"A", double, 3, 4>(), wf::input<"B", double, 3, 4>());
static_assert(w.graph().outputs.size() == 1);
