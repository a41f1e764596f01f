// SPDX-License-Identifier: BSL-1.0
// EXPECT: WF801: step 'change' returns partitioned program but step 'deploy' takes guarded program
#include <wf/partition/toolchain.hpp>

// A change of a guarded program is followed by a check, or does not compile.
[[maybe_unused]] constexpr auto change = wf::step<"change">(
    [](const wf::guarded_program& p) -> wf::partitioned_program { return p.parts(); });

auto deployed() {
  const wf::deployment_settings s;
#ifdef WF_FAIL
  return wf::deployment_toolchain(s).insert_before<"deploy">(change);
#else
  return wf::deployment_toolchain(s).insert_before<"deploy">(
      wf::chain<"mine">(change, wf::rename<"again">(wf::complete_step(s.guards, s.kernels))));
#endif
}
