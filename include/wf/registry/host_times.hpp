// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/registry.hpp>

namespace wf {

namespace kernels {

namespace detail {
constexpr kernel_spec timed(const char* op, const char* formula) {
  kernel_spec k{.name = op, .costs = {{"execution_time", formula}}};
  k.overrides = true;
  return k;
}
}  // namespace detail

/// How long kernels take on one core, in femtoseconds: refines the built-in kernels by the metric
/// `execution_time`. Arithmetic at the rate of the kernel, traffic, and the call itself, fitted to
/// measurements of the run-time executor on a core with AVX-512 at about 60 Gflop/s in products;
/// `tools/bench calibrate` measures another machine and writes its table.
inline constexpr kernel_spec host_times[] = {
    detail::timed("transpose", "0"),
    detail::timed("matmul", "200000000 + 31000*C*K + 100000*A + 100000*B + 200000*C"),
};

}  // namespace kernels

/// The built-in kernels with the times of `kernels::host_times`.
constexpr registry timed_registry() {
  registry r = builtin_registry();
  (void)r.add(kernels::host_times);
  return r;
}

}  // namespace wf
