// SPDX-License-Identifier: BSL-1.0
// EXPECT: "blur"
// EXPECT: WF303: unknown element type 'flaoting': did you mean 'floating'?
#include <wf/registry/static_registry.hpp>

inline constexpr wf::kernel_spec blur{.name = "blur",
                                      .domain = "imaging",
#ifdef WF_FAIL
                                      .signature = "X: flaoting [H, W] -> Y[H, W]"};
#else
                                      .signature = "X: floating [H, W] -> Y[H, W]"};
#endif
inline constexpr const wf::kernel_spec* imaging[] = {&blur};
constexpr auto mine = wf::registry_of<imaging>();
static_assert(mine.find("relu")->domain == "nn");
