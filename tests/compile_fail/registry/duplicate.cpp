// SPDX-License-Identifier: BSL-1.0
// EXPECT: "relu"
// EXPECT: WF302: a kernel of this name exists; declare `overrides` to replace it
#include <wf/registry/static_registry.hpp>

inline constexpr wf::kernel_spec mine{.name = "relu",
                                      .domain = "nn",
                                      .signature = "X: ordered [...] -> Y[...]",
#ifdef WF_FAIL
                                      .overrides = false};
#else
                                      .overrides = true};
#endif
constexpr auto r = wf::registry_of<mine>();
static_assert(r.find("gelu")->domain == "nn");
