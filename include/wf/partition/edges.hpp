// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/cut.hpp>
#include <wf/registry/registry.hpp>

namespace wf {

namespace detail {

// Finds what fires the nodes of a program, and who reads what it receives.
class edge_analysis {
 public:
  constexpr edge_analysis(const graph_view& g, const registry& kernels)
      : g_(g), kernels_(kernels) {}

  // By value, what makes it be computed: the host (0), a message (its node + 1), several events
  // (`several`), or nothing (`none`): a value that the machine has.
  static constexpr std::uint32_t none = UINT32_MAX, several = none - 1;
  constexpr table<std::uint32_t> find_scopes(view<node_id> order) const {
    table<std::uint32_t> scopes(g_.values.size(), none);
    for (std::uint32_t i = 0; i < g_.values.size(); ++i)
      if (g_.values[i].producer == node_id::none && g_.values[i].type.type != dtype::peer)
        scopes[i] = 0;
    for (const node_id id : order) {
      const node& n = g_[id];
      std::uint32_t scope = n.inputs.count == 0 && n.effects != effect::pure ? 0 : none;
      if (meaning_of(n) == meaning::receiving) scope = index_of(id) + 1;
      for (const value_id operand : g_.inputs_of(n)) {
        const std::uint32_t s = scopes[index_of(operand)];
        if (s != none) scope = scope == none || scope == s ? s : several;
      }
      for (std::uint32_t k = 0; k < n.outputs.count; ++k) scopes[n.outputs.first + k] = scope;
    }
    return scopes;
  }
  // True if somebody reads elements of what a node receives.
  constexpr bool reads_elements(node_id receive) const {
    const value_id data = graph_view::output_of(g_[receive]);
    if (g_[data].type.type == dtype::trigger) return false;
    for (const output& o : g_.outputs)
      if (o.source == data) return true;
    for (const node& n : g_.nodes)
      for (const value_id operand : g_.inputs_of(n))
        if (operand == data && meaning_of(n) != meaning::arrival) return true;
    return false;
  }

 private:
  constexpr meaning meaning_of(const node& n) const { return kernels_.meaning_of(g_.op_name(n)); }

  const graph_view& g_;
  const registry& kernels_;
};

}  // namespace detail

/// Finds what each message carries, and which messages go together. A message whose value is a
/// trigger, or of which all readers only tell that it is there (`meaning::arrival`), carries
/// nothing. Messages between the same programs whose sent values are computed because of one and
/// the same event, the call of the host or a message that arrives, have one batch; one that depends
/// on several events has its own. Numbers of batches count from 0 in the order of the edges.
///
/// Errors: none of a program that `cut` made. O(edges · (edges + size of the receiver's program)).
constexpr result<partitioned_program> analyse_edges(partitioned_program p,
                                                    const registry& kernels) {
  struct batch {
    std::uint32_t from = 0, to = 0, scope = 0;
  };
  table<table<std::uint32_t>> scopes(p.partitions.size());
  for (std::size_t i = 0; i < p.partitions.size(); ++i) {
    const graph_view g = p.partitions[i].workflow.view();
    const auto order = topological_order(g);
    if (!order) return order.error();
    scopes[i] = detail::edge_analysis(g, kernels).find_scopes(*order);
  }
  table<batch> batches;
  for (wire_edge& e : p.edges) {
    const graph_view from = p.partitions[e.from].workflow.view(),
                     to = p.partitions[e.to].workflow.view();
    e.transport = detail::edge_analysis(to, kernels).reads_elements(e.receive)
                      ? wire_transport::data
                      : wire_transport::trigger;
    const std::uint32_t scope = scopes[e.from][index_of(from.inputs_of(from[e.send])[0])];
    e.batch = 0;
    while (e.batch < batches.size() &&
           (scope == detail::edge_analysis::several || batches[e.batch].from != e.from ||
            batches[e.batch].to != e.to || batches[e.batch].scope != scope))
      ++e.batch;
    if (e.batch == batches.size()) batches.push_back({e.from, e.to, scope});
  }
  return p;
}

}  // namespace wf
