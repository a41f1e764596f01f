// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

namespace detail {

/// Liveness of each node, by node number: nonzero if it is live. `order` is a topological order.
constexpr table<char> live_nodes(const graph_view& g, view<node_id> order) {
  constexpr char needed = 1, before_effect = 2;
  table<char> live(g.nodes.size());
  for (const output& o : g.outputs)
    if (g[o.source].producer != node_id::none) live[index_of(g[o.source].producer)] = needed;
  const incoming_edges edges(g);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t at = index_of(order[i]);
    if (g.nodes[at].effects != effect::pure) live[at] = before_effect;
    if (live[at] == 0) continue;
    for (value_id operand : g.inputs_of(g.nodes[at])) {
      const node_id from = g[operand].producer;
      if (from != node_id::none && live[index_of(from)] != before_effect)
        live[index_of(from)] = live[at];
    }
    if (live[at] != before_effect) continue;
    for (const edge& e : edges.of(order[i])) live[index_of(e.from)] = before_effect;
  }
  return live;
}

}  // namespace detail

/// Dead code elimination. A node is dead if it is pure, no output and no node with an effect
/// depends on its results, and no node with an effect must follow it over data, control and mutate
/// edges. Inputs stay. Edges of dead nodes are removed, together with any order of pure nodes that
/// only they implied: an overwriting node has its own edge from each reader of the storage. Errors:
/// those of `validate`. O(size of the graph).
constexpr result<graph> drop_dead(const graph_view& workflow) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto order = topological_order(g);
  if (!order) return order.error();
  const table<char> live = detail::live_nodes(g, *order);
  table<node_id> kept;
  kept.reserve(order->size());
  for (node_id id : *order)
    if (live[index_of(id)] != 0) kept.push_back(id);
  return detail::copy_nodes(g, kept);
}

}  // namespace wf
