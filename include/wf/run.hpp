// SPDX-License-Identifier: BSL-1.0
#pragma once

// Execution with Eigen, of plans made while compiling and at run time. <wf/run/host_backend.hpp>
// makes of it a back end of <wf/toolchain.hpp>.

#include <wf/run/complex.hpp>
#include <wf/run/eigen.hpp>
#include <wf/run/integers.hpp>
#include <wf/run/opaque_function.hpp>
#include <wf/run/plan/executable_kernels.hpp>
#include <wf/run/plan/executable_plan.hpp>
#include <wf/run/plan/host_library.hpp>
#include <wf/run/single_precision.hpp>
#include <wf/run/values/argument_types.hpp>
