// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// Copies the nodes of a graph into another one under construction, in place of a call: `operands`
/// replace its inputs in order, `symbols` (from `match_inputs`) its symbols; names of nodes get the
/// prefix, and nodes without a class of peers get `peer`. Equal pure nodes merge with existing
/// ones. Returns the values of its outputs in order. Errors: those of `validate`, those of extents;
/// `shape_mismatch` if the numbers of operands and inputs differ, `malformed_graph` for an operand
/// that does not exist. O(size of the graph).
constexpr result<table<value_id>> splice(const graph_view& from, graph_builder& into,
                                         view<value_id> operands, const symbol_map& symbols,
                                         text_view prefix = {}, text_view peer = {}) {
  const auto valid = validated(from);
  if (!valid) return valid.error();
  std::size_t inputs = 0;
  for (const value& v : from.values) inputs += v.producer == node_id::none ? 1 : 0;
  if (inputs != operands.size())
    return make_error(
        errc::shape_mismatch, from.text_of(from.name),
        (text() << "takes " << inputs << " operands, not " << operands.size()).view());
  for (value_id operand : operands)
    if (index_of(operand) >= into.graph().number_of_values())
      return detail::malformed(from.text_of(from.name), "an operand does not exist");
  const auto order = detail::sorted_nodes(*valid);
  graph_copier copier(*valid, into, symbols, prefix);
  copier.set_peer(peer);
  copier.place_inputs(operands);
  for (node_id id : *order)
    if (error e = copier.copy(id); e.code != errc::none) return e;
  copier.copy_edges();
  return copier.outputs();
}

}  // namespace wf
