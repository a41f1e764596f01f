// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/meanings.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

/// The attribute of a message with the time that it has, in nanoseconds: see `derive_deadlines`.
inline constexpr text_view deadline_attribute = "deadline_budget";

/// How many messages follow each other from each node on, by node; 0 for a node that sends nothing.
/// A message counts one more than the longest chain of messages that depend on the value that it
/// carries: in a request with a reply, 2 and 1. Errors: those of `validate`. O(size of the graph).
constexpr result<table<std::uint32_t>> chain_depths(const graph_view& workflow,
                                                    const registry& kernels) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  const auto order = topological_order(g);
  if (!order) return order.error();
  table<std::uint32_t> after(g.values.size());  // by value: the longest chain that depends on it
  table<std::uint32_t> depths(g.nodes.size());
  const table<meaning> meanings = detail::meanings_of(g, kernels);
  for (std::size_t i = order->size(); i-- > 0;) {
    const node& n = g[(*order)[i]];
    std::uint32_t most = 0;
    for (std::uint32_t r = 0; r < n.outputs.count; ++r)
      if (after[n.outputs.first + r] > most) most = after[n.outputs.first + r];
    if (meanings[n.op] == meaning::sending) depths[index_of((*order)[i])] = ++most;
    for (const value_id operand : g.inputs_of(n))
      if (after[index_of(operand)] < most) after[index_of(operand)] = most;
  }
  return depths;
}

/// Gives each message the time that it has, as an attribute: the length of its chain times the time
/// for a message and what it causes, in nanoseconds, at most INT64_MAX. A message that states its
/// time keeps it. Errors: those of `validate`, and `bad_attribute` for a time per message that is
/// not positive. O(size of the graph).
constexpr result<graph> derive_deadlines(const graph_view& workflow, const registry& kernels,
                                         std::int64_t per_hop) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  if (per_hop <= 0)
    return make_error(errc::bad_attribute, g.text_of(g.name),
                      "the time for a message is to be positive");
  const auto depths = chain_depths(g, kernels);
  if (!depths) return depths.error();
  const auto order = topological_order(g);
  if (!order) return order.error();
  return detail::copy_nodes(g, *order, [&](node_id id, graph_copier& copier, graph_builder&) {
    const std::uint32_t depth = (*depths)[index_of(id)];
    table<attribute_value> attributes = attribute_values(g, g[id]);
    if (depth != 0 && g.find_attribute(g[id], deadline_attribute) == nullptr)
      attributes.push_back(attribute_value::integer(
          deadline_attribute, per_hop > INT64_MAX / depth ? INT64_MAX : per_hop * depth));
    return copier.copy(id, attributes);
  });
}

}  // namespace wf
