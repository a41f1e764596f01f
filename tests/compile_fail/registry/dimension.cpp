// SPDX-License-Identifier: BSL-1.0
// EXPECT: "pool"
// EXPECT: WF202: dimension H//strides: unknown symbol 'strides': did you mean 'stride'?
#include <wf/registry/static_registry.hpp>

inline constexpr wf::kernel_spec pool{.name = "pool",
                                      .domain = "imaging",
#ifdef WF_FAIL
                                      .signature = "X[H], stride = 2 -> Y[H//strides]"};
#else
                                      .signature = "X[H], stride = 2 -> Y[H//stride]"};
#endif
constexpr auto mine = wf::registry_of<pool>();
static_assert(mine.find("relu")->domain == "nn");
