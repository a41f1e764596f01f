// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/ir/graph/view.hpp>

namespace wf {

/// An attribute as an argument of `graph::add_node`: its text is not interned yet.
struct attribute_value {
  /// The attribute's name, unique within its node; may be empty.
  text_view name;
  /// Selects the members that hold the value.
  attribute_kind kind = attribute_kind::integer;
  /// The integer, the numerator, or the code of an extent.
  std::int64_t number = 0;
  /// The denominator of a rational; positive.
  std::int64_t denominator = 1;
  /// The value of a real attribute.
  double real = 0;
  /// The value of a string attribute.
  text_view characters = {};

  /// An integer attribute: name = n.
  static constexpr attribute_value integer(text_view name, std::int64_t n) {
    return {name, attribute_kind::integer, n};
  }
  /// A rational attribute: name = n / d; d must be positive.
  static constexpr attribute_value ratio(text_view name, std::int64_t n, std::int64_t d) {
    return {name, attribute_kind::rational, n, d};
  }
  /// A real attribute: name = r.
  static constexpr attribute_value floating(text_view name, double r) {
    return {name, attribute_kind::real, 0, 1, r};
  }
  /// A string attribute: name = c.
  static constexpr attribute_value string(text_view name, text_view c) {
    return {name, attribute_kind::string, 0, 1, 0, c};
  }
  /// An extent attribute: name = e, such as a symbolic repetition count.
  static constexpr attribute_value dimension(text_view name, extent e) {
    return {name, attribute_kind::extent, e.code};
  }

  /// True if all members are equal; reals are compared by their bits.
  friend constexpr bool operator==(const attribute_value& a, const attribute_value& b) {
    return a.kind == b.kind && a.number == b.number && a.denominator == b.denominator &&
           std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real) &&
           a.name == b.name && a.characters == b.characters;
  }
};

/// A cost formula for one metric.
struct cost_formula {
  /// The metric's name, such as "flops".
  text_view metric;
  /// The text of a formula; for a node also "unknown".
  text_view formula;
};

/// The description of a new node except for its operands and result types.
struct node_description {
  /// The operator's name: "matmul".
  text_view op;
  /// The domain of the operator: "linalg".
  text_view domain = {};
  /// The attributes, with distinct names.
  view<attribute_value> attributes = {};
  /// The user's name, may be empty.
  text_view name = {};
  /// Side effects; only pure nodes merge.
  effect effects = effect::pure;
  /// The class of peers that runs it, empty for all.
  text_view peer = {};
  /// The source file that wrote the node, may be empty.
  text_view file = {};
  /// The line in the source file, from 1; 0: unknown.
  std::uint32_t line = 0;
  /// The column in the line, from 1.
  std::uint32_t column = 0;
  /// Costs declared by the author; they override the registry.
  view<cost_formula> costs = {};
  std::uint64_t hash = 0;  ///< `hash_text(op)` if the caller knows it; 0: computed
};

/// The canonical IR: a directed acyclic graph of operations on values. A regular value made of flat
/// tables addressed by integer ids, usable in constant evaluation and at run time. It only grows; a
/// pass builds a new graph. It holds no tensors, no resources and no processes.
///
/// The invariants are checked by `validate` (ir/graph/validate.hpp), not by every append: all ids
/// are in range, the outputs of a node are contiguous values it produces, input and output names
/// are unique, and no cycle runs through data, control and mutate edges. A graph that was found
/// valid stays marked until it changes, so that its users need not check again.
class graph {
 public:
  constexpr graph() = default;
  /// An empty graph with a name.
  constexpr explicit graph(text_view name) { name_ = intern(name); }
  /// A copy of the graph behind a view, such as a frozen one. O(size of the graph).
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
  /// A view of the tables, so that a graph can be passed to any algorithm.
  constexpr operator graph_view() const { return view(); }
  /// Marks the graph as valid until it changes, without a check: the caller knows that `validate`
  /// accepts it. Its views are sealed then (see `validated`).
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
    n.location = {intern_file(what.file), what.line, what.column};
    nodes_.push_back(n);
    for (std::size_t i = 0; i < what.attributes.size(); ++i) add_attribute(what.attributes[i]);
    for (const cost_formula& c : what.costs) add_cost(c.metric, c.formula);
    return id;
  }
  /// Appends an attribute to the last node.
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
  /// Appends an edge: `to` runs after `from`.
  constexpr void add_edge(edge_kind kind, node_id from, node_id to) {
    is_valid_ = false;
    edges_.push_back(edge{kind, from, to});
  }
  /// Makes a value an output; names must differ, which `validate_names` checks.
  constexpr void add_output(text_view name, value_id source) {
    is_valid_ = false;
    outputs_.push_back(output{intern(name), source});
  }
  /// The derived extent of a canonical polynomial text, interned on first use; equal texts give
  /// equal extents. O(derived extents).
  constexpr extent add_derived(text_view polynomial) {
    for (std::size_t i = 0; i < derived_.size(); ++i)
      if (text_of(derived_[i]) == polynomial) return extent::derived(static_cast<std::uint32_t>(i));
    derived_.push_back(intern(polynomial));
    return extent::derived(static_cast<std::uint32_t>(derived_.size() - 1));
  }
  /// The characters of a reference, valid until the graph changes.
  constexpr text_view text_of(text_ref r) const { return {characters_.data() + r.first, r.count}; }
  /// Number of values: inputs and results.
  constexpr std::size_t number_of_values() const { return values_.size(); }
  /// A value by id, which must exist; valid until the graph changes.
  constexpr const wf::value& operator[](value_id id) const { return values_[index_of(id)]; }
  /// A node by id, which must exist; valid until the graph changes.
  constexpr const wf::node& operator[](node_id id) const { return nodes_[index_of(id)]; }
  /// The operands of a node, valid until the graph changes.
  constexpr wf::view<value_id> inputs_of(const wf::node& n) const {
    return {operands_.data() + n.inputs.first, n.inputs.count};
  }
  /// The operator of a node, valid until the graph changes.
  constexpr const operation& operation_of(const wf::node& n) const { return operations_[n.op]; }
  /// Renames a node; the old name stays in the pool.
  constexpr void set_name(node_id id, text_view name) { nodes_[index_of(id)].name = intern(name); }
  /// Renames a value; the old name stays in the pool.
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
  /// Replaces an operand, given by its position in the table of all operands, by a value of the
  /// same type.
  constexpr void set_operand(std::uint32_t place, value_id id) {
    is_valid_ = false;
    operands_[place] = id;
  }
  /// Makes an output, given by its number, another value.
  constexpr void set_output(std::uint32_t number, value_id id) {
    is_valid_ = false;
    outputs_[number].source = id;
  }
  /// Appends characters to the pool, without deduplication; the empty text takes no space. O(size).
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
  /// The same for an operator whose hash is known.
  constexpr std::uint32_t intern_operation(text_view op, text_view domain, std::uint64_t hash) {
    for (std::uint32_t i = 0; i < operations_.size(); ++i)
      if (operations_[i].hash == hash && text_of(operations_[i].domain) == domain) return i;
    is_valid_ = false;
    operations_.push_back(operation{hash, intern(op), intern(domain)});
    return static_cast<std::uint32_t>(operations_.size() - 1);
  }

 private:
  // The nodes of a workflow mostly come from one file, so only the last one is compared.
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

/// An attribute in the form that `graph::add_node` takes; views into the graph.
constexpr attribute_value value_of(const graph_view& g, const attribute& a) {
  return {g.text_of(a.name), a.kind, a.number, a.denominator, a.real, g.text_of(a.characters)};
}

/// The attributes of a node in the form that `graph::add_node` takes; views into the graph.
constexpr table<attribute_value> attribute_values(const graph_view& g, const node& n) {
  table<attribute_value> list;
  list.reserve(n.attributes.count);
  for (const attribute& a : g.attributes_of(n)) list.push_back(value_of(g, a));
  return list;
}

}  // namespace wf
