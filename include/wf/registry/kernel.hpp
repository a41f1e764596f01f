// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/ir/graph.hpp>
#include <wf/registry/signature.hpp>

namespace wf {

/// The most metrics for which a kernel may state a formula; others take the metric's default.
inline constexpr std::size_t max_kernel_costs = 8;

/// What a rule sees of a node: operand types and attributes.
struct rule_input {
  /// The operands' types, in order.
  view<value_type> operands;
  /// The node's attributes.
  view<attribute_value> attributes;
  /// The graph whose derived extents the operands use, or null if there is none (yet).
  const graph_view* graph = nullptr;

  /// The integer attribute of that name, or `otherwise`.
  constexpr std::int64_t integer(text_view name, std::int64_t otherwise) const {
    for (const attribute_value& a : attributes)
      if (a.name == name && a.kind == attribute_kind::integer) return a.number;
    return otherwise;
  }
  /// The attribute of that name, or null.
  constexpr const attribute_value* find(text_view name) const {
    for (const attribute_value& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
};

/// Computes the shape of the (single) result where a pattern cannot say it.
using shape_rule = result<shape> (*)(const rule_input&);
/// Computes the properties of the (first) result from the operands.
using property_rule = properties (*)(const rule_input&);

/// Everything wf knows of an operator, in one value: adding an operator is adding one of these.
struct kernel_spec {
  /// The operator's name, unique in a registry: "matmul".
  text_view name;
  /// The family it belongs to: "linalg".
  text_view domain;
  /// Operands and results: see `signature`.
  text_view signature;
  /// Formulas for metrics; empty entries end the list.
  cost_formula costs[max_kernel_costs] = {};
  /// Result shape, if the signature's pattern cannot say it.
  shape_rule result_shape = nullptr;
  /// Result properties, if any can be inferred.
  property_rule result_properties = nullptr;
  /// True if the result is only another view of the operand's storage: it costs nothing.
  bool is_view = false;
  /// True if the result may overwrite the first operand.
  bool in_place = false;
  /// True if the order of two operands does not matter.
  bool commutative = false;
  /// What it does besides computing its results; what is not pure is never merged or dropped.
  effect effects = effect::pure;
  /// True if it replaces an earlier kernel of the same name; without it a duplicate is an error.
  bool overrides = false;
  /// One sentence for the reference manual.
  text_view summary = {};
};

/// The cost formulas of a kernel, without the empty entries.
constexpr view<cost_formula> costs_of(const kernel_spec& k) {
  std::size_t count = 0;
  while (count < max_kernel_costs && !k.costs[count].metric.empty()) ++count;
  return {k.costs, count};
}

}  // namespace wf
