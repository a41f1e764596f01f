// SPDX-License-Identifier: BSL-1.0
#pragma once

// Selection in full: alternatives, searches, trade-offs, plans for every size.

#include <wf/choice/transform/registry.hpp>
#include <wf/choice/transform/tensor/large_contractions.hpp>
#include <wf/search/astar.hpp>
#include <wf/search/depth_first.hpp>
#include <wf/search/watch.hpp>
#include <wf/select/bodies.hpp>
#include <wf/select/checkpoint/checkpoint.hpp>
#include <wf/select/every_size/piecewise.hpp>
#include <wf/select/optimise_on_cores.hpp>
#include <wf/select/pareto/optimise.hpp>
#include <wf/select/proof/text.hpp>
#include <wf/select/static_plan.hpp>
