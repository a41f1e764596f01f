// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/copy.hpp>
#include <wf/registry/domain/arithmetic.hpp>
#include <wf/registry/fit.hpp>
#include <wf/rewrite/canonical/laws.hpp>
#include <wf/rewrite/dead.hpp>

namespace wf::detail {

/// The common value of all elements of a value, if it is known.
struct fill {
  bool known = false;
  double value = 0;

  /// True if the number is known to be x bit by bit: -0 is not 0.
  constexpr bool is(double x) const {
    return known && std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(x);
  }
  /// True if the number is known to be 0 or -0.
  constexpr bool is_zero() const { return known && value == 0; }
};

/// The meaning of a kernel's operator; `other` for null.
constexpr meaning meaning_of(const kernel_spec* k) {
  return k == nullptr ? meaning::other : k->meaning;
}

/// Rewrites a graph node by node, operands first, into a new one: the basis of passes that replace
/// nodes. In the order of `order()`, every node is copied or its result is replaced; `finish`
/// completes the graph. Nodes that become unread are removed; nodes that were unread before stay.
/// Nodes with control or mutate edges, effects or declared costs stay as they are: see `is_free`.
class graph_rewriter {
 public:
  /// Rewrites a valid graph, which must outlive the rewriter, as must the registry.
  constexpr graph_rewriter(const graph_view& g, const registry& r)
      : source_(g),
        registry_(r),
        into_(g.text_of(g.name)),
        copier_(source_, into_, symbols_, {}, duplicates::keep),
        kernels_(kernels_of(g, r)),
        uses_(g.values.size()),
        misfits_(g.nodes.size()),
        ordered_(g.edges.empty() ? 0 : g.nodes.size()) {
    for (value_id operand : g.operands) ++uses_[index_of(operand)];
    for (const output& o : g.outputs) ++uses_[index_of(o.source)];
    for (const edge& e : g.edges) ordered_[index_of(e.from)] = ordered_[index_of(e.to)] = 1;
  }
  // The copier refers to other members.
  graph_rewriter(const graph_rewriter&) = delete;
  graph_rewriter& operator=(const graph_rewriter&) = delete;

  /// Copies the inputs and determines the order. Errors: `cyclic_graph`.
  constexpr error start() {
    auto order = topological_order(source_);
    if (!order) return order.error();
    order_.swap(*order);
    find_misfits();
    return copier_.copy_inputs();
  }
  /// The nodes of the source in topological order.
  constexpr view<node_id> order() const { return order_; }

  /// The source graph.
  constexpr const graph_view& source() const { return source_; }
  /// The new graph so far; valid until it grows.
  constexpr graph_view made() const { return into_.graph().view(); }
  /// The kernel of a source node; null if its operator is not registered.
  constexpr const kernel_spec* kernel_of(const node& n) const { return kernels_[n.op]; }
  /// The kernel of a new node; null if its operator is not registered.
  constexpr const kernel_spec* kernel_of_made(node_id id) {
    const std::uint32_t op = into_.graph()[id].op;
    while (made_kernels_.size() <= op) {
      const graph_view g = made();
      made_kernels_.push_back(registry_.find(g.text_of(g.operations[made_kernels_.size()].name)));
    }
    return made_kernels_[op];
  }
  /// The registered kernel of this name, or null.
  constexpr const kernel_spec* kernel_named(text_view op) const { return registry_.find(op); }
  /// The operator with the meaning of a built-in one: the one of its name, else the first in the
  /// registry; null if there is none. O(1) with the built-in kernels, else O(kernels).
  constexpr const kernel_spec* counterpart(const kernel_spec& builtin) const {
    const kernel_spec* const same = registry_.find(builtin.name);
    if (meaning_of(same) == builtin.meaning) return same;
    for (const kernel_spec* k : registry_.kernels())
      if (k->meaning == builtin.meaning) return k;
    return nullptr;
  }
  /// Number of reads of a source value by nodes and outputs of the source.
  constexpr std::uint32_t uses(value_id id) const { return uses_[index_of(id)]; }

  /// True if a source node may be replaced: it is pure, fits its operator's kernel, has no control
  /// or mutate edge, and no declared costs.
  constexpr bool is_free(node_id id) const {
    const node& n = source_[id];
    return n.effects == effect::pure && n.costs.count == 0 && misfits_[index_of(id)] == 0 &&
           (ordered_.empty() || ordered_[index_of(id)] == 0);
  }
  /// The producer of a new value if the source node `by` may bypass it, that is, read its operands
  /// instead: the producer was free and is in the same class of peers. Else none.
  constexpr node_id bypassable(value_id id, node_id by) const {
    const node_id producer = into_.graph()[id].producer;
    if (producer == node_id::none || free_[index_of(producer)] == 0) return node_id::none;
    const bool peers =
        into_.graph().text_of(into_.graph()[producer].peer) == source_.text_of(source_[by].peer);
    return peers ? producer : node_id::none;
  }
  /// As above, only if its operator has the name with this hash.
  constexpr node_id bypassable(value_id id, node_id by, std::uint64_t op) const {
    const node_id producer = bypassable(id, by);
    return producer != node_id::none && operator_of(producer) == op ? producer : node_id::none;
  }
  /// As above, only if its operator has this meaning.
  constexpr node_id bypassable(value_id id, node_id by, meaning m) {
    const node_id producer = bypassable(id, by);
    return producer != node_id::none && meaning_of(kernel_of_made(producer)) == m ? producer
                                                                                  : node_id::none;
  }
  /// The hash of the name of a new node's operator.
  constexpr std::uint64_t operator_of(node_id id) const {
    return made().operations[into_.graph()[id].op].hash;
  }
  /// Operand `k` of a new node.
  constexpr value_id made_operand(node_id id, std::uint32_t k = 0) const {
    const graph_view g = made();
    return g.inputs_of(g[id])[k];
  }
  /// The type of a new value.
  constexpr const value_type& type_of(value_id id) const { return into_.graph()[id].type; }
  /// True if a new value has this element type and shape.
  constexpr bool has_type(value_id id, const value_type& t) const {
    return type_of(id).type == t.type && type_of(id).shape == t.shape;
  }
  /// The type of a source result in terms of the new graph. Errors: those of extents.
  constexpr result<value_type> translated_type(value_id id) {
    return symbols_.translate(source_[id].type, source_, into_.graph());
  }

  /// The attributes of a source node in terms of the new graph.
  constexpr table<attribute_value> attributes_of(node_id id) {
    table<attribute_value> list = attribute_values(source_, source_[id]);
    for (attribute_value& a : list) {
      if (a.kind != attribute_kind::extent) continue;
      extent e;
      e.code = a.number;
      if (const auto own = symbols_.translate(e, source_, into_.graph())) a.number = own->code;
    }
    return list;
  }

  /// The image of a source value in the new graph; assignable.
  constexpr value_id& place(value_id id) { return copier_.place(id); }
  /// The images of a source node's operands, in order.
  constexpr table<value_id> operands_of(node_id id) {
    table<value_id> list;
    const node& n = source_[id];
    list.reserve(n.inputs.count);
    for (value_id operand : source_.inputs_of(n)) list.push_back(copier_.place(operand));
    return list;
  }

  /// Copies a source node. Errors: those of extents.
  constexpr error copy(node_id id) {
    if (error e = copier_.copy(id); e.code != errc::none) return e;
    const node_id made = copier_.place(id);
    note(made, is_free(id), misfits_[index_of(id)] == 0);
    if (is_unread(id)) unread_.push_back(made);
    return {};
  }
  /// Replaces a source result by a new value: true if it has the same element type and shape, and
  /// the known properties of the result may be assumed of it. Names of the result and its node move
  /// to the replacement if it has none.
  constexpr bool replace(value_id old, value_id by) {
    const auto type = translated_type(old);
    if (!type || !stands_for(by, *type)) return false;
    const node_id producer = stand(old, by);
    if (producer == node_id::none) return true;
    into_.graph().assume(by, type->known);
    const value& v = source_[old];
    if (v.name.count != 0 && into_.graph()[by].name.count == 0)
      into_.graph().set_name(by, source_.text_of(v.name));
    const text_ref name = source_[v.producer].name;
    if (name.count != 0 && into_.graph()[producer].name.count == 0)
      into_.graph().set_name(producer, source_.text_of(name));
    return true;
  }
  /// True if a new value can replace one of this type. No properties are assumed of inputs.
  constexpr bool stands_for(value_id by, const value_type& type) const {
    const value& v = into_.graph()[by];
    return has_type(by, type) && (v.producer != node_id::none || v.type.known.has(type.known));
  }

  /// Adds a node that represents a source node, or a part of it: with its peer and source location,
  /// and if `is_whole` with its name. The texts of kernel and attributes must outlive the call.
  constexpr value_id add(node_id like, text_view op, text_view domain,
                         view<attribute_value> attributes, view<value_id> operands,
                         const value_type& type, bool is_whole = true) {
    node_description d = description_of(source_, source_[like], attributes, {});
    d.op = op;
    d.domain = domain;
    d.effects = effect::pure;
    d.hash = 0;
    if (!is_whole) d.name = {};
    const node_id id = into_.append_node(d, operands, {&type, 1});
    has_added_ = true;
    note(id, true);
    return graph_view::output_of(into_.graph()[id]);
  }
  /// Adds a node of a built-in kernel, or of its counterpart in the registry.
  constexpr value_id add(node_id like, const kernel_spec& builtin, view<attribute_value> attributes,
                         view<value_id> operands, const value_type& type, bool is_whole = true) {
    const kernel_spec* const own = counterpart(builtin);
    const kernel_spec& k = own == nullptr ? builtin : *own;
    return add(like, k.name, k.domain, attributes, operands, type, is_whole);
  }
  /// True if a source node has the form that `add_fill` gives to constants.
  constexpr bool is_fill(node_id id) {
    const node& n = source_[id];
    if (meaning_of(kernel_of(n)) != meaning::repetition || n.inputs.count != 1) return false;
    const node_id from = into_.graph()[place(source_.inputs_of(n)[0])].producer;
    return from != node_id::none && into_.graph()[from].inputs.count == 0;
  }
  /// Adds a constant of a type: a scalar, or a broadcast scalar.
  constexpr value_id add_fill(node_id like, double number, const value_type& type,
                              bool is_whole = true) {
    const attribute_value a = attribute_value::floating("value", number);
    const bool scalar = type.shape.rank == 0;
    const value_type element{type.type, scalar ? type.known : properties{}, {}};
    const value_id one = add(like, kernels::constant, {&a, 1}, {}, element, scalar && is_whole);
    if (scalar) return one;
    table<attribute_value> extents;
    for (std::uint32_t d = 0; d < type.shape.rank; ++d)
      extents.push_back(attribute_value::dimension(stated_extent_names[d], type.shape[d]));
    return add(like, kernels::broadcast_to, extents, {&one, 1}, type, is_whole);
  }
  /// Replaces a source result by a value that `add` made with the type of the result.
  constexpr void put(value_id old, value_id by) {
    (void)stand(old, by);
    const text_ref name = source_[old].name;
    if (name.count != 0 && into_.graph()[by].name.count == 0)
      into_.graph().set_name(by, source_.text_of(name));
  }

  /// The common value of all elements of a new value, if known: for constants and for values that
  /// only move or repeat their elements.
  constexpr fill fill_of(value_id id) const {
    return index_of(id) < fills_.size() ? fills_[index_of(id)] : fill{};
  }

  /// True if a result was replaced.
  constexpr bool has_changed() const { return replaced_; }

  /// Completes the new graph with the edges and outputs of the source, and removes nodes that have
  /// become unread. Errors: those of the copied graph.
  constexpr result<graph> finish() {
    copier_.copy_edges();
    copier_.copy_outputs();
    if (!replaced_ && !has_added_) return made_valid(into_.take());
    const graph_view g = made();
    table<char> keep(g.nodes.size());
    for (const output& o : g.outputs)
      if (g[o.source].producer != node_id::none) keep[index_of(g[o.source].producer)] = 1;
    for (node_id id : unread_) keep[index_of(id)] = 1;
    for (const edge& e : g.edges) keep[index_of(e.from)] = keep[index_of(e.to)] = 1;
    for (std::size_t i = g.nodes.size(); i-- > 0;) {  // producers precede their readers
      if (g.nodes[i].effects != effect::pure) keep[i] = 1;
      if (keep[i] == 0) continue;
      for (value_id operand : g.inputs_of(g.nodes[i]))
        if (g[operand].producer != node_id::none) keep[index_of(g[operand].producer)] = 1;
    }
    table<node_id> kept;
    for (std::uint32_t i = 0; i < keep.size(); ++i)
      if (keep[i] != 0) kept.push_back(static_cast<node_id>(i));
    if (kept.size() == keep.size()) return made_valid(into_.take());
    return copy_nodes(g.sealed(), kept);
  }

 private:
  constexpr void find_misfits() {
    table<signature> signatures(source_.operations.size());
    for (std::size_t op = 0; op < signatures.size(); ++op) {
      if (kernels_[op] == nullptr) continue;
      auto s = parse_signature(kernels_[op]->signature);
      if (s) signatures[op] = *static_cast<result<signature>&&>(s);
    }
    for (std::uint32_t i = 0; i < source_.nodes.size(); ++i) {
      const std::uint32_t op = source_.nodes[i].op;
      if (kernels_[op] == nullptr) continue;
      const error e = find_misfit(source_, static_cast<node_id>(i), *kernels_[op], signatures[op]);
      misfits_[i] = e.code != errc::none ? 1 : 0;
    }
  }

  // Replaces a result by a value; returns the producer of the value, none for an input.
  constexpr node_id stand(value_id old, value_id by) {
    replaced_ = true;
    copier_.place(old) = by;
    const node_id producer = into_.graph()[by].producer;
    if (producer != node_id::none && is_unread(source_[old].producer)) unread_.push_back(producer);
    return producer;
  }
  // True if nothing reads a source node; it stays, and so does its replacement.
  constexpr bool is_unread(node_id id) const {
    const node& n = source_[id];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (uses_[n.outputs.first + k] != 0) return false;
    return n.outputs.count != 0;
  }
  // Records whether a new node is free, and whether its results are constants.
  constexpr void note(node_id id, bool free, bool fits = true) {
    const graph_view g = made();
    const node& n = g[id];
    free_.push_back(free ? 1 : 0);
    fills_.resize(g.values.size());
    if (n.effects != effect::pure || n.outputs.count == 0 || !fits) return;
    const kernel_spec* const k = kernel_of_made(id);
    if (k == nullptr) return;
    if (n.inputs.count == 0 && k->constant != nullptr) {
      fills_[n.outputs.first] = constant_of(g, n, *k);
    } else if (k->moves_elements && n.inputs.count == 1) {
      const fill f = fill_of(g.inputs_of(n)[0]);
      for (std::uint32_t i = 0; i < n.outputs.count; ++i) fills_[n.outputs.first + i] = f;
    }
  }
  static constexpr fill constant_of(const graph_view& g, const node& n, const kernel_spec& k) {
    const value_type& t = g.values[n.outputs.first].type;
    const table<attribute_value> attributes = attribute_values(g, n);
    const rule_input input{{}, attributes, &g};
    double number = 0;
    const bool known = n.outputs.count == 1 && k.constant({nullptr, input, t.type}, number) &&
                       settle_element(t.type, number);
    return known ? fill{true, number} : fill{};
  }

  graph_view source_;
  const registry& registry_;
  graph_builder into_;
  symbol_map symbols_;
  graph_copier copier_;
  table<node_id> order_;
  table<const kernel_spec*> kernels_;       // by operator of the source
  table<const kernel_spec*> made_kernels_;  // by operator of the new graph
  table<std::uint32_t> uses_;               // by value of the source
  table<char> misfits_;                     // by node of the source
  table<char> ordered_;                     // by node of the source; empty without edges
  table<fill> fills_;                       // by value of the new graph
  table<char> free_;                        // by node of the new graph
  table<node_id> unread_;                   // new nodes for results that nothing read
  bool replaced_ = false;
  bool has_added_ = false;
};

}  // namespace wf::detail
