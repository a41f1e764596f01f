// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/catalogue.hpp>
#include <wf/registry/control.hpp>
#include <wf/registry/einsum.hpp>
#include <wf/registry/elementwise.hpp>
#include <wf/registry/linalg.hpp>
#include <wf/registry/movement.hpp>
#include <wf/registry/nn.hpp>
#include <wf/registry/quantum.hpp>
#include <wf/registry/signal.hpp>

namespace wf {

/// The built-in domains, in the order of the reference manual.
inline constexpr kernel_list builtin_domains[] = {
    kernels::elementwise_domain, kernels::linalg_domain,  kernels::signal_domain,
    kernels::nn_domain,          kernels::quantum_domain, kernels::movement_domain,
    kernels::tensor_domain,      kernels::control_domain};

namespace detail {
inline constexpr kernel_catalogue<512> builtin_catalogue(builtin_domains);
}  // namespace detail

/// A registry of every built-in domain; users add their kernels to it. O(1).
constexpr registry builtin_registry() { return registry(detail::builtin_catalogue); }

}  // namespace wf
