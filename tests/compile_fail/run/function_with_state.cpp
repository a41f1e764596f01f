// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF707: the function of an operator has no state: use attributes
#include <wf/run/plan/implement.hpp>

inline constexpr wf::kernel_spec scale{.name = "scale",
                                       .domain = "own",
                                       .signature = "X: floating [...], by: real -> Y[...]",
                                       .costs = {{"flops", "Y"}},
                                       .laws = {.elementwise = true}};

void f([[maybe_unused]] double by) {
#ifdef WF_FAIL
  (void)wf::implement_elementwise<scale>([by](auto x) { return by * x; });
#else
  (void)wf::implement_elementwise<scale>([](auto x, double factor) { return factor * x; });
#endif
}
