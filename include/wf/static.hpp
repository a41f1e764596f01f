// SPDX-License-Identifier: BSL-1.0
#pragma once

// The compile-time tier alone: capture, cost, assertions.

#include <wf/capture/call.hpp>
#include <wf/capture/literal.hpp>
#include <wf/capture/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/core/units.hpp>
#include <wf/core/version.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/formula/compare.hpp>
#include <wf/formula/literal.hpp>
