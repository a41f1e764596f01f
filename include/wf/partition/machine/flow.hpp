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

}  // namespace wf::detail
