// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/builder.hpp>
#include <wf/ir/graph/symbol_map.hpp>
#include <wf/ir/graph/topology.hpp>
#include <wf/ir/graph/validate.hpp>

namespace wf {

/// The declared costs of a node in the form that `graph::add_node` takes; views into the graph.
constexpr table<cost_formula> cost_formulas(const graph_view& g, const node& n) {
  table<cost_formula> list;
  list.reserve(n.costs.count);
  for (const declared_cost& c : g.costs_of(n))
    list.push_back({g.text_of(c.metric), g.text_of(c.formula)});
  return list;
}

/// The description by which `graph::add_node` rebuilds an existing node with the given attributes
/// and costs; views into the graph.
constexpr node_description description_of(const graph_view& g, const node& n,
                                          view<attribute_value> attributes,
                                          view<cost_formula> costs) {
  node_description d;
  d.op = g.op_name(n);
  d.domain = g.text_of(g.operations[n.op].domain);
  d.attributes = attributes;
  d.name = g.text_of(n.name);
  d.effects = n.effects;
  d.peer = g.text_of(n.peer);
  d.file = g.text_of(n.location.file);
  d.line = n.location.line;
  d.column = n.location.column;
  d.costs = costs;
  d.hash = g.operations[n.op].hash;
  return d;
}

/// Treatment of equal pure nodes in a copy.
enum class duplicates : std::uint8_t {
  merge,  ///< they merge in the builder, except nodes with control or mutate edges
  keep,   ///< every node is copied
};

/// Copies a graph, or the part that the caller selects, into a graph under construction; every pass
/// is built on it. Symbols may map to extents of the target graph, and names of nodes and results
/// get a prefix. Copies nothing from a graph that `validate_references` refuses.
class graph_copier {
 public:
  /// Copies from a graph into a builder; all arguments must outlive the copier.
  constexpr graph_copier(const graph_view& from, graph_builder& into, const symbol_map& symbols,
                         text_view prefix = {}, duplicates equal_nodes = duplicates::merge)
      : from_(from),
        into_(into),
        symbols_(symbols),
        prefix_(prefix),
        duplicates_(equal_nodes),
        values_(from.values.size(), value_id::none),
        nodes_(from.nodes.size(), node_id::none),
        fault_(validate_references(from).error()) {
    if (from.edges.empty() || fault_.code != errc::none) return;
    ordered_.resize(from.nodes.size());
    for (const edge& e : from.edges) ordered_[index_of(e.from)] = ordered_[index_of(e.to)] = 1;
  }

  /// The target value of a source value, none before it is copied; a pass may replace it.
  constexpr value_id& place(value_id id) { return values_[index_of(id)]; }
  /// The target node of a source node; none if it was not copied.
  constexpr node_id& place(node_id id) { return nodes_[index_of(id)]; }

  /// Sets the class of peers of all following nodes that have none. The text must outlive the
  /// copier.
  constexpr void set_peer(text_view peer) { peer_ = peer; }

  /// Adds the inputs of the source graph as inputs of the target graph. Errors: those of
  /// `validate_references`, those of extents.
  constexpr error copy_inputs() {
    if (fault_.code != errc::none) return fault_;
    for (std::uint32_t i = 0; i < from_.values.size(); ++i)
      if (from_.values[i].producer == node_id::none)
        if (error e = copy_input(static_cast<value_id>(i)); e.code != errc::none) return e;
    return {};
  }
  /// Adds one input of the source graph as an input of the target graph. Errors: as `copy_inputs`.
  constexpr error copy_input(value_id id) {
    if (fault_.code != errc::none) return fault_;
    const auto type = symbols_.translate(from_[id].type, from_, into_.graph());
    if (!type) return type.error();
    place(id) = into_.graph().add_input(from_.text_of(from_[id].name), *type);
    return {};
  }
  /// Maps the inputs to values of the target graph, in order; one operand per input.
  constexpr void place_inputs(view<value_id> operands) {
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < from_.values.size(); ++i)
      if (from_.values[i].producer == node_id::none) values_[i] = operands[at++];
  }

  /// Copies a node whose operands are already copied. Errors: `malformed_graph` if one is not;
  /// those of `validate_references`, those of extents.
  constexpr error copy(node_id id) {
    if (fault_.code != errc::none) return fault_;
    return copy(id, attribute_values(from_, from_[id]));
  }
  /// The same with other attributes, whose extents refer to the source graph.
  constexpr error copy(node_id id, table<attribute_value> attributes) {
    if (fault_.code != errc::none) return fault_;
    const node& n = from_[id];
    table<value_id> operands;
    operands.reserve(n.inputs.count);
    for (value_id operand : from_.inputs_of(n)) {
      if (place(operand) == value_id::none)
        return detail::malformed(from_.label(id).view(), "it is copied before what it reads");
      operands.push_back(place(operand));
    }
    table<value_type> results;
    results.reserve(n.outputs.count);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const auto t =
          symbols_.translate(from_.values[n.outputs.first + k].type, from_, into_.graph());
      if (!t) return t.error();
      results.push_back(*t);
    }
    for (attribute_value& a : attributes) {
      if (a.kind != attribute_kind::extent) continue;
      extent e;
      e.code = a.number;
      const auto translated = symbols_.translate(e, from_, into_.graph());
      if (!translated) return translated.error();
      a.number = translated->code;
    }
    const table<cost_formula> costs = cost_formulas(from_, n);
    node_description d = description_of(from_, n, attributes, costs);
    text name;
    d.name = prefixed(d.name, name);
    if (d.peer.empty()) d.peer = peer_;
    const node_id made =
        merges(id) ? into_.add_node(d, operands, results) : into_.append_node(d, operands, results);
    nodes_[index_of(id)] = made;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) {
      const value_id result = graph_view::output_of(into_.graph()[made], k);
      values_[n.outputs.first + k] = result;
      const text_ref own = from_.values[n.outputs.first + k].name;
      if (own.count == 0 || into_.graph()[result].name.count != 0) continue;
      text result_name;
      into_.graph().set_name(result, prefixed(from_.text_of(own), result_name));
    }
    return {};
  }

  /// Copies the control and mutate edges between copied nodes. O(edges).
  constexpr void copy_edges() {
    if (fault_.code != errc::none) return;
    for (const edge& e : from_.edges)
      if (place(e.from) != node_id::none && place(e.to) != node_id::none)
        into_.graph().add_edge(e.kind, place(e.from), place(e.to));
  }
  /// The target values of the outputs, in order.
  constexpr table<value_id> outputs() {
    table<value_id> places;
    if (fault_.code != errc::none) return places;
    for (const output& o : from_.outputs) places.push_back(place(o.source));
    return places;
  }
  /// Makes the copied outputs outputs of the target graph, under the same names.
  constexpr void copy_outputs() {
    if (fault_.code != errc::none) return;
    for (const output& o : from_.outputs)
      into_.graph().add_output(from_.text_of(o.name), place(o.source));
  }

 private:
  // Merging nodes with edges could place a node of the target both before and after another one.
  constexpr bool merges(node_id id) const {
    return duplicates_ == duplicates::merge && (ordered_.empty() || ordered_[index_of(id)] == 0);
  }
  constexpr text_view prefixed(text_view name, text& storage) const {
    if (prefix_.empty() || name.empty()) return name;
    storage << prefix_ << name;
    return storage.view();
  }

  const graph_view& from_;
  graph_builder& into_;
  const symbol_map& symbols_;
  text_view prefix_;
  duplicates duplicates_;
  table<value_id> values_;
  table<node_id> nodes_;
  table<char> ordered_;  // by node: 1 if an edge touches it; empty without edges
  error fault_;          // the result of `validate_references` on the source graph
  text_view peer_;
};

namespace detail {

/// A graph of some nodes of a valid graph, given in topological order, with all inputs, the edges
/// between the nodes, and all outputs: `copy(id, copier, builder)` copies one node. The producers
/// of operands and of outputs must be among them. Errors: those of `copy` and of extents.
template <class CopyNode>
constexpr result<graph> copy_nodes(const graph_view& g, view<node_id> nodes, CopyNode&& copy,
                                   const symbol_map& symbols = {},
                                   duplicates equal_nodes = duplicates::keep) {
  graph_builder into(g.text_of(g.name));
  graph_copier copier(g, into, symbols, {}, equal_nodes);
  if (error e = copier.copy_inputs(); e.code != errc::none) return e;
  for (const node_id id : nodes)
    if (error e = copy(id, copier, into); e.code != errc::none) return e;
  copier.copy_edges();
  copier.copy_outputs();
  return made_valid(into.take());
}
/// The same, where nodes are copied as they are.
constexpr result<graph> copy_nodes(const graph_view& g, view<node_id> nodes,
                                   const symbol_map& symbols = {},
                                   duplicates equal_nodes = duplicates::keep) {
  const auto as_it_is = [](node_id id, graph_copier& copier, graph_builder&) {
    return copier.copy(id);
  };
  return copy_nodes(g, nodes, as_it_is, symbols, equal_nodes);
}

}  // namespace detail

/// Copies the nodes of a graph into another one under construction, in place of a call: `operands`
/// replace its inputs in order, `symbols` (from `match_inputs`) its symbols; names of nodes get the
/// prefix, and nodes without a class of peers get `peer`. Equal pure nodes merge with existing
/// ones. Returns the values of its outputs in order. Errors: those of `validate`, those of extents;
/// `shape_mismatch` if the numbers of operands and inputs differ, `malformed_graph` for an operand
/// that does not exist. O(size of the graph).
constexpr result<table<value_id>> splice(const graph_view& from, graph_builder& into,
                                         view<value_id> operands, const symbol_map& symbols,
                                         text_view prefix = {}, text_view peer = {}) {
  const auto valid = validated(from);
  if (!valid) return valid.error();
  std::size_t inputs = 0;
  for (const value& v : from.values) inputs += v.producer == node_id::none ? 1 : 0;
  if (inputs != operands.size())
    return make_error(
        errc::shape_mismatch, from.text_of(from.name),
        (text() << "takes " << inputs << " operands, not " << operands.size()).view());
  for (value_id operand : operands)
    if (index_of(operand) >= into.graph().number_of_values())
      return detail::malformed(from.text_of(from.name), "an operand does not exist");
  const auto order = detail::sorted_nodes(*valid);
  graph_copier copier(*valid, into, symbols, prefix);
  copier.set_peer(peer);
  copier.place_inputs(operands);
  for (node_id id : *order)
    if (error e = copier.copy(id); e.code != errc::none) return e;
  copier.copy_edges();
  return copier.outputs();
}

}  // namespace wf
