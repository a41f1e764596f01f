// SPDX-License-Identifier: BSL-1.0
#pragma once

// Mapping to arrays of processing elements, batches of samples, and schedules of tasks.

#include <wf/map/array/from_graph.hpp>
#include <wf/map/batch/clean_up.hpp>
#include <wf/map/batch/map.hpp>
#include <wf/map/batch/map_part.hpp>
#include <wf/map/batch/memory_profile.hpp>
#include <wf/map/batch/parts.hpp>
#include <wf/map/schedule/node_order.hpp>
