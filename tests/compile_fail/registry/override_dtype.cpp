// SPDX-License-Identifier: BSL-1.0
// EXPECT: "relu"
// EXPECT: WF303: operand X is floating, but of the kernel that it overrides ordered
#include <wf/registry/static_registry.hpp>

inline constexpr wf::kernel_spec mine{.name = "relu",
                                      .domain = "nn",
#ifdef WF_FAIL
                                      .signature = "X: floating [...] -> Y[...]",
#else
                                      .signature = "X: any [...] -> Y[...]",
#endif
                                      .overrides = true};
constexpr auto r = wf::registry_of<mine>();
static_assert(r.find("gelu")->domain == "nn");
