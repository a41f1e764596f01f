// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/registry.hpp>
#include <wf/registry/times/host_times.hpp>
#ifdef WF_WITH_BLAS
#include <wf/run/blas/blas_kernels.hpp>
#endif

namespace wf {

/// The kernels of the libraries with which this program is built: `blas_kernels` if the macro
/// `WF_WITH_BLAS` is defined, as the option of that name in CMake does for all that link wf; else
/// none. All files of a program must agree.
inline view<kernel_spec> host_library() {
#ifdef WF_WITH_BLAS
  return blas_kernels;
#else
  return {};
#endif
}

/// `timed_registry()` with the kernels of `host_library()`: what plans begin with. Libraries have
/// no times in it, so that nothing goes to them before `load_times` reads times that were measured
/// with them. O(kernels).
inline registry host_registry() {
  registry out = timed_registry();
  (void)out.add(host_library());  // cannot fail: they refine kernels of the registry
  return out;
}

}  // namespace wf
