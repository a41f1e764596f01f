// SPDX-License-Identifier: BSL-1.0
// EXPECT: "relu"
// EXPECT: WF302: a kernel of this name exists; declare `overrides` to replace it
#include <wf/registry/static_registry.hpp>
#include <wf/static.hpp>

constexpr auto w =
    wf::workflow<"w">([](wf::scope& s) { s.output<"Y">(relu(s.input<"A", double, 3>())); });
inline constexpr wf::kernel_spec twice{
    .name = "relu", .domain = "user", .signature = "X[...] -> Y[...]", .costs = {{"flops", "2*X"}}};
inline constexpr wf::kernel_spec replaced{.name = "relu",
                                          .domain = "user",
                                          .signature = "X[...] -> Y[...]",
                                          .costs = {{"flops", "2*X"}},
                                          .overrides = true};
#ifdef WF_FAIL
static_assert(wf::cost(w, wf::with_kernels<twice>)[wf::flops] == 6);
#else
static_assert(wf::cost(w, wf::with_kernels<replaced>)[wf::flops] == 6);
#endif
