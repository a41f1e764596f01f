// SPDX-License-Identifier: BSL-1.0
// EXPECT: "reluu"
// EXPECT: WF301: overrides nothing: unknown kernel 'reluu': did you mean 'relu'?
#include <wf/registry/static_registry.hpp>

#ifdef WF_FAIL
inline constexpr wf::kernel_spec mine{
    .name = "reluu", .costs = {{"energy", "X"}}, .overrides = true};
#else
inline constexpr wf::kernel_spec mine{
    .name = "relu", .costs = {{"energy", "X"}}, .overrides = true};
#endif
constexpr auto r = wf::registry_of<mine>();
static_assert(r.find("gelu")->domain == "nn");
