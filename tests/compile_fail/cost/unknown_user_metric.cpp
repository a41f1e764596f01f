// SPDX-License-Identifier: BSL-1.0
// EXPECT: "relu#0"
// EXPECT: WF305: its cost in risk is not known
#include <wf/registry/static_registry.hpp>
#include <wf/static.hpp>

inline constexpr wf::metric<"risk", "point", wf::combination::sum, wf::missing_cost::unknown> risk;
inline constexpr wf::kernel_spec risky{.name = "relu",
                                       .domain = "user",
                                       .signature = "X[...] -> Y[...]",
                                       .costs = {{"risk", "2*X"}},
                                       .overrides = true};
constexpr auto w =
    wf::workflow<"w">([](wf::scope& s) { s.output<"Y">(relu(s.input<"A", double, 3>())); });
#ifdef WF_FAIL
static_assert(wf::cost(w)[risk] == 6);
#else
static_assert(wf::cost(w, wf::with_kernels<risky>)[risk] == 6);
#endif
