// SPDX-License-Identifier: BSL-1.0
#pragma once

// The parts that a first program needs: capture, prices and assertions, choice, and its
// explanation. The rest has an umbrella for each tier: <wf/capture.hpp>, <wf/select.hpp>,
// <wf/map.hpp>, <wf/simulate.hpp>, <wf/toolchain.hpp>, <wf/report.hpp>, <wf/run.hpp>.

#include <wf/static.hpp>

#include <wf/choice/builtin.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/registry/registry.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/report/graph/explain.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/static_plan.hpp>
