// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/capture/equations/indices.hpp>
#include <wf/logic/program/tensor_program.hpp>

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

/// The projection of a reduction's operator: sum, max or mean.
constexpr projection projection_of(text_view reduction) {
  return reduction == "max"    ? projection::maximum
         : reduction == "mean" ? projection::mean
                               : projection::sum;
}

}  // namespace wf::logic::detail
