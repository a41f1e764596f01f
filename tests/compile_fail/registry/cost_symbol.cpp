// SPDX-License-Identifier: BSL-1.0
// EXPECT: "blur"
// EXPECT: WF202: cost in flops: unknown symbol 'passe': did you mean 'passes'?
#include <wf/registry/static_registry.hpp>

inline constexpr wf::kernel_spec blur{.name = "blur",
                                      .domain = "imaging",
                                      .signature = "X: floating [H, W], passes = 1 -> Y[H, W]",
#ifdef WF_FAIL
                                      .costs = {{"flops", "4*passe*Y"}}};
#else
                                      .costs = {{"flops", "4*passes*Y"}}};
#endif
constexpr auto mine = wf::registry_of<blur>();
static_assert(mine.find("relu")->domain == "nn");
