// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph/view.hpp>

namespace wf {

/// An attribute as it is handed to `graph::add_node`: the text is not yet in a graph.
struct attribute_value {
  /// The name; of a node: the name its author gave it, or nothing.
  text_view name;
  /// Which of the members below holds the value.
  attribute_kind kind = attribute_kind::integer;
  /// The integer, the numerator, or the code of an extent.
  std::int64_t number = 0;
  /// The denominator of a rational; positive.
  std::int64_t denominator = 1;
  /// The floating-point number.
  double real = 0;
  /// The string.
  text_view characters = {};

  /// name = integer.
  static constexpr attribute_value integer(text_view name, std::int64_t n) {
    return {name, attribute_kind::integer, n};
  }
  /// name = numerator / denominator.
  static constexpr attribute_value ratio(text_view name, std::int64_t n, std::int64_t d) {
    return {name, attribute_kind::rational, n, d};
  }
  /// name = floating-point number.
  static constexpr attribute_value floating(text_view name, double r) {
    return {name, attribute_kind::real, 0, 1, r};
  }
  /// name = characters.
  static constexpr attribute_value string(text_view name, text_view c) {
    return {name, attribute_kind::string, 0, 1, 0, c};
  }
  /// name = extent, such as a symbolic repetition count.
  static constexpr attribute_value dimension(text_view name, extent e) {
    return {name, attribute_kind::extent, e.code};
  }
};

/// One metric's price, as a formula.
struct cost_formula {
  /// The name of the metric.
  text_view metric;
  /// The price, as text of the formula language; of a node also "unknown".
  text_view formula;
};

/// What `graph::add_node` needs besides operands and result types.
struct node_description {
  /// The operator's name: "matmul".
  text_view op;
  /// The family of the operator: "linalg".
  text_view domain = {};
  /// The attributes, names without repetition.
  view<attribute_value> attributes = {};
  /// The name; of a node: the name its author gave it, or nothing.
  text_view name = {};
  /// What it does besides computing.
  effect effects = effect::pure;
  /// The class of peers that runs it, empty for all.
  text_view peer = {};
  /// The source file that wrote it, or nothing.
  text_view file = {};
  /// The line in it, from 1; 0: unknown.
  std::uint32_t line = 0;
  /// The column in it, from 1.
  std::uint32_t column = 0;
  /// Costs that its author declares, which override the registry.
  view<cost_formula> costs = {};
  std::uint64_t hash = 0;  ///< `hash_text(op)` where the caller knows it; 0: computed
};

/// The canonical IR: a directed acyclic graph of operations on values. A regular value made of flat
/// tables addressed by integer ids, usable in constant evaluation and at run time. It only grows; a
/// pass builds a new graph. It holds no tensors, no resources and no processes.
///
/// The invariants are checked by `validate` (ir/graph/validate.hpp), not by every append: all ids
/// are in range, the outputs of a node are contiguous values it produces, input and output names
/// are unique, and no cycle runs through data, control and mutate edges. A graph that was found
/// valid remembers it until it changes, so that what takes a graph need not look again.
class graph {
 public:
  constexpr graph() = default;
  /// An empty graph of that name.
  constexpr explicit graph(text_view name) { name_ = intern(name); }
  /// A copy of a graph that is seen through a view, such as a frozen one. O(size of the graph).
  constexpr explicit graph(const graph_view& g)
      : characters_(g.characters),
        name_(g.name),
        operations_(g.operations),
        nodes_(g.nodes),
        values_(g.values),
        operands_(g.operands),
        attributes_(g.attributes),
        costs_(g.costs),
        edges_(g.edges),
        outputs_(g.outputs),
        derived_(g.derived),
        is_valid_(g.is_sealed()) {}

  /// A view of the tables, valid until the graph changes.
  constexpr graph_view view() const {
    const graph_view g{
        {characters_.data(), characters_.size()}, name_,
        {operations_.data(), operations_.size()}, {nodes_.data(), nodes_.size()},
        {values_.data(), values_.size()},         {operands_.data(), operands_.size()},
        {attributes_.data(), attributes_.size()}, {costs_.data(), costs_.size()},
        {edges_.data(), edges_.size()},           {outputs_.data(), outputs_.size()},
        {derived_.data(), derived_.size()}};
    return is_valid_ ? g.sealed() : g;
  }
  /// A view of the tables, so that a graph can be handed to any algorithm.
  constexpr operator graph_view() const { return view(); }
  /// Remembers that the graph is valid until it changes: for those who know that `validate` accepts
  /// it. Its views are sealed then (see `validated`).
  constexpr void mark_valid() { is_valid_ = true; }

  /// Appends an input value.
  constexpr value_id add_input(text_view name, const value_type& type) {
    is_valid_ = false;
    values_.push_back(value{type, intern(name), node_id::none});
    return static_cast<value_id>(values_.size() - 1);
  }
  /// Appends a node and its result values. Amortised O(operands + attributes + characters).
  constexpr node_id add_node(const node_description& what, wf::view<value_id> operands,
                             wf::view<value_type> results) {
    is_valid_ = false;
    const auto id = static_cast<node_id>(nodes_.size());
    node n;
    n.op = intern_operation(what.op, what.domain, what.hash != 0 ? what.hash : hash_text(what.op));
    n.effects = what.effects;
    n.name = intern(what.name);
    n.peer = intern(what.peer);
    n.inputs = {static_cast<std::uint32_t>(operands_.size()),
                static_cast<std::uint32_t>(operands.size())};
    for (std::size_t i = 0; i < operands.size(); ++i) operands_.push_back(operands[i]);
    n.outputs = {static_cast<std::uint32_t>(values_.size()),
                 static_cast<std::uint32_t>(results.size())};
    for (std::size_t i = 0; i < results.size(); ++i) values_.push_back(value{results[i], {}, id});
    n.attributes = {static_cast<std::uint32_t>(attributes_.size()), 0};
    n.costs = {static_cast<std::uint32_t>(costs_.size()), 0};
    n.source = {intern_file(what.file), what.line, what.column};
    nodes_.push_back(n);
    for (std::size_t i = 0; i < what.attributes.size(); ++i) add_attribute(what.attributes[i]);
    for (const cost_formula& c : what.costs) add_cost(c.metric, c.formula);
    return id;
  }
  /// Adds an attribute to the last node.
  constexpr void add_attribute(const attribute_value& a) {
    is_valid_ = false;
    attributes_.push_back(
        attribute{intern(a.name), a.kind, a.number, a.denominator, a.real, intern(a.characters)});
    ++nodes_.back().attributes.count;
  }
  /// Declares a cost of the last node: a formula, or "unknown".
  constexpr void add_cost(text_view metric, text_view formula) {
    is_valid_ = false;
    costs_.push_back(declared_cost{intern(metric), intern(formula)});
    ++nodes_.back().costs.count;
  }
  /// Orders two nodes.
  constexpr void add_edge(edge_kind kind, node_id from, node_id to) {
    is_valid_ = false;
    edges_.push_back(edge{kind, from, to});
  }
  /// Hands a value out under a name.
  constexpr void add_output(text_view name, value_id source) {
    is_valid_ = false;
    outputs_.push_back(output{intern(name), source});
  }
  /// The derived extent of a canonical polynomial text; equal texts give equal extents.
  constexpr extent add_derived(text_view polynomial) {
    for (std::size_t i = 0; i < derived_.size(); ++i)
      if (text_of(derived_[i]) == polynomial) return extent::derived(static_cast<std::uint32_t>(i));
    derived_.push_back(intern(polynomial));
    return extent::derived(static_cast<std::uint32_t>(derived_.size() - 1));
  }
  /// The characters of a reference, valid until the graph changes.
  constexpr text_view text_of(text_ref r) const { return {characters_.data() + r.first, r.count}; }
  /// How many values there are.
  constexpr std::size_t number_of_values() const { return values_.size(); }
  /// A value by id.
  constexpr const wf::value& operator[](value_id id) const { return values_[index_of(id)]; }
  /// A node by id.
  constexpr const wf::node& operator[](node_id id) const { return nodes_[index_of(id)]; }
  /// The operands of a node, valid until the graph changes.
  constexpr wf::view<value_id> inputs_of(const wf::node& n) const {
    return {operands_.data() + n.inputs.first, n.inputs.count};
  }
  /// The operator of a node.
  constexpr const operation& operation_of(const wf::node& n) const { return operations_[n.op]; }
  /// Names a node.
  constexpr void set_name(node_id id, text_view name) { nodes_[index_of(id)].name = intern(name); }
  /// Names a value.
  constexpr void set_name(value_id id, text_view name) {
    is_valid_ = false;
    values_[index_of(id)].name = intern(name);
  }
  /// Adds declared properties to a value.
  constexpr void assume(value_id id, properties more) {
    is_valid_ = false;
    value_type& type = values_[index_of(id)].type;
    type.known = type.known | more;
  }
  /// Replaces one operand, by its place in the table of all operands, by a value of the same type.
  constexpr void set_operand(std::uint32_t place, value_id id) {
    is_valid_ = false;
    operands_[place] = id;
  }
  /// Puts characters into the pool. O(size); nothing for no characters.
  constexpr text_ref intern(text_view t) {
    if (t.empty()) return {};
    const text_ref r{static_cast<std::uint32_t>(characters_.size()),
                     static_cast<std::uint32_t>(t.size())};
    characters_.append({t.data(), t.size()});
    return r;
  }
  /// The index of an operator, interned on first use. O(distinct operators).
  constexpr std::uint32_t intern_operation(text_view op, text_view domain) {
    return intern_operation(op, domain, hash_text(op));
  }
  /// The same, for a name whose hash is known.
  constexpr std::uint32_t intern_operation(text_view op, text_view domain, std::uint64_t hash) {
    for (std::uint32_t i = 0; i < operations_.size(); ++i)
      if (operations_[i].hash == hash && text_of(operations_[i].domain) == domain) return i;
    is_valid_ = false;
    operations_.push_back(operation{hash, intern(op), intern(domain)});
    return static_cast<std::uint32_t>(operations_.size() - 1);
  }

 private:
  // All nodes of a workflow tend to come from one file: only the last one is looked at.
  constexpr text_ref intern_file(text_view file) {
    if (file.empty()) return {};
    if (text_of(file_) != file) file_ = intern(file);
    return file_;
  }

  table<char> characters_;
  text_ref name_;
  table<operation> operations_;
  table<node> nodes_;
  table<value> values_;
  table<value_id> operands_;
  table<attribute> attributes_;
  table<declared_cost> costs_;
  table<edge> edges_;
  table<output> outputs_;
  table<text_ref> derived_;
  text_ref file_;
  bool is_valid_ = false;
};

/// An attribute as it is handed to `graph::add_node`; views into the graph.
constexpr attribute_value value_of(const graph_view& g, const attribute& a) {
  return {g.text_of(a.name), a.kind, a.number, a.denominator, a.real, g.text_of(a.characters)};
}

/// The attributes of a node as they are handed to `graph::add_node`; views into the graph.
constexpr table<attribute_value> attribute_values(const graph_view& g, const node& n) {
  table<attribute_value> list;
  list.reserve(n.attributes.count);
  for (const attribute& a : g.attributes_of(n)) list.push_back(value_of(g, a));
  return list;
}

}  // namespace wf
