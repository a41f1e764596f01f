// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/compiled.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/registry/domain/control.hpp>
#include <wf/registry/domain/einsum.hpp>
#include <wf/registry/domain/elementwise.hpp>
#include <wf/registry/domain/linalg.hpp>
#include <wf/registry/domain/movement.hpp>
#include <wf/registry/domain/nn.hpp>
#include <wf/registry/domain/quantum.hpp>
#include <wf/registry/domain/signal.hpp>
#include <wf/registry/domain/wire.hpp>

namespace wf {

/// The built-in domains, in the order of the reference manual.
inline constexpr kernel_list builtin_domains[] = {
    kernels::elementwise_domain, kernels::linalg_domain,  kernels::signal_domain,
    kernels::nn_domain,          kernels::quantum_domain, kernels::movement_domain,
    kernels::tensor_domain,      kernels::control_domain, kernels::wire_domain};

namespace detail {
inline constexpr kernel_catalogue<512> builtin_catalogue(builtin_domains);

constexpr registry make_builtin_registry() { return registry(builtin_catalogue); }
#ifdef WF_COMPILED
extern template struct compiled<&make_builtin_registry>;
#endif
}  // namespace detail

/// A registry of all built-in domains, to which users add their kernels. O(1).
constexpr registry builtin_registry() {
  return detail::call_compiled<&detail::make_builtin_registry>();
}

}  // namespace wf
