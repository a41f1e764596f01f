// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost.hpp>
#include <wf/ir/copy.hpp>

namespace wf {

/// Which transform made a node; 0 is the workflow itself.
enum class origin_id : std::uint16_t { captured = 0 };

/// A graph together with alternatives: values that are equal for every input form a class, and each
/// node that computes a value of a class is a candidate for it. Transforms add candidates; nothing
/// is rewritten, so nothing is lost. Equal nodes are stored once, so parents share alternatives.
///
/// The nodes live in an ordinary graph whose outputs and edges are the workflow's: what serves
/// graphs (views, prices, text) serves candidates. Nodes with effects have no alternatives, and
/// every selection contains them.
class choice_graph {
 public:
  constexpr choice_graph() = default;
  /// Starts with a workflow as its own only candidate. O(nodes).
  constexpr explicit choice_graph(const graph_view& workflow)
      : builder_(workflow.text_of(workflow.name)) {
    table<value_id> copied(workflow.values.size());
    for (std::uint32_t i = 0; i < workflow.values.size(); ++i)
      if (workflow.values[i].producer == node_id::none)
        copied[i] =
            add_value(builder_.graph().add_input(workflow.text_of(workflow.values[i].name),
                                                 translate(workflow, workflow.values[i].type)));
    const auto order = topological_order(workflow);
    table<node_id> nodes(workflow.nodes.size());
    for (node_id id : *order) nodes[index_of(id)] = copy_node(workflow, workflow[id], copied);
    for (const edge& e : workflow.edges)
      builder_.graph().add_edge(e.kind, nodes[index_of(e.from)], nodes[index_of(e.to)]);
    for (const output& o : workflow.outputs)
      builder_.graph().add_output(workflow.text_of(o.name), copied[index_of(o.source)]);
  }

  /// The candidates as a graph.
  constexpr graph_view view() const { return builder_.graph().view(); }
  /// The class of a value: the smallest number of a value in it. Amortised near O(1).
  constexpr std::uint32_t class_of(value_id id) const {
    std::uint32_t at = index_of(id);
    while (parent_[at] != at) at = parent_[at];
    return at;
  }
  /// The first value of a class, which stands for it in operands.
  constexpr value_id representative(value_id id) const {
    return static_cast<value_id>(class_of(id));
  }
  /// What made a node.
  constexpr origin_id origin_of(node_id id) const { return origins_[index_of(id)]; }
  /// Says which transform the nodes that follow come from.
  constexpr void set_origin(origin_id origin) { origin_ = origin; }
  /// The type of a value.
  constexpr const value_type& type_of(value_id id) const { return builder_.graph()[id].type; }

  /// Adds a node on the representatives of its operands, its result type inferred from the kernel,
  /// or finds the equal one that exists; the result starts a class of its own. Errors: those of
  /// `infer`. O(operands).
  constexpr result<value_id> add(const kernel_spec& k, wf::view<value_id> operands,
                                 wf::view<attribute_value> attributes = {}) {
    value_id inputs[8];
    value_type types[8];
    for (std::size_t i = 0; i < operands.size(); ++i) {
      inputs[i] = representative(operands[i]);
      types[i] = type_of(inputs[i]);
    }
    const graph_view g = view();
    auto made = infer(k, signature_of(k), {{types, operands.size()}, attributes, &g});
    if (!made) return made.error();
    for (std::uint32_t i = 0; i < made->count; ++i) intern_extents(made->results[i], made->derived);
    node_description d;
    d.op = k.name;
    d.domain = k.domain;
    d.attributes = attributes;
    const node_id id = builder_.add_node(d, {inputs, operands.size()}, made->types());
    note_node(id);
    return graph_view::output_of(builder_.graph()[id]);
  }

  /// Says that two values are equal for every input; the class with the smaller number absorbs the
  /// other, and both know what either was known to be.
  constexpr void unite(value_id a, value_id b) {
    const std::uint32_t left = class_of(a), right = class_of(b);
    if (left == right) return;
    const std::uint32_t first = left < right ? left : right, second = left < right ? right : left;
    parent_[second] = first;
    assume(static_cast<value_id>(first), type_of(static_cast<value_id>(second)).known);
  }

  /// Adds what is known of a class.
  constexpr void assume(value_id id, properties known) {
    builder_.graph().assume(representative(id), known);
  }

  /// True if the class of `id` has a candidate other than its first.
  constexpr bool has_choice(value_id id) const {
    std::uint32_t candidates = 0;
    for (const node& n : view().nodes)
      for (std::uint32_t k = 0; k < n.outputs.count; ++k)
        if (class_of(graph_view::output_of(n, k)) == class_of(id)) ++candidates;
    return candidates > 1;
  }

 private:
  constexpr value_id add_value(value_id id) {
    while (parent_.size() <= index_of(id))
      parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return id;
  }
  constexpr void note_node(node_id id) {
    const node& n = builder_.graph()[id];
    for (std::uint32_t k = 0; k < n.outputs.count; ++k) add_value(graph_view::output_of(n, k));
    if (index_of(id) >= origins_.size()) origins_.push_back(origin_);
  }

  constexpr value_type translate(const graph_view& from, value_type t) {
    for (std::uint32_t i = 0; i < t.shape.rank; ++i)
      if (t.shape.extents[i].is_derived())
        t.shape.extents[i] =
            builder_.graph().add_derived(from.text_of(from.derived[t.shape.extents[i].index()]));
    return t;
  }
  constexpr void intern_extents(value_type& t, const table<text>& derived) {
    for (std::uint32_t i = 0; i < t.shape.rank; ++i)
      if (t.shape.extents[i].is_derived())
        t.shape.extents[i] =
            builder_.graph().add_derived(derived[t.shape.extents[i].index()].view());
  }

  constexpr node_id copy_node(const graph_view& from, const node& n, table<value_id>& copied) {
    table<value_id> inputs;
    for (value_id operand : from.inputs_of(n)) inputs.push_back(copied[index_of(operand)]);
    table<value_type> results;
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      results.push_back(translate(from, from.values[n.outputs.first + k].type));
    const table<attribute_value> attributes = attribute_values(from, n);
    const table<cost_formula> costs = cost_formulas(from, n);
    const node_id id =
        builder_.add_node(description_of(from, n, attributes, costs), inputs, results);
    note_node(id);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      copied[n.outputs.first + k] = graph_view::output_of(builder_.graph()[id], k);
    return id;
  }

  constexpr const signature& signature_of(const kernel_spec& k) {
    for (const parsed_signature& p : signatures_)
      if (p.kernel == k.name) return p.parsed;
    auto parsed = parse_signature(k.signature);
    signatures_.push_back({k.name, *static_cast<result<signature>&&>(parsed)});
    return signatures_.back().parsed;
  }

  struct parsed_signature {
    text_view kernel;
    signature parsed;
  };

  graph_builder builder_;
  table<std::uint32_t> parent_;  // by value; a class's root is its smallest value
  table<origin_id> origins_;     // by node
  table<parsed_signature> signatures_;
  origin_id origin_ = origin_id::captured;
};

}  // namespace wf
