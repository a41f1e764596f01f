// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/indices.hpp>
#include <wf/logic/program/draft.hpp>
#include <wf/logic/program/names.hpp>

namespace wf::logic::detail {

/// A factor of a product.
struct factor {
  std::uint32_t node = 0;  ///< of the syntax tree
  bool inverse = false;    ///< the product is divided by it
};

/// Appends the factors of an expression, through products, quotients and signs; `negative` is
/// changed by every sign. O(factors).
constexpr void append_factors(const equation_program& tree, std::uint32_t root, bool inverse,
                              table<factor>& out, bool& negative) {
  const equation_node& n = tree.nodes[root];
  const auto child = [&](std::uint32_t i) { return wf::detail::child_of(tree, n, i); };
  if (n.kind == equation_kind::negation) {
    negative = !negative;
    return append_factors(tree, child(0), inverse, out, negative);
  }
  if (n.kind != equation_kind::product && n.kind != equation_kind::quotient)
    return out.push_back({root, inverse});
  append_factors(tree, child(0), inverse, out, negative);
  append_factors(tree, child(1), inverse != (n.kind == equation_kind::quotient), out, negative);
}

/// The scalar node of an arithmetic node of the syntax tree; `number` for others.
constexpr scalar_kind arithmetic_of(equation_kind kind) {
  switch (kind) {
    case equation_kind::sum:
      return scalar_kind::sum;
    case equation_kind::difference:
      return scalar_kind::difference;
    case equation_kind::product:
      return scalar_kind::product;
    case equation_kind::quotient:
      return scalar_kind::quotient;
    case equation_kind::negation:
      return scalar_kind::negation;
    default:
      return scalar_kind::number;
  }
}

/// The comparison that is written so: "<=".
constexpr comparison_sign comparison_sign_of(text_view name) {
  constexpr text_view signs[] = {"<", "<=", ">", ">=", "==", "!="};
  std::uint8_t i = 0;
  while (i < 5 && !(name == signs[i])) ++i;
  return static_cast<comparison_sign>(i);
}

/// Adds the value of an index function: `even(i)`.
constexpr std::uint32_t parity_of(const equation_program& tree, const equation_node& n,
                                  rule_draft& draft) {
  scalar_node s;
  s.kind = scalar_kind::parity;
  s.index = draft.variable(tree.indices[n.indices.first].name);
  s.number = n.name == "odd" ? 1 : 0;
  return draft.scalar(s);
}

/// True for a call of an operator that distributes over an addition, if there is one: what is
/// absent in one of its operands is absent in its value, as in a sum under `max=`.
constexpr bool is_multiplication(const name_table& names, const equation_node& n,
                                 const kernel_spec* addition) {
  if (n.kind != equation_kind::call || addition == nullptr) return false;
  const kernel_spec* const k = names.function(n);
  return k != addition && name_table::is_elementwise(k) && n.children.count == 2 &&
         n.attributes.count == 0 && k->laws.distributes(addition->name);
}
/// The node of an operator's value, without operands.
constexpr scalar_node function_node(const kernel_spec& k) {
  scalar_node f;
  f.kind = scalar_kind::function;
  f.name = text(k.name);
  f.monotone = k.laws.monotone;
  f.selective = k.laws.selective;
  return f;
}
/// Likewise of a multiplication.
constexpr scalar_node multiplication_node(const kernel_spec& k) {
  scalar_node f = function_node(k);
  f.scales = k.laws.commutative && k.laws.associative && k.laws.has_neutral();
  return f;
}

/// The projection of a reduction's operator: sum, max or mean.
constexpr projection projection_of(text_view reduction) {
  return reduction == "max"    ? projection::maximum
         : reduction == "mean" ? projection::mean
                               : projection::sum;
}

}  // namespace wf::logic::detail
