// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything but the optional bridges (wf/adapt), the executors (wf/run), the passes beside
// binding, inlining and unrolling (wf/pass) with the toolchains made of them (wf/compile), caches,
// and tracers that write files: who uses those includes them, and nobody else pays for them.

#include <wf/static.hpp>

#include <wf/capture/call_node.hpp>
#include <wf/capture/circuit.hpp>
#include <wf/capture/equations.hpp>
#include <wf/capture/subworkflow.hpp>
#include <wf/capture/trace.hpp>
#include <wf/choice/builtin.hpp>
#include <wf/choice/choice_graph.hpp>
#include <wf/choice/extract.hpp>
#include <wf/choice/growth.hpp>
#include <wf/choice/linalg.hpp>
#include <wf/choice/transform.hpp>
#include <wf/choice/transform_registry.hpp>
#include <wf/cost/best_order.hpp>
#include <wf/cost/cost_table.hpp>
#include <wf/cost/critical_path.hpp>
#include <wf/ir/copy.hpp>
#include <wf/ir/diff.hpp>
#include <wf/ir/digest.hpp>
#include <wf/ir/json.hpp>
#include <wf/ir/json_document.hpp>
#include <wf/ir/match.hpp>
#include <wf/ir/parse.hpp>
#include <wf/ir/parse_json.hpp>
#include <wf/ir/same.hpp>
#include <wf/ir/splice.hpp>
#include <wf/ir/symbol_map.hpp>
#include <wf/map/from_graph.hpp>
#include <wf/map/map.hpp>
#include <wf/map/mapping.hpp>
#include <wf/map/pe_array.hpp>
#include <wf/map/workload.hpp>
#include <wf/pass/adapter.hpp>
#include <wf/pass/bind.hpp>
#include <wf/pass/inline.hpp>
#include <wf/pass/route.hpp>
#include <wf/pass/toolchain.hpp>
#include <wf/pass/unroll.hpp>
#include <wf/pass/wrapper.hpp>
#include <wf/registry/host_times.hpp>
#include <wf/registry/signature_text.hpp>
#include <wf/registry/static_registry.hpp>
#include <wf/registry/usage.hpp>
#include <wf/report/cost_table.hpp>
#include <wf/report/dot.hpp>
#include <wf/report/explain.hpp>
#include <wf/report/html.hpp>
#include <wf/report/joined_tracer.hpp>
#include <wf/report/labels.hpp>
#include <wf/report/pareto_svg.hpp>
#include <wf/report/perfetto.hpp>
#include <wf/report/stage_text.hpp>
#include <wf/report/svg.hpp>
#include <wf/report/toolchain.hpp>
#include <wf/report/toolchain_picture.hpp>
#include <wf/search/astar.hpp>
#include <wf/search/branch_and_bound.hpp>
#include <wf/search/control.hpp>
#include <wf/search/search_region.hpp>
#include <wf/select/optimise.hpp>
#include <wf/select/optimise_pareto.hpp>
#include <wf/select/pareto.hpp>
#include <wf/select/piecewise.hpp>
#include <wf/select/problem.hpp>
#include <wf/select/proof_text.hpp>
#include <wf/select/select.hpp>
#include <wf/select/static_plan.hpp>
#include <wf/simulate/network.hpp>
#include <wf/simulate/simulate.hpp>
#include <wf/simulate/trace.hpp>
