// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/edges.hpp>

namespace wf::detail {

/// What a machine must know of its program to run it by tagged data: for each node, what must be
/// there before it runs.
///
/// Besides the values of the program there are *events*: that a node has run, for nodes that must
/// run after it, and that the host has called.
class program_flow {
 public:
  constexpr program_flow() = default;
  /// Of a valid program, which must outlive it. On machines of the host's class, nodes with effects
  /// run once for each call.
  constexpr program_flow(const graph_view& g, const registry& kernels, bool is_host)
      : g_(g), meanings_(g.nodes.size()), needs_(g.nodes.size()) {
    readers_.resize(g.values.size() + g.nodes.size() + 1);
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
      const node& n = g.nodes[i];
      meanings_[i] = kernels.meaning_of(g.op_name(n));
      for (const value_id v : g.inputs_of(n)) need(i, index_of(v));
      if (meanings_[i] == meaning::receiving) {
        const std::int64_t edge = g.integer_attribute(n, edge_attribute, -1);
        if (edge >= 0) receivers_.push_back({static_cast<std::uint32_t>(edge), i});
      } else if (is_host && n.effects != effect::pure) {
        need(i, call());
      }
    }
    for (const edge& e : g.edges) need(index_of(e.to), ran(index_of(e.from)));
  }
  /// The program.
  constexpr const graph_view& program() const { return g_; }
  /// What a node's operator means.
  constexpr meaning meaning_of(std::uint32_t node) const { return meanings_[node]; }
  /// The event that a node has run.
  constexpr std::uint32_t ran(std::uint32_t node) const {
    return static_cast<std::uint32_t>(g_.values.size()) + node;
  }
  /// The event that the host has called.
  constexpr std::uint32_t call() const {
    return static_cast<std::uint32_t>(g_.values.size() + g_.nodes.size());
  }
  /// Number of values and events.
  constexpr std::size_t size() const { return readers_.size(); }
  /// The values and events that a node needs.
  constexpr const table<std::uint32_t>& needs(std::uint32_t node) const { return needs_[node]; }
  /// The nodes that need a value or an event.
  constexpr const table<std::uint32_t>& readers(std::uint32_t what) const { return readers_[what]; }
  /// The node that receives the messages of an edge; `none` if no node does. O(edges).
  constexpr std::uint32_t receiver(std::uint32_t edge) const {
    for (const receiving r : receivers_)
      if (r.edge == edge) return r.node;
    return none;
  }
  /// No node.
  static constexpr std::uint32_t none = UINT32_MAX;

 private:
  struct receiving {
    std::uint32_t edge = 0, node = 0;
  };

  constexpr void need(std::uint32_t node, std::uint32_t what) {
    for (const std::uint32_t known : needs_[node])
      if (known == what) return;
    needs_[node].push_back(what);
    readers_[what].push_back(node);
  }

  graph_view g_;
  table<meaning> meanings_;              // by node
  table<table<std::uint32_t>> needs_;    // by node
  table<table<std::uint32_t>> readers_;  // by value or event
  table<receiving> receivers_;
};

/// The input that has the machines to which a node sends, if only gates and statements of their
/// class are between them: those pass on all of them or none. Else none. O(nodes between them).
constexpr value_id sent_to_input(const program_flow& flow, node_id send) {
  const graph_view& g = flow.program();
  value_id list = g.inputs_of(g[send])[1];
  while (g[list].producer != node_id::none) {
    const node_id from = g[list].producer;
    const meaning m = flow.meaning_of(index_of(from));
    if (m != meaning::permission && m != meaning::membership) return value_id::none;
    list = g.inputs_of(g[from])[m == meaning::permission ? 1 : 0];
  }
  return list;
}

/// What machines may have without a call, in all executions, by program and by value or event: what
/// they know from their start, what they compute of it, and what others send of it. What one of
/// several machines of a class sends, or is sent to several, is in no call: `machines_of` has the
/// number of machines of a class, and `machines_in` that of an input, by name. `flows` are those of
/// the programs. O(size of the programs · longest chain of messages).
template <class MachinesOf, class MachinesIn>
constexpr table<table<char>> start_values(const partitioned_program& p,
                                          const table<program_flow>& flows,
                                          MachinesOf&& machines_of, MachinesIn&& machines_in) {
  table<table<char>> out;
  for (const program_flow& flow : flows) {
    const graph_view& g = flow.program();
    out.push_back(table<char>(flow.size()));
    for (std::uint32_t i = 0; i < g.values.size(); ++i)
      out.back()[i] = g.values[i].producer == node_id::none && g.values[i].type.type == dtype::peer;
  }
  const auto comes = [&](const wire_edge& e) {
    const graph_view& g = flows[e.from].program();
    if (out[e.from][flows[e.from].ran(index_of(e.send))] == 0) return false;
    if (machines_of(p.partitions[e.from].role.view()) > 1) return false;
    const value_id list = sent_to_input(flows[e.from], e.send);
    return list == value_id::none || machines_in(g.text_of(g[list].name)) <= 1;
  };
  for (bool changes = true; changes;) {
    changes = false;
    for (std::uint32_t k = 0; k < flows.size(); ++k) {
      const graph_view& g = flows[k].program();
      for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
        if (out[k][flows[k].ran(i)] != 0) continue;
        bool is_known = true;
        if (flows[k].meaning_of(i) == meaning::receiving) {
          const std::int64_t edge = g.integer_attribute(g.nodes[i], edge_attribute, -1);
          is_known = edge >= 0 && comes(p.edges[static_cast<std::size_t>(edge)]);
        }
        // What was sent to several machines in no call may be collected from them.
        if (flows[k].meaning_of(i) != meaning::collection)
          for (const std::uint32_t what : flows[k].needs(i))
            is_known = is_known && out[k][what] != 0;
        if (!is_known) continue;
        changes = true;
        out[k][flows[k].ran(i)] = 1;
        for (std::uint32_t r = 0; r < g.nodes[i].outputs.count; ++r)
          out[k][g.nodes[i].outputs.first + r] = 1;
      }
    }
  }
  return out;
}

}  // namespace wf::detail
