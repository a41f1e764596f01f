// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/hash_index.hpp>
#include <wf/ir/graph/copy.hpp>
#include <wf/ir/graph/validate.hpp>
#include <wf/rewrite/canonical/laws.hpp>

namespace wf {

namespace detail {

/// Value numbering: finds equal nodes by hashing in topological order and copies one of each.
class common_merger {
 public:
  constexpr common_merger(const graph_view& g, algebra allowed, const registry& r)
      : graph_(g),
        into_(g.text_of(g.name)),
        copier_(graph_, into_, symbols_, {}, duplicates::keep),
        commutes_(g.nodes.size()),
        edges_(g),
        marks_(2 * g.nodes.size()) {
    const table<const kernel_spec*> kernels = kernels_of(g, r);
    for (std::size_t i = 0; i < g.nodes.size(); ++i) {
      const node& n = g.nodes[i];
      if (n.inputs.count == 2 && laws_of(g, n, kernels[n.op], allowed).commutative)
        commutes_[i] = 1;
    }
    index_.reserve(g.nodes.size());
    if (g.edges.empty()) return;
    is_overwritten_.resize(g.nodes.size());
    for (const edge& e : g.edges)
      if (e.kind == edge_kind::mutate) is_overwritten_[index_of(e.from)] = 1;
  }

  constexpr result<graph> run() {
    const auto order = topological_order(graph_);
    if (!order) return order.error();
    if (error e = copier_.copy_inputs(); e.code != errc::none) return e;
    for (node_id id : *order)
      if (error e = visit(id); e.code != errc::none) return e;
    copy_edges();
    copier_.copy_outputs();
    return made_valid(into_.take());
  }

 private:
  constexpr error visit(node_id id) {
    const node& n = graph_[id];
    if (n.effects != effect::pure ||
        (!is_overwritten_.empty() && is_overwritten_[index_of(id)] != 0))
      return copier_.copy(id);
    const std::uint64_t hash = hash_of(id);
    const std::uint32_t known = index_.find(
        hash, [&](std::uint32_t other) { return equal(static_cast<node_id>(other), id); });
    if (known != hash_index::none) {
      merge(static_cast<node_id>(known), id);
      return {};
    }
    index_.insert(hash, index_of(id));
    return copier_.copy(id);
  }

  // Covers only data that is independent of order and likely to distinguish nodes.
  constexpr std::uint64_t hash_of(node_id id) {
    const node& n = graph_[id];
    hasher h;
    h.word(graph_.operations[n.op].hash)
        .word(n.inputs.count | std::uint64_t{n.outputs.count} << 32);
    const view<value_id> operands = graph_.inputs_of(n);
    if (commutes_[index_of(id)] != 0) {
      const std::uint32_t a = place(operands[0]), b = place(operands[1]);
      h.word(a < b ? a : b).word(a < b ? b : a);
    } else {
      for (value_id operand : operands) h.word(place(operand));
    }
    std::uint64_t set = 0;
    for (const attribute& a : graph_.attributes_of(n))
      set += hasher{}
                 .word(static_cast<std::uint64_t>(a.kind) << 32 | a.name.count)
                 .word(static_cast<std::uint64_t>(a.number) ^ std::bit_cast<std::uint64_t>(a.real))
                 .word(a.characters.count)
                 .value();
    return h.word(set).value();
  }
  constexpr std::uint32_t place(value_id id) { return index_of(copier_.place(id)); }

  constexpr bool equal(node_id x, node_id y) {
    return same_computation(graph_, graph_[x], graph_[y]) && same_operands(x, y) &&
           same_order(x, y);
  }
  constexpr bool same_operands(node_id x, node_id y) {
    const view<value_id> a = graph_.inputs_of(graph_[x]), b = graph_.inputs_of(graph_[y]);
    bool same = true, swapped = commutes_[index_of(x)] != 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      same = same && place(a[i]) == place(b[i]);
      swapped = swapped && place(a[i]) == place(b[1 - i]);
    }
    return same || swapped;
  }
  // True if both nodes follow the same nodes over control edges and over mutate edges.
  constexpr bool same_order(node_id x, node_id y) {
    if (graph_.edges.empty()) return true;
    const std::uint32_t count = mark(x);
    std::uint32_t found = 0;
    const std::uint32_t wanted = marker_++;  // marked anew when first met
    for (const edge& e : edges_.of(y)) {
      std::uint32_t& m = mark_of(e);
      if (m == wanted) ++found, m = marker_;
      if (m != marker_) return false;
    }
    return found == count;
  }
  // Marks the sources of a node's edges; returns the number of distinct ones.
  constexpr std::uint32_t mark(node_id id) {
    ++marker_;
    std::uint32_t count = 0;
    for (const edge& e : edges_.of(id))
      if (mark_of(e) != marker_) ++count, mark_of(e) = marker_;
    return count;
  }
  constexpr std::uint32_t& mark_of(const edge& e) {
    return marks_[2 * index_of(copier_.place(e.from)) + (e.kind == edge_kind::mutate ? 1 : 0)];
  }

  constexpr void merge(node_id kept, node_id dropped) {
    const node_id made = copier_.place(kept);
    const node &a = graph_[kept], &b = graph_[dropped];
    copier_.place(dropped) = made;
    if (into_.graph()[made].name.count == 0) into_.graph().set_name(made, graph_.text_of(b.name));
    for (std::uint32_t k = 0; k < a.outputs.count; ++k) {
      const value_id result = graph_view::output_of(into_.graph()[made], k);
      const value& v = graph_.values[b.outputs.first + k];
      copier_.place(graph_view::output_of(b, k)) = result;
      into_.graph().assume(result, v.type.known);
      if (into_.graph()[result].name.count == 0)
        into_.graph().set_name(result, graph_.text_of(v.name));
    }
  }

  // Copies each distinct edge once, in order of first occurrence.
  constexpr void copy_edges() {
    hash_index index;
    for (const edge& old : graph_.edges) {
      const edge e{old.kind, copier_.place(old.from), copier_.place(old.to)};
      const std::uint64_t hash = hasher{}
                                     .word(index_of(e.from) | std::uint64_t{index_of(e.to)} << 32)
                                     .word(static_cast<std::uint64_t>(e.kind))
                                     .value();
      const view<edge> made = into_.graph().view().edges;
      const auto is_same = [&](std::uint32_t other) { return made[other] == e; };
      if (index.find(hash, is_same) != hash_index::none) continue;
      index.insert(hash, static_cast<std::uint32_t>(made.size()));
      into_.graph().add_edge(e.kind, e.from, e.to);
    }
  }

  graph_view graph_;
  graph_builder into_;
  symbol_map symbols_;
  graph_copier copier_;
  table<char> commutes_;  // by node
  incoming_edges edges_;
  table<char> is_overwritten_;  // by node: a mutate edge leaves it; empty without edges
  hash_index index_;            // of nodes
  table<std::uint32_t> marks_;  // by node of the result and kind of edge
  std::uint32_t marker_ = 0;
};

}  // namespace detail

/// Common subexpression elimination: of equal nodes the first in topological order stays, with its
/// name and source location (and the name of the next one if it has none). Nodes are equal if they
/// are pure and have the same operator, attributes and declared costs in any order, class of peers,
/// result types, and equal operands; for commutative operators in either order, as `allowed`
/// permits (`laws_of`). The known properties of merged results are united.
///
/// Control and mutate edges order side effects and the reuse of storage. Nodes therefore merge only
///
/// - if they follow equal nodes over edges of the same kinds; successors of either then follow the
///   merged node, and no cycle can arise, since no path connects equal nodes;
/// - if no mutate edge leaves them: such an edge means that a later node overwrites what the node
///   reads or wrote, and a merged node would give the overwritten storage readers that no edge
///   protects.
///
/// Errors: those of `validate`. O((nodes + operands + edges) · log) expected; linear if ids are in
/// topological order.
constexpr result<graph> merge_common(const graph_view& workflow,
                                     const registry& kernels = builtin_registry(),
                                     algebra allowed = algebra::exact) {
  const auto valid = validated(workflow);
  if (!valid) return valid.error();
  const graph_view& g = *valid;
  return detail::common_merger(g, allowed, kernels).run();
}

}  // namespace wf
