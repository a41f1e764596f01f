// SPDX-License-Identifier: BSL-1.0
#pragma once

// The simulator: networks of processes, programs of activities on clusters, and replays of
// mappings, batches and schedules.

#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/process/any_process.hpp>
#include <wf/simulate/process/materialise.hpp>
#include <wf/simulate/process/recorder.hpp>
#include <wf/simulate/program/schedule.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
