// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything but the optional bridges (wf/adapt), the executors (wf/run), most of what rewrites and
// checks graphs (wf/rewrite, wf/types, wf/lint), caches, the toolchains of wf/compile, the mapper
// of batches, and what draws mappings or writes files: who uses those includes them, and nobody
// else pays for them.

#include <wf/static.hpp>

#include <wf/capture/call_node.hpp>
#include <wf/capture/circuit.hpp>
#include <wf/capture/equations/equations.hpp>
#include <wf/capture/subworkflow.hpp>
#include <wf/capture/trace.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/choice/graph/choice_graph.hpp>
#include <wf/choice/graph/extract.hpp>
#include <wf/choice/growth/growth.hpp>
#include <wf/choice/transform/linalg/linalg.hpp>
#include <wf/choice/transform/registry.hpp>
#include <wf/choice/transform/transform.hpp>
#include <wf/contraction/order.hpp>
#include <wf/core/json/document.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/cost/price_within.hpp>
#include <wf/ir/compare/diff.hpp>
#include <wf/ir/compare/digest.hpp>
#include <wf/ir/compare/match.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/form/json.hpp>
#include <wf/ir/form/parse.hpp>
#include <wf/ir/form/parse_json.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/splice.hpp>
#include <wf/ir/graph/symbol_map.hpp>
#include <wf/map/array/constraints.hpp>
#include <wf/map/array/from_graph.hpp>
#include <wf/map/array/mapping.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/array/workload.hpp>
#include <wf/map/place/conflict.hpp>
#include <wf/map/place/feasibility.hpp>
#include <wf/map/place/map.hpp>
#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/schedule_tasks.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/order/best.hpp>
#include <wf/registry/signature_text.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/registry/times/host_times.hpp>
#include <wf/registry/usage.hpp>
#include <wf/report/graph/cost_table.hpp>
#include <wf/report/graph/dot.hpp>
#include <wf/report/graph/explain.hpp>
#include <wf/report/graph/labels.hpp>
#include <wf/report/graph/pareto_svg.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/report/page/html.hpp>
#include <wf/report/toolchain/joined_tracer.hpp>
#include <wf/report/toolchain/picture.hpp>
#include <wf/report/toolchain/stage_text.hpp>
#include <wf/report/toolchain/toolchain.hpp>
#include <wf/report/trace/perfetto.hpp>
#include <wf/rewrite/bind.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/rewrite/unroll.hpp>
#include <wf/search/astar.hpp>
#include <wf/search/control.hpp>
#include <wf/search/search_region.hpp>
#include <wf/select/every_size/piecewise.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/pareto/optimise.hpp>
#include <wf/select/pareto/pareto.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof/text.hpp>
#include <wf/select/select.hpp>
#include <wf/select/static_plan.hpp>
#include <wf/simulate/network.hpp>
#include <wf/simulate/simulate.hpp>
#include <wf/simulate/trace.hpp>
#include <wf/toolchain/adapter.hpp>
#include <wf/toolchain/route.hpp>
#include <wf/toolchain/toolchain.hpp>
#include <wf/toolchain/wrapper.hpp>
