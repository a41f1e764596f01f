// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/types/relations/rule.hpp>

namespace wf::detail {

/// Propagates the element types that kernels demand: equalities, classes, and element type rules. A
/// rule sees operands' element types, attributes, and shapes as far as they are known, on which it
/// must not depend; it is evaluated for each possible type, so that it works in both directions.
class dtype_relations {
 public:
  /// Constraints on the graph of `network`; the arguments must outlive this object.
  constexpr dtype_relations(type_network& network, constraint_set& constraints)
      : network_(network), constraints_(constraints), graph_(network.graph()) {}

  /// Adds the constraints of a node, as `infer` checks them: operands without a bound share one
  /// type, and so do operands of one bound, except `any`.
  constexpr void derive(node_id id, const node_kernel& kernel) {
    const signature& s = *kernel.declared;
    node_ = id;
    const std::uint32_t operands = graph_[node_].inputs.count,
                        results = graph_[node_].outputs.count;
    const auto bound_of = [&](std::uint32_t i) { return s.operand(i, operands).bound; };
    variable shared = no_variable;
    for (std::uint32_t i = 0; i < operands; ++i) {
      const text_view bound = bound_of(i);
      std::uint32_t peer = 0;  // the first operand with the same type
      while (peer < i && (bound == "any" || bound_of(peer) != bound)) ++peer;
      if (peer < i) network_.unite(operand_type(peer), operand_type(i), node_);
      bounded(bound, operand_type(i));
      if (bound.empty() && shared == no_variable) shared = operand_type(i);
    }
    if (kernel.spec->result_dtype != nullptr) derive_ruled(kernel);
    for (std::uint32_t k = 0; k < results; ++k) {
      if (kernel.spec->rules_dtype_of(s.result(k, results))) continue;
      const text_view bound = s.result(k, results).bound;
      const variable v = network_.element_type(graph_view::output_of(graph_[node_], k));
      bounded(bound, v);
      if (bound.empty() && shared != no_variable)
        network_.unite(shared, v, node_);
      else if (bound.empty() && operands != 0)
        network_.unite(operand_type(0), v, node_);
      else if (is_dtype_class(bound))
        derive_chosen(v, dtypes_named(bound), operands);
    }
  }

  /// Propagates a constraint `chosen_type`; true if nothing more can follow.
  constexpr bool examine_chosen(const constraint& c) {
    const view<variable> v = constraints_.variables_of(c);
    for (std::size_t k = 1; k < v.size(); ++k) {
      const std::int64_t own = network_.variables().of(v[k]).state;
      if ((own & c.number) == 0) continue;
      if ((own & ~c.number) != 0) return false;
      network_.unite(v[k], v[0], c.node);
      return true;
    }
    return true;
  }

  /// Propagates a constraint `ruled_type` of a kernel; true if nothing more can follow.
  constexpr bool examine_ruled(const constraint& c, const node_kernel& kernel) {
    const view<variable> v = constraints_.variables_of(c);
    const auto results = static_cast<std::size_t>(c.number);
    const table<attribute_value> attributes = canonical_attributes(network_, c.node);
    type_variables& types = network_.variables();
    variable open = no_variable;  // the operand with several possible types
    table<value_type> operands(v.size() - results);
    for (std::size_t k = results; k < v.size(); ++k) {
      operands[k - results].type = types.dtype_of(v[k]);
      operands[k - results].shape = network_.known_shape(shape_of_operand(c.node, k - results));
      if (types.known(v[k])) continue;
      if (open != no_variable && types.find(open) != types.find(v[k])) return false;
      open = v[k];
    }
    const std::int64_t candidates = open == no_variable ? 1 : types.of(open).state;
    std::int64_t accepted = 0, made = 0;
    error failure;
    for (std::uint32_t d = 0; candidates >> d != 0; ++d) {
      if (((candidates >> d) & 1) == 0) continue;
      for (std::size_t k = results; open != no_variable && k < v.size(); ++k)
        if (types.find(v[k]) == types.find(open))
          operands[k - results].type = static_cast<dtype>(d);
      const auto one = ask(kernel, operands, attributes);
      if (!one) {
        failure = one.error();
        continue;
      }
      const std::int64_t bit = only(*one).bits;
      made |= bit;
      if (results == 0 || (types.of(v[0]).state & bit) != 0) accepted |= std::int64_t{1} << d;
    }
    if (made == 0) return network_.contradict(c.node, failure.code, failure.message.view()), true;
    for (std::size_t k = 0; k < results; ++k)
      if (!network_.learn(v[k], {made, false}, c.node)) return true;
    if (open != no_variable) network_.learn(open, {accepted, false}, c.node);
    return open == no_variable;
  }

 private:
  constexpr variable operand_type(std::size_t i) const {
    return network_.element_type(graph_.inputs_of(graph_[node_])[i]);
  }
  constexpr void bounded(text_view bound, variable v) {
    const dtype_set set = dtypes_named(bound);
    if (!set.empty()) network_.learn(v, {set.bits, false}, node_);
  }
  constexpr void derive_chosen(variable v, dtype_set set, std::uint32_t operands) {
    table<variable> list{v};
    for (std::uint32_t i = 0; i < operands; ++i) list.push_back(operand_type(i));
    constraints_.add(relation::chosen_type, node_, {}, list, set.bits);
  }
  // v0, v1, ...: first the results that the rule is for, then the operands; `number` such results.
  constexpr void derive_ruled(const node_kernel& kernel) {
    table<variable> list;
    const node& n = graph_[node_];
    for (std::uint32_t r = 0; r < n.outputs.count; ++r)
      if (kernel.spec->rules_dtype_of(kernel.declared->result(r, n.outputs.count)))
        list.push_back(network_.element_type(graph_view::output_of(n, r)));
    const std::size_t ruled = list.size();
    for (std::uint32_t i = 0; i < n.inputs.count; ++i) list.push_back(operand_type(i));
    constraints_.add(relation::ruled_type, node_, {}, list, static_cast<std::int64_t>(ruled));
  }
  constexpr shape_number shape_of_operand(node_id id, std::size_t i) const {
    return type_network::shape_of(graph_.inputs_of(graph_[id])[i]);
  }
  static constexpr result<dtype> ask(const node_kernel& k, view<value_type> operands,
                                     view<attribute_value> attributes) {
    rule_input in;
    in.operands = operands;
    in.attributes = attributes;
    in.declared = k.declared;
    return k.spec->result_dtype(in);
  }

  type_network& network_;
  constraint_set& constraints_;
  graph_view graph_;
  node_id node_ = node_id::none;  // the current node
};

}  // namespace wf::detail
