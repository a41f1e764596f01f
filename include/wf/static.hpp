// SPDX-License-Identifier: BSL-1.0
#pragma once

// The compile-time tier alone: capture, cost, assertions.

#include <wf/capture/call.hpp>
#include <wf/capture/functions/literal.hpp>
#include <wf/capture/functions/opaque.hpp>
#include <wf/capture/workflow.hpp>
#include <wf/core/units.hpp>
#include <wf/core/version.hpp>
#include <wf/cost/static_cost.hpp>
#include <wf/formula/language/literal.hpp>
#include <wf/formula/polynomial/compare.hpp>
