// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF111: wf::outputs needs one name for each value the function returns
#include <wf/capture/trace.hpp>

#ifdef WF_FAIL
constexpr auto names = wf::outputs<"y", "z">();
#else
constexpr auto names = wf::outputs<"y">();
#endif
constexpr auto w =
    wf::trace<"w">([](const auto& x) { return x + 1; }, names, wf::input<"x", double, 3>());
static_assert(w.graph().outputs.size() == 1);
