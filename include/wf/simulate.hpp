// SPDX-License-Identifier: BSL-1.0
#pragma once

// Replays of networks, mappings and batches; the mesh network-on-chip.

#include <wf/simulate/program/schedule.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
#include <wf/simulate/sharing/mesh_network.hpp>
