// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/run/plan/executable.hpp>

namespace wf {

/// The workflow of a node alone: its distinct operands, in their order, are the inputs "x0", "x1",
/// ..., and its results the outputs "y0", "y1", .... Errors: those of `graph_copier::copy`.
/// O(operands + results).
constexpr result<graph> node_alone(const graph_view& g, node_id id) {
  graph_builder alone(g.label(id).view());
  const symbol_map symbols;
  graph_copier copier(g, alone, symbols);
  std::uint32_t count = 0;
  for (const value_id operand : g.inputs_of(g[id])) {
    if (copier.place(operand) != value_id::none) continue;
    copier.place(operand) =
        alone.graph().add_input((text() << "x" << count++).view(), g[operand].type);
  }
  if (error e = copier.copy(id); e.code != errc::none) return e;
  for (std::uint32_t k = 0; k < g[id].outputs.count; ++k)
    alone.graph().add_output((text() << "y" << k).view(),
                             copier.place(graph_view::output_of(g[id], k)));
  return alone.take();
}

/// A node alone, prepared for repeated runs: `node_alone` in the executor. Errors: those of
/// `node_alone` and of `executable_graph::prepare`.
inline result<executable_graph> prepare_node(const graph_view& g, node_id id,
                                             const execution_options& options = {}) {
  const auto alone = node_alone(g, id);
  if (!alone) return alone.error();
  return executable_graph::prepare(alone->view(), options);
}

}  // namespace wf
