// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/formula/language/parse.hpp>
#include <wf/registry/catalogue.hpp>
#include <wf/registry/infer.hpp>
#include <wf/rewrite/inline.hpp>
#include <wf/types/relations/dtype.hpp>

namespace wf::detail {

/// Derives the constraints of nodes from their kernels' signatures and rules, and from the bodies
/// of calls. The built-in shape rules are recognised by their addresses; a user's own rule is
/// evaluated once its operands are known. A node with an unregistered operator has no constraints,
/// unless it is opaque and states its signature.
class kernel_relations {
 public:
  /// Constraints on the graph of `network`; all arguments must outlive this object.
  constexpr kernel_relations(type_network& network, constraint_set& constraints, const registry& r)
      : network_(network),
        constraints_(constraints),
        graph_(network.graph()),
        registry_(r),
        dtypes_(network, constraints),
        rules_(network, constraints),
        nodes_(graph_.nodes.size()),
        kernels_(graph_.operations.size()) {
    std::size_t opaque = 0, calls = 0;
    for (const node& n : graph_.nodes) {
      if (is_opaque(graph_, n)) ++opaque;
      if (is_call(graph_, n)) ++calls;
    }
    opaque_.reserve(opaque);  // references to their elements stay valid
    bodies_.reserve(calls);
  }

  /// Adds the constraints of a node.
  constexpr void derive(node_id id) {
    node_ = id;
    symbols_.clear();
    optional_.clear();
    if (is_call(graph_, graph_[id])) return derive_call();
    kernel_ = nodes_[index_of(id)] = kernel_of(graph_[id]);
    if (kernel_.spec == nullptr) return;
    const node& n = graph_[id];
    const signature& s = *kernel_.declared;
    if (!s.takes(n.inputs.count)) return refuse("takes", "operand", s.inputs, n.inputs.count);
    if (!s.gives(n.outputs.count)) return refuse("gives", "result", s.outputs(), n.outputs.count);
    dtypes_.derive(id, kernel_);
    derive_shapes();
    constraints_.add(relation::inference, id, {}, {});
  }

  /// Propagates a constraint.
  constexpr void examine(std::uint32_t i) {
    const constraint c = constraints_[i];
    if (c.kind <= relation::formula) return constraints_.examine(i);
    if (c.done) return;
    const bool done = c.kind == relation::moved ? rules_.examine_moved(c)
                      : c.kind == relation::ruled_type
                          ? dtypes_.examine_ruled(c, nodes_[index_of(c.node)])
                      : c.kind == relation::chosen_type ? dtypes_.examine_chosen(c)
                                                        : examine_inference(i);
    constraints_[i].done = done;
  }

  /// True if the extent attributes of a node, by their names, state the shape of its result.
  constexpr bool states_shape(node_id id) const {
    const kernel_spec* k = nodes_[index_of(id)].spec;
    return k != nullptr && detail::states_shape(*k);
  }

 private:
  struct registered_kernel {
    const kernel_spec* spec = nullptr;
    signature declared;
    bool is_prepared = false;
  };
  struct opaque_kernel {
    kernel_spec spec;
    signature declared;
  };
  struct named_extent {
    text_view name;
    variable where = no_variable;
  };

  struct named_shape {
    text_view name;
    shape_number where{};
  };

  // --- kernels ----------------------------------------------------------------------------------

  constexpr node_kernel kernel_of(const node& n) {
    registered_kernel& k = kernels_[n.op];
    if (!k.is_prepared) {
      k.is_prepared = true;
      k.spec = registry_.find(graph_.op_name(n));
      if (k.spec != nullptr) {
        auto parsed = parse_signature(k.spec->signature);
        if (parsed)
          k.declared = static_cast<signature&&>(*parsed);
        else
          k.spec = nullptr;
      }
    }
    if (k.spec != nullptr) return {k.spec, &k.declared};
    const attribute* stated = graph_.find_attribute(n, "signature");
    if (!is_opaque(graph_, n) || stated == nullptr) return {};
    auto parsed = parse_signature(graph_.text_of(stated->characters));
    if (!parsed) return {};
    opaque_.push_back({});
    opaque_.back().spec.name = graph_.op_name(n);
    opaque_.back().declared = static_cast<signature&&>(*parsed);
    return {&opaque_.back().spec, &opaque_.back().declared};
  }
  constexpr void refuse(text_view verb, text_view thing, std::size_t wanted, std::size_t actual) {
    network_.contradict(node_, errc::shape_mismatch,
                        (text() << verb << ' ' << wanted << ' ' << thing << (wanted == 1 ? "" : "s")
                                << ", not " << actual)
                            .view());
  }
  constexpr shape_number operand(std::size_t i) const {
    return type_network::shape_of(graph_.inputs_of(graph_[node_])[i]);
  }
  constexpr shape_number result_number(std::uint32_t i) const {
    return type_network::shape_of(graph_view::output_of(graph_[node_], i));
  }

  // --- shapes by signature ----------------------------------------------------------------------

  constexpr void derive_shapes() {
    const signature& s = *kernel_.declared;
    table<shape_number> leads{
        shape_number{0}};  // the leading dimensions; the first entry is the result's
    const std::uint32_t operands = graph_[node_].inputs.count;
    for (std::uint32_t i = 0; i < operands; ++i) {
      const parameter& p = s.operand(i, operands);
      const shape_number lead = pattern(p, operand(i));
      if (p.leading) leads.push_back(lead);
    }
    if (s.operand_pack != parameter::none)
      symbols_.push_back(
          {s.parameters[s.operand_pack].count,
           network_.add_extent(extent(std::int64_t{s.values_of(s.operand_pack, operands).count}),
                               node_)});
    const bool has_rule = kernel_.spec->result_shape != nullptr;
    if (has_rule) rules_.derive(node_, kernel_);
    bool has_lead = false;
    const std::uint32_t results = graph_[node_].outputs.count;
    for (std::uint32_t i = 0; i < results; ++i) {
      const parameter& p = s.result(i, results);
      if (kernel_.spec->rules_shape_of(p)) continue;
      const shape_number lead = pattern(p, result_number(i));
      if (!p.leading) continue;
      if (has_lead)
        constraints_.add_equal(node_, leads[0], lead);
      else
        leads[0] = lead;
      has_lead = true;
    }
    if (has_rule || (!has_lead && leads.size() < 3)) return;
    if (!has_lead) leads[0] = network_.add_shape();
    if (leads.size() == 1)
      network_.learn(network_.rank_variable(leads[0]), {1, false}, node_);
    else if (leads.size() == 2)
      constraints_.add_equal(node_, leads[1], leads[0]);
    else
      constraints_.add(relation::broadcast_shapes, node_, leads, {});
  }

  // Constrains a shape by a parameter; returns the shape of its leading dimensions.
  constexpr shape_number pattern(const parameter& p, shape_number s) {
    table<variable> extents;
    const view<text_view> dimensions = kernel_.declared->dimensions_of(p);
    for (std::uint32_t d = 0; d < dimensions.size(); ++d)
      if (d != p.optional)
        extents.push_back(p.side == side::out ? result_extent(dimensions[d])
                                              : operand_extent(dimensions[d]));
    if (p.optional != parameter::none) {
      const shape_number both[] = {s, optional_shape(dimensions[p.optional])};
      constraints_.add(relation::inserted, node_, both, extents, p.optional);
      return s;
    }
    if (p.leading) {
      if (extents.empty()) return s;
      const shape_number both[] = {s, network_.add_shape()};
      constraints_.add(relation::inserted, node_, both, extents, 0);
      return both[1];
    }
    if (extents.size() <= max_rank && has_rank(s, extents.size()))
      for (std::uint32_t d = 0; d < extents.size(); ++d)
        network_.unite(extents[d], network_.dimension(s, d), node_);
    return s;
  }
  // The shape of an optional dimension: of rank 1, or of rank 0 where values lack it. Its extent is
  // then 1.
  constexpr shape_number optional_shape(text_view dimension) {
    for (const named_shape& o : optional_)
      if (o.name == dimension) return o.where;
    const shape_number made = network_.add_shape();
    network_.learn(network_.rank_variable(made), {3, false}, node_);
    optional_.push_back({dimension, made});
    const variable extent_of = operand_extent(dimension);
    constraints_.add(relation::aligned, node_, {&made, 1}, {&extent_of, 1});
    return made;
  }
  constexpr bool has_rank(shape_number s, std::size_t rank) {
    return network_.learn(network_.rank_variable(s), {std::int64_t{1} << rank, false}, node_);
  }
  constexpr variable find(text_view name) const {
    for (const named_extent& e : symbols_)
      if (e.name == name) return e.where;
    return no_variable;
  }
  constexpr variable operand_extent(text_view dimension) {
    if (const variable known = find(dimension); known != no_variable) return known;
    if (dimension[0] >= '0' && dimension[0] <= '9')
      return network_.add_extent(fixed_dimension(dimension), node_);
    symbols_.push_back({dimension, network_.add_extent()});
    return symbols_.back().where;
  }
  constexpr variable result_extent(text_view dimension) {
    if (const variable known = find(dimension); known != no_variable) return known;
    if (dimension[0] >= '0' && dimension[0] <= '9')
      if (const extent fixed = fixed_dimension(dimension); fixed.is_fixed())
        return network_.add_extent(fixed, node_);
    return formula_extent(dimension, canonical_attributes(network_, node_), kernel_.declared);
  }
  // Adds an extent defined by a formula of `symbols_`.
  constexpr variable formula_extent(text_view source, table<attribute_value> attributes,
                                    const signature* declared) {
    table<variable> list{network_.add_extent()};
    const auto parsed = parse_formula(source);
    if (!parsed) return list[0];
    const formula_view f = *parsed;
    extent_formula e;
    e.source = source;
    e.attributes = static_cast<table<attribute_value>&&>(attributes);
    e.declared = declared;
    for (std::size_t i = 0; i < f.names.size(); ++i) {
      for (const named_extent& known : symbols_) {
        if (known.name != f.name(i)) continue;
        e.names.push_back(known.name);
        list.push_back(known.where);
      }
    }
    constraints_.add(relation::formula, node_, {}, list,
                     constraints_.add(static_cast<extent_formula&&>(e)));
    return list[0];
  }

  // --- calls ------------------------------------------------------------------------------------

  // The body's inputs and outputs act as a signature: its symbols are bound by the operands.
  constexpr void derive_call() {
    const node& n = graph_[node_];
    auto parsed = parse_graph(graph_.text_of(graph_.find_attribute(n, "body")->characters));
    if (!parsed) {
      network_.contradict(node_, parsed.error().code, parsed.error().message.view());
      return;
    }
    bodies_.push_back(static_cast<wf::graph&&>(*parsed));
    const graph_view body = bodies_.back();
    table<value_id> inputs;
    for (std::uint32_t i = 0; i < body.values.size(); ++i)
      if (body.values[i].producer == node_id::none) inputs.push_back(static_cast<value_id>(i));
    if (inputs.size() != n.inputs.count)
      return refuse("takes", "operand", inputs.size(), n.inputs.count);
    if (body.outputs.size() != n.outputs.count)
      return refuse("gives", "result", body.outputs.size(), n.outputs.count);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      derive_interface(body, body[inputs[i]].type, graph_.inputs_of(n)[i], true);
    for (std::uint32_t k = 0; k < n.outputs.count; ++k)
      if (index_of(body.outputs[k].source) < body.values.size())
        derive_interface(body, body[body.outputs[k].source].type, graph_view::output_of(n, k),
                         false);
  }
  constexpr void derive_interface(const graph_view& body, const value_type& t, value_id id,
                                  bool binds) {
    if (t.type != dtype::unknown)
      network_.learn(network_.element_type(id), {only(t.type).bits, false}, node_);
    const shape_number s = type_network::shape_of(id);
    if (!t.shape.has_rank() || !has_rank(s, t.shape.rank)) return;
    for (std::uint32_t d = 0; d < t.shape.rank; ++d) {
      const extent e = t.shape[d];
      const variable to = network_.dimension(s, d);
      if (e.is_fixed()) network_.settle(to, e, node_);
      if (e.is_symbol()) network_.unite(symbol_extent(e.name(), binds), to, node_);
      if (e.is_derived() && !binds) {
        const text_view source = body.text_of(body.derived[e.index()]);
        if (const auto parsed = parse_polynomial(source))
          for (symbol free : symbols_of(*parsed)) symbol_extent(free, false);
        network_.unite(formula_extent(source, {}, nullptr), to, node_);
      }
    }
  }
  // A symbol that no input binds is kept.
  constexpr variable symbol_extent(symbol name, bool binds) {
    const text characters = to_text(name);
    if (const variable known = find(characters.view()); known != no_variable) return known;
    names_.push_back(characters);
    symbols_.push_back(
        {names_.back().view(), network_.add_extent(binds ? extent() : extent(name), node_)});
    return symbols_.back().where;
  }

  // --- inference --------------------------------------------------------------------------------

  // Runs once all operands are known; until then it waits for the first unknown part.
  constexpr bool examine_inference(std::uint32_t i) {
    const node_id id = constraints_[i].node;
    const node& n = graph_[id];
    const view<value_id> inputs = graph_.inputs_of(n);
    table<value_type> operands;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (!waits_for(inputs[k], i)) return false;
      value_type t;
      t.type = network_.variables().dtype_of(network_.element_type(inputs[k]));
      t.known = graph_[inputs[k]].type.known;
      t.shape = network_.known_shape(type_network::shape_of(inputs[k]));
      operands.push_back(t);
    }
    table<attribute_value> attributes = canonical_attributes(network_, id);
    if (!complete(id, attributes, i)) return false;
    if (network_.is_broken(id)) return true;
    const graph_view atoms = network_.atoms();
    const node_kernel k = nodes_[index_of(id)];
    const auto made = infer(*k.spec, *k.declared, {operands, attributes, &atoms});
    if (!made) return network_.contradict(id, made.error().code, made.error().message.view()), true;
    for (std::uint32_t r = 0; r < made->count && r < n.outputs.count; ++r)
      conclude(graph_view::output_of(n, r), made->results[r], made->derived, id);
    return true;
  }
  // True if the type of a value is complete; otherwise `i` is scheduled when an unknown part is
  // learnt.
  constexpr bool waits_for(value_id id, std::uint32_t i) {
    type_variables& types = network_.variables();
    const shape_number s = type_network::shape_of(id);
    const variable parts[] = {network_.element_type(id), network_.rank_variable(s)};
    for (variable v : parts)
      if (!types.known(v)) return types.watch(v, i), false;
    for (std::uint32_t d = 0; d < network_.rank(s); ++d)
      if (const variable v = network_.dimension(s, d); !types.known(v))
        return types.watch(v, i), false;
    return true;
  }
  // Replaces unknown extent attributes by the extents of the result.
  constexpr bool complete(node_id id, table<attribute_value>& attributes, std::uint32_t i) {
    if (!states_shape(id)) return true;
    const table<std::uint32_t> places = kernels::detail::stated_extents(attributes);
    for (std::uint32_t at = 0; at < places.size(); ++at) {
      attribute_value& a = attributes[places[at]];
      const value_id to = graph_view::output_of(graph_[id]);
      const shape_number s = type_network::shape_of(to);
      if (a.number != -1 || at >= network_.rank(s) || network_.rank(s) == shape::unknown_rank)
        continue;
      const variable v = network_.dimension(s, at);
      if (!network_.variables().known(v)) return network_.variables().watch(v, i), false;
      a.number = network_.variables().extent_of(v).code;
    }
    return true;
  }
  constexpr void conclude(value_id id, const value_type& t, const table<text>& derived,
                          node_id by) {
    if (t.type != dtype::unknown)
      network_.learn(network_.element_type(id), {only(t.type).bits, false}, by);
    if (!t.shape.has_rank()) return;
    const shape_number s = type_network::shape_of(id);
    if (!network_.learn(network_.rank_variable(s), {std::int64_t{1} << t.shape.rank, false}, by))
      return;
    for (std::uint32_t d = 0; d < t.shape.rank; ++d) {
      extent e = t.shape[d];
      if (e.is_derived()) e = network_.atoms().add_derived(derived[e.index()].view());
      if (!e.is_unknown()) network_.settle(network_.dimension(s, d), e, by);
    }
  }

  type_network& network_;
  constraint_set& constraints_;
  graph_view graph_;
  const registry& registry_;
  dtype_relations dtypes_;
  rule_relations rules_;
  table<node_kernel> nodes_;
  table<registered_kernel> kernels_;  // by operation
  table<opaque_kernel> opaque_;
  table<wf::graph> bodies_;
  table<text> names_;  // of calls' symbols
  // The current node.
  node_id node_ = node_id::none;
  node_kernel kernel_;
  table<named_shape> optional_;  // the optional dimensions of the current node
  table<named_extent> symbols_;
};

}  // namespace wf::detail
