// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF707: the kernel's laws do not say `elementwise`
#include <wf/run/plan/implement.hpp>

inline constexpr wf::kernel_spec scan{.name = "scan",
                                      .domain = "own",
                                      .signature = "X: floating [N] -> Y[N]",
                                      .costs = {{"flops", "N"}}};

void f() {
#ifdef WF_FAIL
  (void)wf::implement_elementwise<scan>([](auto x) { return x; });
#else
  (void)wf::implement<scan>([](auto& y, const auto& x) { y = x; });
#endif
}
