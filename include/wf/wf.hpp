// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything but the optional bridges (wf/adapt) and the executors (wf/run).

#include <wf/static.hpp>

#include <wf/capture/call_node.hpp>
#include <wf/capture/circuit.hpp>
#include <wf/capture/equations.hpp>
#include <wf/capture/subworkflow.hpp>
#include <wf/capture/trace.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/choice/choice_graph.hpp>
#include <wf/choice/extract.hpp>
#include <wf/choice/linalg.hpp>
#include <wf/choice/transform.hpp>
#include <wf/cost/best_order.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/ir/diff.hpp>
#include <wf/ir/digest.hpp>
#include <wf/ir/json.hpp>
#include <wf/ir/json_document.hpp>
#include <wf/ir/match.hpp>
#include <wf/ir/parse.hpp>
#include <wf/ir/parse_json.hpp>
#include <wf/ir/same.hpp>
#include <wf/ir/splice.hpp>
#include <wf/map/from_graph.hpp>
#include <wf/map/map.hpp>
#include <wf/map/mapping.hpp>
#include <wf/map/pe_array.hpp>
#include <wf/map/workload.hpp>
#include <wf/pass/bind.hpp>
#include <wf/pass/inline.hpp>
#include <wf/pass/unroll.hpp>
#include <wf/report/cost_table.hpp>
#include <wf/report/dot.hpp>
#include <wf/report/explain.hpp>
#include <wf/report/html.hpp>
#include <wf/report/labels.hpp>
#include <wf/report/perfetto.hpp>
#include <wf/report/svg.hpp>
#include <wf/search/astar.hpp>
#include <wf/search/branch_and_bound.hpp>
#include <wf/search/control.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/piecewise.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/select.hpp>
#include <wf/select/static_plan.hpp>
#include <wf/simulate/network.hpp>
#include <wf/simulate/simulate.hpp>
#include <wf/simulate/trace.hpp>
