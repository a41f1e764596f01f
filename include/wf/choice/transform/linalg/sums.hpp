// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <utility>

#include <wf/choice/transform/linalg/structure.hpp>

// Products of sums, expanded where that may pay, and scalar factors moved out of products. For
// products among the terms of sums see added_products.hpp.
namespace wf::transforms {

namespace detail {

// True if a class has a product of matrices among its candidates, perhaps scaled.
constexpr bool has_product(const choice_graph& c, value_id id, int depth = 1) {
  for (node_id n : c.candidates_of(id)) {
    if (c.applies(n, kernels::matmul)) return true;
    if (depth == 0 || !c.applies(n, kernels::multiply)) continue;
    for (value_id operand : c.inputs_of(n))
      if (has_product(c, operand, depth - 1)) return true;
  }
  return false;
}

// True if the other factor is so thin that two thin products may cost less than one full product.
constexpr bool is_thin(const choice_graph& c, value_id sum, value_id other, std::size_t side) {
  const shape &s = c.type_of(sum).shape, &o = c.type_of(other).shape;
  if (o.rank == 1) return true;
  const extent outer = o[side == 0 ? 1 : 0], inner = s[side == 0 ? 0 : 1];
  return outer.is_fixed() && inner.is_fixed() && 2 * outer.size() <= inner.size();
}

// (X + Y)·Z = X·Z + Y·Z, for sums and differences on either side of a product, if X or Y is the
// identity, or if one is a product and Z is thin.
constexpr result<nothing> expand_sum(choice_graph& c, node_id id) {
  const std::uint32_t expansions = c.times_derived(id) + 1;
  const bool vector = c.applies(id, kernels::matvec);
  for (std::size_t side = 0; side < 2; ++side) {
    const value_id factor = c.inputs_of(id)[side], other = c.inputs_of(id)[1 - side];
    if (!is_matrix(c, factor) || c.type_of(other).shape.rank > 2) continue;
    const bool thin = is_thin(c, factor, other, side);
    for (node_id sum : c.candidates_of(factor)) {
      const bool minus = c.applies(sum, kernels::subtract);
      if (!minus && !c.applies(sum, kernels::add)) continue;
      const value_id terms[] = {c.inputs_of(sum)[0], c.inputs_of(sum)[1]};
      if (c.type_of(terms[0]).shape.rank != 2 || c.type_of(terms[1]).shape.rank != 2) continue;
      const bool neutral = c.known_of(terms[0]).has(identity) || c.known_of(terms[1]).has(identity);
      if (thin && !neutral && expansions <= c.limits().sum_expansions)
        for (value_id term : terms) c.watch(term);
      if (!neutral && !(thin && (has_product(c, terms[0]) || has_product(c, terms[1])))) continue;
      if (!c.admits(&proposal_limits::sum_expansions, expansions)) return nothing{};
      value_id products[2];
      for (std::size_t k = 0; k < 2; ++k) {
        products[k] = other;
        if (c.known_of(terms[k]).has(identity)) continue;
        const value_id operands[] = {side == 0 ? terms[k] : other, side == 0 ? other : terms[k]};
        const auto made = c.add(vector ? kernels::matvec : kernels::matmul, operands);
        if (!made) return made.error();
        products[k] = *made;
      }
      const auto made = offer(c, c.result_of(id), minus ? kernels::subtract : kernels::add,
                              products[0], products[1]);
      if (!made) return made.error();
    }
  }
  return nothing{};
}

// (r·X)·Y = r·(X·Y) = X·(r·Y) for a scalar r; likewise (-X)·Y.
constexpr result<nothing> hoist_scalar(choice_graph& c, node_id id) {
  const std::uint32_t expansions = c.times_derived(id) + 1;
  const bool vector = c.applies(id, kernels::matvec);
  for (std::size_t side = 0; side < 2; ++side) {
    const value_id other = c.inputs_of(id)[1 - side];
    for (node_id scaled : c.candidates_of(c.inputs_of(id)[side])) {
      const bool minus = c.applies(scaled, kernels::negate);
      if (!minus && !c.applies(scaled, kernels::multiply)) continue;
      value_id matrix = c.inputs_of(scaled)[0], scalar = value_id::none;
      if (!minus) {
        scalar = c.inputs_of(scaled)[1];
        if (c.type_of(matrix).shape.rank == 0) std::swap(matrix, scalar);
        if (c.type_of(scalar).shape.rank != 0) continue;
      }
      if (c.type_of(matrix).shape.rank == 0 || c.type_of(other).shape.rank > 2) continue;
      if (!c.admits(&proposal_limits::sum_expansions, expansions)) return nothing{};
      const value_id operands[] = {side == 0 ? matrix : other, side == 0 ? other : matrix};
      const auto made = c.add(vector ? kernels::matvec : kernels::matmul, operands);
      if (!made) return made.error();
      const auto whole = minus ? offer(c, c.result_of(id), kernels::negate, *made)
                               : offer(c, c.result_of(id), kernels::multiply, scalar, *made);
      if (!whole) return whole.error();
    }
  }
  return nothing{};
}

// X + (-Y) = X - Y, (-Y) + X = X - Y, X - (-Y) = X + Y.
constexpr result<nothing> drop_negation(choice_graph& c, node_id id) {
  const bool minus = c.applies(id, kernels::subtract);
  const value_id terms[] = {c.inputs_of(id)[0], c.inputs_of(id)[1]};
  for (std::size_t k = minus ? 1 : 0; k < 2; ++k)
    for (node_id n : c.candidates_of(terms[k])) {
      if (!c.applies(n, kernels::negate)) continue;
      const auto better = offer(c, c.result_of(id), minus ? kernels::add : kernels::subtract,
                                terms[1 - k], c.inputs_of(n)[0]);
      if (!better) return better.error();
    }
  return nothing{};
}

}  // namespace detail

/// Expands a matrix product with a sum into a sum of products: for I + X or I - X, and if the other
/// factor is thin and a term is a product.
inline constexpr transform expand_sum{
    "linalg", "expand_sum", "a product with a sum, expanded", &detail::expand_sum, true, "matmul"};
/// `expand_sum` for a product with a vector.
inline constexpr transform expand_vector_sum{
    "linalg", "expand_vector_sum", "a product with a sum, expanded", &detail::expand_sum, true,
    "matvec"};
/// Moves a scalar factor or a sign from a factor to the product.
inline constexpr transform hoist_scalar{
    "linalg", "hoist_scalar", "a scalar moved out of a product", &detail::hoist_scalar,
    true,     "matmul"};
/// `hoist_scalar` for a product with a vector.
inline constexpr transform hoist_vector_scalar{
    "linalg", "hoist_vector_scalar", "a scalar moved out of a product", &detail::hoist_scalar, true,
    "matvec"};
/// Adding a negated term becomes a subtraction.
inline constexpr transform drop_negation{"linalg",
                                         "drop_negation",
                                         "a difference instead of a negated term",
                                         &detail::drop_negation,
                                         true,
                                         "add"};
/// Subtracting a negated term becomes an addition.
inline constexpr transform drop_subtracted_negation{"linalg",
                                                    "drop_subtracted_negation",
                                                    "a sum instead of a negated term",
                                                    &detail::drop_negation,
                                                    true,
                                                    "subtract"};

}  // namespace wf::transforms
