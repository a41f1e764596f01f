// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/einsum.hpp>
#include <wf/registry/elementwise.hpp>
#include <wf/registry/linalg.hpp>
#include <wf/registry/movement.hpp>
#include <wf/registry/nn.hpp>
#include <wf/registry/quantum.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// A registry of every built-in domain; users add their kernels to it. O(kernels).
constexpr registry builtin_registry() {
  registry r;
  const view<kernel_spec> domains[] = {kernels::elementwise_domain, kernels::linalg_domain,
                                       kernels::movement_domain,    kernels::nn_domain,
                                       kernels::quantum_domain,     kernels::tensor_domain};
  for (const view<kernel_spec>& domain : domains) (void)r.add(domain);  // see builtin's test
  return r;
}

}  // namespace wf
