// SPDX-License-Identifier: BSL-1.0
#pragma once

// Replays of networks, mappings and batches; peers under scripts of faults.

#include <wf/simulate/fault/expectation.hpp>
#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/storm.hpp>
#include <wf/simulate/fault/write_script.hpp>
#include <wf/simulate/program/schedule.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
