// SPDX-License-Identifier: BSL-1.0
#pragma once

// Replays of networks, mappings and batches.

#include <wf/simulate/program/schedule.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
