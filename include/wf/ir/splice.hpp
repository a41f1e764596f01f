// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/copy.hpp>

namespace wf {

/// Copies the nodes of a graph into another that is being built, in place of a call: `operands`
/// stand for its inputs in order, `symbols` (of `match_inputs`) for its symbols; names of nodes get
/// the prefix. Equal pure nodes merge with those that are there. Returns the values of its outputs
/// in order. Errors: `cyclic_graph`, those of extents. O(size of the graph).
constexpr result<table<value_id>> splice(const graph_view& from, graph_builder& into,
                                         view<value_id> operands, const symbol_map& symbols,
                                         text_view prefix = {}) {
  const auto order = topological_order(from);
  if (!order) return order.error();
  graph_copier copier(from, into, symbols, prefix);
  copier.place_inputs(operands);
  for (node_id id : *order)
    if (error e = copier.copy(id); e.code != errc::none) return e;
  copier.copy_edges();
  return copier.outputs();
}

}  // namespace wf
