// SPDX-License-Identifier: BSL-1.0
#pragma once

// Replays of networks, mappings and batches.

#include <wf/simulate/batch.hpp>
#include <wf/simulate/contention.hpp>
#include <wf/simulate/schedule.hpp>
