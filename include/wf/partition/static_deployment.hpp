// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/diagnosis/ill_formed.hpp>
#include <wf/partition/toolchain.hpp>

namespace wf {

namespace detail {

struct standard_deployment {
  constexpr deployment_settings operator()() const { return {}; }
};

// The error of the deployment of a workflow, or none.
template <const auto& Workflow, auto Settings>
struct deployment_failure {
  constexpr error operator()() const {
    error out;  // g++ 12 destroys the temporary of a conditional expression twice
    if (const auto d = deploy(Workflow.graph(), Settings()); !d) out = d.error();
    return out;
  }
};

}  // namespace detail

/// Holds a captured workflow to being deployable, while compiling: `static_assert(
/// wf::deploys<asking>())`. `Settings` is a captureless callable that returns the
/// `deployment_settings`. True; a workflow that cannot be deployed does not compile, and the
/// compiler says why in a sentence with the code, the node and the reason: WF901 and WF902 for
/// nodes whose class is in doubt, WF904 for a message that passes by a gate, WF907 for a slot
/// without an operator, and all others of `deployment_toolchain`.
template <const auto& Workflow, auto Settings = detail::standard_deployment{}>
consteval bool deploys() {
  using failure = detail::deployment_failure<Workflow, Settings>;
  constexpr bool ok = failure{}().code == errc::none;
  if constexpr (!ok) (void)sizeof(report<diagnose<failure{}>>);
  return ok;
}

}  // namespace wf
