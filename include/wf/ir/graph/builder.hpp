// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/container/hash_index.hpp>
#include <wf/ir/compare/same.hpp>
#include <wf/ir/graph/graph.hpp>

namespace wf {

/// Builds a graph and merges common subexpressions: a pure node with the operator, attributes,
/// declared costs, operands and result types of an existing node is not added again. Nodes are
/// hashed, so capture stays linear.
class graph_builder {
 public:
  constexpr graph_builder() = default;
  /// Starts an empty graph with a name.
  constexpr explicit graph_builder(text_view name) : graph_(name) {}
  /// Continues an existing graph. Its own nodes are not merged with each other; if
  /// `validate_references` refuses it, later nodes do not merge with them either.
  constexpr explicit graph_builder(wf::graph g) : graph_(static_cast<wf::graph&&>(g)) {
    const bool fine{validate_references(graph_.view())};
    for (std::uint32_t i = 0; i < graph_.view().nodes.size(); ++i)
      remember(fine ? hash_of(static_cast<node_id>(i)) : 0, i);
  }

  /// The graph built so far.
  constexpr const wf::graph& graph() const { return graph_; }
  /// The graph built so far, for adding inputs, outputs, edges and names.
  constexpr wf::graph& graph() { return graph_; }
  /// Moves the finished graph out.
  constexpr wf::graph take() { return static_cast<wf::graph&&>(graph_); }

  /// Returns an equal pure node if there is one, else adds a node. O(operands + attributes)
  /// expected.
  constexpr node_id add_node(const node_description& what, view<value_id> operands,
                             view<value_type> results) {
    const std::uint64_t hash = hash_of(what, operands);
    if (what.effects == effect::pure) {
      const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) {
        return hashes_[i] == hash &&
               equal(graph_[static_cast<node_id>(i)], what, operands, results);
      });
      if (known != hash_index::none) return static_cast<node_id>(known);
    }
    const node_id id = graph_.add_node(what, operands, results);
    remember(hash, index_of(id));
    return id;
  }
  /// The pure node with this operator and peer, these operands and neither attributes nor declared
  /// costs; none if there is no such node. O(operands) expected.
  constexpr node_id find_node(text_view op, view<value_id> operands, text_view peer = {}) const {
    node_description what;
    what.op = op;
    const std::uint64_t hash = hash_of(what, operands);
    const graph_view g = graph_.view();
    const std::uint32_t known = index_.find(hash, [&](std::uint32_t i) {
      const node& n = g.nodes[i];
      if (hashes_[i] != hash || n.effects != effect::pure || n.attributes.count != 0 ||
          n.costs.count != 0 || n.inputs.count != operands.size() || g.op_name(n) != op ||
          g.text_of(n.peer) != peer)
        return false;
      bool same = true;
      for (std::size_t k = 0; k < operands.size(); ++k)
        same = same && g.inputs_of(n)[k] == operands[k];
      return same;
    });
    return known == hash_index::none ? node_id::none : static_cast<node_id>(known);
  }
  /// Adds a node without merging; later nodes do not merge with it either.
  constexpr node_id append_node(const node_description& what, view<value_id> operands,
                                view<value_type> results) {
    hashes_.push_back(0);
    return graph_.add_node(what, operands, results);
  }
  /// Rehashes a pure node after its operands were replaced. If another node equals it now, the
  /// later of the two is no longer found. Returns the other one, or `id` if there is none.
  /// O(operands + attributes) expected.
  constexpr node_id find_again(node_id id) {
    const std::uint64_t hash = hash_of(id);
    const std::uint32_t self = index_of(id);
    const std::uint32_t other = index_.find(hash, [&](std::uint32_t i) {
      return i != self && hashes_[i] == hash && equal(static_cast<node_id>(i), id);
    });
    if (other == hash_index::none) {
      if (hashes_[self] != hash) readdress(hash, self);
      return id;
    }
    hashes_[other < self ? self : other] = 0;
    if (self < other) readdress(hash, self);
    return static_cast<node_id>(other);
  }

 private:
  // Operator, attributes and operands; names, places and result types are left out, since they
  // mostly follow.
  static constexpr std::uint64_t hash_of(const node_description& what, view<value_id> operands) {
    hasher h;
    h.word(what.hash != 0 ? what.hash : hash_text(what.op));
    for (value_id operand : operands) h.word(index_of(operand));
    for (const attribute_value& a : what.attributes)
      h.word(bits_of(a.number, a.real)).word(a.characters.size());
    return h.value();
  }
  static constexpr std::uint64_t bits_of(std::int64_t number, double real) {
    return static_cast<std::uint64_t>(number) ^ std::bit_cast<std::uint64_t>(real);
  }
  constexpr std::uint64_t hash_of(node_id id) const {
    const graph_view g = graph_.view();
    const node& n = g[id];
    hasher h;
    h.word(g.operations[n.op].hash);
    for (value_id operand : g.inputs_of(n)) h.word(index_of(operand));
    for (const attribute& a : g.attributes_of(n))
      h.word(bits_of(a.number, a.real)).word(a.characters.count);
    return h.value();
  }
  constexpr bool equal(const node& n, const node_description& what, view<value_id> operands,
                       view<value_type> results) const {
    const graph_view g = graph_.view();
    if (n.effects != effect::pure || n.inputs.count != operands.size() ||
        n.outputs.count != results.size() || n.attributes.count != what.attributes.size() ||
        n.costs.count != what.costs.size())
      return false;
    if (g.op_name(n) != what.op || g.text_of(n.peer) != what.peer) return false;
    const view<value_id> own = g.inputs_of(n);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i] != operands[i]) return false;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {  // only the result type tells constants
                                                           // apart
      const value_type& t = g.values[n.outputs.first + k].type;
      if (t.type != results[k].type || !(t.shape == results[k].shape)) return false;
    }
    const view<attribute> attributes = g.attributes_of(n);
    for (std::size_t i = 0; i < attributes.size(); ++i)
      if (!(value_of(g, attributes[i]) == what.attributes[i])) return false;
    for (std::size_t i = 0; i < what.costs.size(); ++i) {
      const declared_cost& c = g.costs_of(n)[i];
      if (g.text_of(c.metric) != what.costs[i].metric ||
          g.text_of(c.formula) != what.costs[i].formula)
        return false;
    }
    return true;
  }
  constexpr bool equal(node_id a, node_id b) const {
    const graph_view g = graph_.view();
    if (!detail::same_computation(g, g[a], g[b])) return false;
    const view<value_id> of_a = g.inputs_of(g[a]), of_b = g.inputs_of(g[b]);
    for (std::size_t k = 0; k < of_a.size(); ++k)
      if (of_a[k] != of_b[k]) return false;
    return true;
  }
  constexpr void remember(std::uint64_t hash, std::uint32_t index) {
    hashes_.push_back(hash);
    if (hash != 0) index_.insert(hash, index);
  }
  // The entry of the former hash stays in the index; a search skips it, since the hash of the node
  // differs.
  constexpr void readdress(std::uint64_t hash, std::uint32_t index) {
    hashes_[index] = hash;
    if (hash != 0) index_.insert(hash, index);
  }

  wf::graph graph_;
  table<std::uint64_t> hashes_;  // by node; 0: never merged
  hash_index index_;             // of nodes
};

}  // namespace wf
