// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/receives.hpp>

namespace wf::detail {

/// The parts of a class's program that need nothing of each other. Nodes are of one part if one
/// reads what the other computes, or must run after it. Inputs join nobody, nor do nodes of no
/// class, of which each part has its own copy, unless an order joins them to nodes of the class:
/// a copy elsewhere would lose it.
class class_parts {
 public:
  /// No part.
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Of a wired program and the nodes that the program of the class has: `has` begins with an entry
  /// for each node. `order` is topological. Parts are numbered by the first of their nodes in this
  /// order. O(size of the graph · inverse Ackermann function).
  constexpr class_parts(const wired_program& w, view<node_id> order, const table<char>& has,
                        std::uint32_t of_class)
      : above_(w.homes.size()), parts_(w.homes.size(), none) {
    const graph_view g = w.workflow.view();
    table<char> joins(w.homes.size());
    for (std::uint32_t i = 0; i < w.homes.size(); ++i) {
      above_[i] = i;
      joins[i] = w.homes[i] == of_class ? 1 : 0;
    }
    for (const edge& e : g.edges) {
      const std::uint32_t from = index_of(e.from), to = index_of(e.to);
      if (has[from] == 0 || has[to] == 0) continue;
      joins[from] = joins[to] = 1;
      join(from, to);
    }
    for (const node_id id : order) {
      const std::uint32_t i = index_of(id);
      if (has[i] == 0) continue;
      for (const value_id operand : g.inputs_of(g.nodes[i])) {
        const node_id from = g[operand].producer;
        if (from == node_id::none || joins[index_of(from)] == 0) continue;
        joins[i] = 1;
        join(index_of(from), i);
      }
    }
    for (const node_id id : order)
      if (const std::uint32_t i = index_of(id); w.homes[i] == of_class)
        if (std::uint32_t& part = parts_[top(i)]; part == none) part = count_++;
    for (std::uint32_t i = 0; i < w.homes.size(); ++i)
      if (joins[i] != 0) parts_[i] = parts_[top(i)];
  }
  /// Number of parts.
  constexpr std::uint32_t count() const { return count_; }
  /// The part of a node; none of those that belong to no part alone.
  constexpr std::uint32_t of(node_id id) const { return parts_[index_of(id)]; }

 private:
  constexpr std::uint32_t top(std::uint32_t i) {
    while (above_[i] != i) i = above_[i] = above_[above_[i]];
    return i;
  }
  // The smaller number stays on top, and paths are halved.
  constexpr void join(std::uint32_t a, std::uint32_t b) {
    a = top(a), b = top(b);
    above_[a > b ? a : b] = a > b ? b : a;
  }

  table<std::uint32_t> above_;  // by node: another one of its part, or itself
  table<std::uint32_t> parts_;  // by node
  std::uint32_t count_ = 0;
};

/// The longest path of whole components with which two paths of components between points begin.
constexpr text_view common_path(text_view a, text_view b) {
  std::size_t i = 0, end = 0;
  for (; i < a.size() && i < b.size() && a[i] == b[i]; ++i)
    if (a[i] == '.') end = i;
  const bool a_ends = i == a.size() || a[i] == '.', b_ends = i == b.size() || b[i] == '.';
  if (a_ends && b_ends) end = i;
  return {a.data(), end};
}

}  // namespace wf::detail
