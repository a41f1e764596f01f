// SPDX-License-Identifier: BSL-1.0
#pragma once

// The simulator: networks of processes, programs of activities on clusters, replays of mappings,
// batches and schedules, messages under scripts of faults, and the mesh network-on-chip.

#include <wf/simulate/account/critical_path.hpp>
#include <wf/simulate/account/network.hpp>
#include <wf/simulate/account/program.hpp>
#include <wf/simulate/account/run_account.hpp>
#include <wf/simulate/account/utilisation.hpp>
#include <wf/simulate/fault/accrual.hpp>
#include <wf/simulate/fault/expectation.hpp>
#include <wf/simulate/fault/parse_script.hpp>
#include <wf/simulate/fault/run_network.hpp>
#include <wf/simulate/fault/shrink.hpp>
#include <wf/simulate/fault/storm.hpp>
#include <wf/simulate/fault/write_script.hpp>
#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/process/any_process.hpp>
#include <wf/simulate/process/dataflow.hpp>
#include <wf/simulate/process/materialise.hpp>
#include <wf/simulate/process/recorder.hpp>
#include <wf/simulate/program/cluster.hpp>
#include <wf/simulate/program/schedule.hpp>
#include <wf/simulate/program/source.hpp>
#include <wf/simulate/program/variants.hpp>
#include <wf/simulate/replay/batch.hpp>
#include <wf/simulate/replay/contention.hpp>
#include <wf/simulate/sharing/mesh_networks.hpp>
