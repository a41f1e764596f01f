// SPDX-License-Identifier: BSL-1.0
#pragma once

// Passes, inference of types, findings, toolchains of steps and back ends. Caches and programs that
// compile on demand need threads and files: <wf/cache/...>, <wf/compile/program.hpp>.

#include <wf/compile/choose.hpp>
#include <wf/compile/host_time.hpp>
#include <wf/compile/toolchain.hpp>
#include <wf/rewrite/adjoint.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/rewrite/call_patterns.hpp>
#include <wf/rewrite/gradient.hpp>
#include <wf/rewrite/hoist.hpp>
#include <wf/rewrite/static_gradient.hpp>
#include <wf/rewrite/unroll.hpp>
#include <wf/toolchain/any_step.hpp>
#include <wf/toolchain/route.hpp>
