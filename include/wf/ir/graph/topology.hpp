// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/heap.hpp>
#include <wf/ir/graph/references.hpp>

namespace wf {

namespace detail {

/// True if every dependence runs from a lower to a higher node id, as in a captured graph.
constexpr bool is_ascending(const graph_view& g) {
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    for (value_id operand : g.inputs_of(g.nodes[i])) {
      const node_id from = g[operand].producer;
      if (from != node_id::none && index_of(from) >= i) return false;
    }
  }
  for (const edge& e : g.edges)
    if (index_of(e.from) >= index_of(e.to)) return false;
  return true;
}

/// Lays out runs of known counts one after the other and resets the counts for the filling.
constexpr void place_runs(table<range>& runs) {
  std::uint32_t first = 0;
  for (range& r : runs) {
    r.first = first;
    first += r.count;
    r.count = 0;
  }
}

/// The control and mutate edges of a graph, grouped by their target node.
class incoming_edges {
 public:
  /// Requires ids in range. O(nodes + edges); O(1) without edges.
  constexpr explicit incoming_edges(const graph_view& g) {
    if (g.edges.empty()) return;
    into_.resize(g.nodes.size());
    for (const edge& e : g.edges) ++into_[index_of(e.to)].count;
    place_runs(into_);
    edges_.resize(g.edges.size());
    for (const edge& e : g.edges) {
      range& r = into_[index_of(e.to)];
      edges_[r.first + r.count++] = e;
    }
  }
  /// The edges into a node, in the order of the graph.
  constexpr view<edge> of(node_id id) const {
    if (into_.empty()) return {};
    const range r = into_[index_of(id)];
    return {edges_.data() + r.first, r.count};
  }

 private:
  table<range> into_;  // by node; empty without edges
  table<edge> edges_;
};

}  // namespace detail

/// The direct predecessors and successors of every node over data, control and mutate edges, each
/// list ascending and without repetition, in two flat tables.
struct adjacency {
  /// For node i: its run in `predecessors`.
  table<range> before;
  /// For node i: its run in `successors`.
  table<range> after;
  /// The predecessors of all nodes.
  table<node_id> predecessors;
  /// The successors of all nodes.
  table<node_id> successors;

  /// The nodes that must run before `id`, ascending.
  constexpr view<node_id> predecessors_of(node_id id) const {
    const range r = before[index_of(id)];
    return {predecessors.data() + r.first, r.count};
  }
  /// The nodes that must run after `id`, ascending.
  constexpr view<node_id> successors_of(node_id id) const {
    const range r = after[index_of(id)];
    return {successors.data() + r.first, r.count};
  }
};

namespace detail {

constexpr adjacency neighbours(const graph_view& g) {
  const std::size_t n = g.nodes.size();
  adjacency a;
  a.before.resize(n);
  a.after.resize(n);
  const incoming_edges edges(g);
  for (std::size_t i = 0; i < n; ++i) {
    const auto start = static_cast<std::uint32_t>(a.predecessors.size());
    const auto insert = [&](node_id from) {
      std::size_t at = a.predecessors.size();
      while (at > start && a.predecessors[at - 1] > from) --at;
      if (at > start && a.predecessors[at - 1] == from) return;
      a.predecessors.push_back(from);
      for (std::size_t k = a.predecessors.size() - 1; k > at; --k)
        a.predecessors[k] = a.predecessors[k - 1];
      a.predecessors[at] = from;
    };
    for (value_id operand : g.inputs_of(g.nodes[i]))
      if (g[operand].producer != node_id::none) insert(g[operand].producer);
    for (const edge& e : edges.of(static_cast<node_id>(i))) insert(e.from);
    a.before[i] = {start, static_cast<std::uint32_t>(a.predecessors.size()) - start};
  }
  for (node_id from : a.predecessors) ++a.after[index_of(from)].count;
  place_runs(a.after);
  a.successors.resize(a.predecessors.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (node_id from : a.predecessors_of(static_cast<node_id>(i))) {
      range& r = a.after[index_of(from)];
      a.successors[r.first + r.count++] = static_cast<node_id>(i);
    }
  }
  return a;
}

constexpr result<table<node_id>> sorted_nodes(const graph_view& g) {
  table<node_id> order;
  order.reserve(g.nodes.size());
  if (is_ascending(g)) {
    for (std::uint32_t i = 0; i < g.nodes.size(); ++i) order.push_back(static_cast<node_id>(i));
    return order;
  }
  const adjacency a = neighbours(g);
  table<std::uint32_t> waiting(g.nodes.size());
  binary_heap<std::uint32_t> ready;
  ready.reserve(g.nodes.size());
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i) {
    waiting[i] = a.before[i].count;
    if (waiting[i] == 0) ready.push(i);
  }
  while (!ready.empty()) {
    const auto id = static_cast<node_id>(ready.pop());
    order.push_back(id);
    for (node_id next : a.successors_of(id))
      if (--waiting[index_of(next)] == 0) ready.push(index_of(next));
  }
  if (order.size() == g.nodes.size()) return order;
  // Walk back through unfinished predecessors until a node repeats: that one lies on a cycle.
  std::uint32_t at = 0;
  while (waiting[at] == 0) ++at;
  table<char> seen(g.nodes.size());
  while (seen[at] == 0) {
    seen[at] = 1;
    for (node_id from : a.predecessors_of(static_cast<node_id>(at))) {
      if (waiting[index_of(from)] == 0) continue;
      at = index_of(from);
      break;
    }
  }
  return make_error(errc::cyclic_graph, g.label(static_cast<node_id>(at)).view(),
                    "the node depends on itself through a cycle");
}

// Errors: `malformed_graph` if an order of the nodes of a valid graph is not topological. O(nodes +
// operands + edges).
constexpr error check_order(const graph_view& g, view<node_id> order) {
  const auto wrong = [&] {
    return malformed(g.text_of(g.name), "the order of its nodes is no topological one");
  };
  if (order.size() != g.nodes.size()) return wrong();
  table<std::uint32_t> place(g.nodes.size());  // counted from 1; 0: absent
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    if (index_of(order[i]) >= place.size() || place[index_of(order[i])] != 0) return wrong();
    place[index_of(order[i])] = i + 1;
  }
  for (std::uint32_t i = 0; i < g.nodes.size(); ++i)
    for (value_id operand : g.inputs_of(g.nodes[i]))
      if (g[operand].producer != node_id::none && place[index_of(g[operand].producer)] >= place[i])
        return wrong();
  for (const edge& e : g.edges)
    if (place[index_of(e.from)] >= place[index_of(e.to)]) return wrong();
  return {};
}

}  // namespace detail

/// The adjacency of a graph; without edges if `validate_references` refuses it. O(size of the graph
/// + operands · operands per node).
constexpr adjacency adjacency_of(const graph_view& g) {
  if (validate_references(g)) return detail::neighbours(g);
  adjacency none;
  none.before.resize(g.nodes.size());
  none.after.resize(g.nodes.size());
  return none;
}

/// The stable topological order: among the nodes that may come next, the one with the smallest id.
/// For a captured graph that is the order of capture. Errors: those of `validate_references`;
/// `cyclic_graph`, naming a node on a cycle. O((nodes + edges) log nodes); O(nodes + operands) when
/// ids ascend already.
constexpr result<table<node_id>> topological_order(const graph_view& g) {
  if (auto fine = validate_references(g); !fine) return fine.error();
  return detail::sorted_nodes(g);
}

}  // namespace wf
