// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/sort.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/rewrite/canonical/laws.hpp>

namespace wf {

/// The fusion role of a kernel: elementwise if its laws say so, else the declared one.
constexpr fusion_role fusion_role_of(const kernel_spec& k) {
  return k.laws.elementwise ? fusion_role::elementwise : k.fusion;
}

/// A set of nodes that one kernel computes.
struct fusion_group {
  /// `contraction` or `reduction` if the group has such a node, else `elementwise`; `none` for a
  /// node without a role, which forms its own group.
  fusion_role kind = fusion_role::none;
  /// Its nodes in topological order: range of `fusion_plan::nodes`.
  range nodes;
  /// External values that it reads, each once: range of `fusion_plan::inputs`.
  range inputs;
  /// Its results that other groups or outputs read: range of `fusion_plan::outputs`.
  range outputs;
};

/// A partition of the nodes into groups; each group runs as one kernel.
struct fusion_plan {
  /// The index in `groups` of a node's group, by node.
  table<std::uint32_t> group_of;
  /// The groups, in an order of execution.
  table<fusion_group> groups;
  table<node_id> nodes;     ///< the pool of nodes, by group
  table<value_id> inputs;   ///< the pool of inputs, by group
  table<value_id> outputs;  ///< the pool of outputs, by group
  /// Memory traffic saved, in bytes, against a run in which each node reads each distinct operand
  /// once and writes its results. Values of symbolic shape are not counted.
  std::int64_t bytes_saved = 0;

  /// The nodes of a group, in topological order; valid as long as the plan.
  constexpr view<node_id> nodes_of(const fusion_group& g) const {
    return {nodes.data() + g.nodes.first, g.nodes.count};
  }
  /// The external values that a group reads; valid as long as the plan.
  constexpr view<value_id> inputs_of(const fusion_group& g) const {
    return {inputs.data() + g.inputs.first, g.inputs.count};
  }
  /// The values that a group writes for others; valid as long as the plan.
  constexpr view<value_id> outputs_of(const fusion_group& g) const {
    return {outputs.data() + g.outputs.first, g.outputs.count};
  }
};

/// A function that assigns fusion roles to kernels.
using fusion_role_function = fusion_role (*)(const kernel_spec&);

namespace detail {

/// Assigns nodes to groups in topological order, and merges groups.
///
/// Each group has a rank, and every edge between two groups leads to a higher rank, so groups are
/// convex. A node's own group, which has the highest rank, merges into the highest-ranked group
/// that the node reads; the merged group keeps the lower rank. Merging continues with the next
/// group if all other predecessors of the merged group rank below that one: every path into the
/// merged group then comes from below the next group too, and none leads through a third group.
/// Ranks only decrease, so a known bound on the ranks of a group's predecessors remains valid.
class fusion_grouper {
 public:
  constexpr fusion_grouper(const graph_view& g, fusion_role_function role_of, const registry& r)
      : graph_(g), group_(g.nodes.size(), none), incoming_(g) {
    for (const kernel_spec* k : kernels_of(g, r))
      roles_.push_back(k == nullptr ? fusion_role::none : role_of(*k));
  }

  constexpr result<fusion_plan> run() {
    if (auto order = topological_order(graph_); !order) return order.error();
    edges_ = adjacency_of(graph_);
    find_order();
    for (node_id id : order_) join(id);
    number();
    collect();
    return static_cast<fusion_plan&&>(plan_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  // A group under construction. Its index is its initial rank.
  struct draft {
    std::uint32_t parent = 0;  // itself, or a step towards the group it was merged into
    fusion_role kind = fusion_role::none;
    node_id first = node_id::none;  // a node that determines its peer and iteration domain
    std::uint32_t after = 0;        // exclusive upper bound of the ranks of its predecessors
  };
  // A predecessor group of a node.
  struct source {
    std::uint32_t group = 0;
    bool flows = true;  // one kernel can pass on all that the node reads of it, elementwise
  };

  constexpr std::uint32_t find(std::uint32_t group) {
    while (drafts_[group].parent != group) {
      drafts_[group].parent = drafts_[drafts_[group].parent].parent;
      group = drafts_[group].parent;
    }
    return group;
  }
  constexpr fusion_role role_of(node_id id) const {
    const node& n = graph_[id];
    if (n.effects != effect::pure || n.outputs.count != 1 || n.inputs.count == 0)
      return fusion_role::none;
    return roles_[n.op];
  }

  // Schedules nodes without a role as early as possible: the fewer of them lie between the others,
  // the more of the others can merge.
  constexpr void find_order() {
    binary_heap<std::uint32_t> alone, others;
    alone.reserve(graph_.nodes.size());
    others.reserve(graph_.nodes.size());
    table<std::uint32_t> waiting(graph_.nodes.size());
    const auto push = [&](std::uint32_t i) {
      (role_of(static_cast<node_id>(i)) == fusion_role::none ? alone : others).push(i);
    };
    for (std::uint32_t i = 0; i < waiting.size(); ++i) {
      waiting[i] = edges_.before[i].count;
      if (waiting[i] == 0) push(i);
    }
    order_.reserve(waiting.size());
    while (!alone.empty() || !others.empty()) {
      const auto id = static_cast<node_id>((alone.empty() ? others : alone).pop());
      order_.push_back(id);
      for (node_id next : edges_.successors_of(id))
        if (--waiting[index_of(next)] == 0) push(index_of(next));
    }
  }

  // True if one kernel can pass the result of `from` to `to` element by element.
  constexpr bool flows(node_id from, node_id to) const {
    const fusion_role a = role_of(from), b = role_of(to);
    return a != fusion_role::none && a != fusion_role::reduction && b != fusion_role::none &&
           b != fusion_role::contraction;
  }
  // The predecessor groups of a node, in descending rank.
  constexpr table<source> sources_of(node_id id) {
    table<source> list;
    for (node_id from : edges_.predecessors_of(id)) {
      bool read = false;
      for (value_id operand : graph_.inputs_of(graph_[id]))
        read = read || graph_[operand].producer == from;
      list.push_back({find(group_[index_of(from)]), read && flows(from, id)});
    }
    for (const edge& e : incoming_.of(id)) list.push_back({find(group_[index_of(e.from)]), false});
    stable_sort(list, [](const source& a, const source& b) { return a.group > b.group; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (kept != 0 && list[kept - 1].group == list[i].group)
        list[kept - 1].flows = list[kept - 1].flows && list[i].flows;
      else
        list[kept++] = list[i];
    }
    list.resize(kept);
    return list;
  }

  // Creates the group of a node and merges it.
  constexpr void join(node_id id) {
    const table<source> sources = sources_of(id);
    auto own = static_cast<std::uint32_t>(drafts_.size());
    drafts_.push_back({own, role_of(id), id, 0});
    group_[index_of(id)] = own;
    std::size_t next = 0;
    for (; next < sources.size(); ++next) {
      const std::uint32_t target = sources[next].group;
      draft &a = drafts_[target], &b = drafts_[own];
      if (!sources[next].flows || b.after > target || !is_one_kernel(a, b)) break;
      b.parent = target;
      if (b.kind > a.kind) a.kind = b.kind;
      if (b.after > a.after) a.after = b.after;
      own = target;
    }
    draft& d = drafts_[own];
    if (next < sources.size() && sources[next].group >= d.after) d.after = sources[next].group + 1;
  }
  constexpr bool is_one_kernel(const draft& a, const draft& b) const {
    if (a.kind == fusion_role::none || b.kind == fusion_role::none) return false;
    if (a.kind != fusion_role::elementwise && b.kind != fusion_role::elementwise) return false;
    return graph_.text_of(graph_[a.first].peer) == graph_.text_of(graph_[b.first].peer) &&
           domain_of(a.first) == domain_of(b.first);
  }
  // The iteration domain of a node's kernel.
  constexpr const shape& domain_of(node_id id) const {
    const node& n = graph_[id];
    const bool reduces = role_of(id) == fusion_role::reduction;
    return reduces ? graph_[graph_.inputs_of(n)[0]].type.shape
                   : graph_.values[n.outputs.first].type.shape;
  }

  // --- the plan ---------------------------------------------------------------------------------

  constexpr void number() {
    table<std::uint32_t> number_of(drafts_.size(), none);
    for (std::uint32_t i = 0; i < drafts_.size(); ++i) {
      if (find(i) != i) continue;
      number_of[i] = static_cast<std::uint32_t>(plan_.groups.size());
      plan_.groups.push_back({drafts_[i].kind, {}, {}, {}});
    }
    plan_.group_of.resize(group_.size());
    for (std::size_t i = 0; i < group_.size(); ++i) plan_.group_of[i] = number_of[find(group_[i])];
    for (std::uint32_t g : plan_.group_of) ++plan_.groups[g].nodes.count;
    std::uint32_t first = 0;
    for (fusion_group& g : plan_.groups) {
      g.nodes.first = first;
      first += g.nodes.count;
      g.nodes.count = 0;
    }
    plan_.nodes.resize(first);
    for (node_id id : order_) {
      fusion_group& g = plan_.groups[plan_.group_of[index_of(id)]];
      plan_.nodes[g.nodes.first + g.nodes.count++] = id;
    }
  }

  constexpr void collect() {
    table<char> leaves(graph_.values.size());  // by value: it leaves its group
    for (const output& o : graph_.outputs) leaves[index_of(o.source)] = 1;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      for (value_id operand : graph_.inputs_of(graph_.nodes[i]))
        if (group_of(operand) != plan_.group_of[i]) leaves[index_of(operand)] = 1;
    table<std::uint32_t> read_by(graph_.values.size(), none);  // by value: the last group that
                                                               // reads it
    int128 saved = 0;
    for (std::uint32_t at = 0; at < plan_.groups.size(); ++at) {
      fusion_group& g = plan_.groups[at];
      g.inputs.first = static_cast<std::uint32_t>(plan_.inputs.size());
      g.outputs.first = static_cast<std::uint32_t>(plan_.outputs.size());
      for (node_id id : plan_.nodes_of(g)) {
        for (value_id operand : graph_.inputs_of(graph_[id])) {
          if (group_of(operand) == at || read_by[index_of(operand)] == at) continue;
          read_by[index_of(operand)] = at;
          plan_.inputs.push_back(operand);
          ++g.inputs.count;
        }
        for (std::uint32_t k = 0; k < graph_[id].outputs.count; ++k) {
          const value_id result = graph_view::output_of(graph_[id], k);
          if (leaves[index_of(result)] == 0) continue;
          plan_.outputs.push_back(result);
          ++g.outputs.count;
        }
      }
      if (g.nodes.count > 1) saved += saved_by(g);
    }
    plan_.bytes_saved = saved > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(saved);
  }
  constexpr std::uint32_t group_of(value_id id) const {
    const node_id from = graph_[id].producer;
    return from == node_id::none ? none : plan_.group_of[index_of(from)];
  }
  constexpr int128 saved_by(const fusion_group& g) const {
    int128 saved = 0;
    for (node_id id : plan_.nodes_of(g)) {
      const view<value_id> operands = graph_.inputs_of(graph_[id]);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        bool again = false;
        for (std::size_t j = 0; j < i; ++j) again = again || operands[j] == operands[i];
        if (!again) saved += bytes_of(operands[i]);
      }
      saved += bytes_of(graph_view::output_of(graph_[id]));
    }
    for (value_id id : plan_.inputs_of(g)) saved -= bytes_of(id);
    for (value_id id : plan_.outputs_of(g)) saved -= bytes_of(id);
    return saved;
  }
  constexpr std::int64_t bytes_of(value_id id) const {
    const value_type& t = graph_[id].type;
    const std::int64_t elements = t.shape.elements();
    std::int64_t bytes = 0;
    return elements > 0 && checked_multiply(elements, size_of(t.type), bytes) ? bytes : 0;
  }

  graph_view graph_;
  table<fusion_role> roles_;    // by operator
  table<std::uint32_t> group_;  // by node: index of a draft
  adjacency edges_;
  incoming_edges incoming_;
  table<draft> drafts_;
  table<node_id> order_;
  fusion_plan plan_;
};

}  // namespace detail

/// Groups the nodes of a workflow into fused kernels, so that intermediate results do not pass
/// through memory. Every node is in one group. The nodes of a group are pure, of one class of
/// peers, and share one iteration domain: elementwise operators in chains, trees and diamonds, and
/// at most one reduction, as the last consumer, or tensor product or convolution, as the first
/// producer. A group is convex: no path over data, control and mutate edges leaves it and returns,
/// so groups run one after another in the order of the plan. No control or mutate edge lies within
/// a group.
///
/// Grouping is greedy, in one sweep over the graph: a node joins the groups that it reads, the
/// latest one first, as long as no other group may lie between. The minimum number of groups is
/// NP-hard to find (A. Darte, On the complexity of loop fusion, 1999). Errors: those of `validate`.
/// O(n log n) in the size of the graph.
constexpr result<fusion_plan> group_fusion(const graph_view& workflow,
                                           const registry& kernels = builtin_registry(),
                                           fusion_role_function role_of = &fusion_role_of) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::fusion_grouper(g, role_of, kernels).run();
}

}  // namespace wf
