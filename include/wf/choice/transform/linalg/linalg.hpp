// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/linalg/added_products.hpp>
#include <wf/choice/transform/linalg/definite.hpp>
#include <wf/choice/transform/linalg/factors.hpp>
#include <wf/choice/transform/linalg/parts.hpp>
#include <wf/choice/transform/linalg/sums.hpp>

namespace wf::transforms {

namespace detail {

constexpr result<nothing> inverted(choice_graph& c, node_id id) {
  c.assume(c.inputs_of(id)[0], nonsingular);
  return nothing{};
}

// I·X = X = X·I.
constexpr result<nothing> neutral_factor(choice_graph& c, node_id id) {
  const value_id left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (!is_matrix(c, left) || c.type_of(right).shape.rank > 2) return nothing{};
  if (c.known_of(left).has(identity))
    c.unite(c.result_of(id), right);
  else if (c.known_of(right).has(identity))
    c.unite(c.result_of(id), left);
  return nothing{};
}

// Involutions cancel: a transpose of a transpose, an inverse of an inverse.
constexpr void drop_twice(choice_graph& c, node_id id) {
  for (node_id inner : c.candidates_of(c.inputs_of(id)[0]))
    if (c.op_hash(inner) == c.op_hash(id)) c.unite(c.result_of(id), c.inputs_of(inner)[0]);
}

constexpr result<nothing> neutral_transpose(choice_graph& c, node_id id) {
  const value_id of = c.inputs_of(id)[0];
  if (!is_matrix(c, of)) return nothing{};
  if (c.known_of(of).has(symmetric)) c.unite(c.result_of(id), of);
  drop_twice(c, id);
  return nothing{};
}

constexpr result<nothing> easy_inverse(choice_graph& c, node_id id) {
  const value_id of = c.inputs_of(id)[0];
  if (!is_matrix(c, of)) return nothing{};
  const bool is_identity = c.known_of(of).has(identity);
  if (is_identity) c.unite(c.result_of(id), of);
  drop_twice(c, id);
  if (is_identity || !c.known_of(of).has(orthogonal)) return nothing{};
  const auto turned = c.add(kernels::transpose, {&of, 1});
  if (!turned) return turned.error();
  c.unite(c.result_of(id), *turned);
  return nothing{};
}

// Seven half-size products must beat eight, sums included; extents must be even.
constexpr result<nothing> strassen_split(choice_graph& c, node_id id) {
  const value_id operands[] = {c.inputs_of(id)[0], c.inputs_of(id)[1]};
  for (value_id operand : operands) {
    const shape& s = c.type_of(operand).shape;
    if (s.rank != 2) return nothing{};
    for (std::uint32_t d = 0; d < 2; ++d)
      if (!s[d].is_fixed() || s[d].size() < 512 || s[d].size() % 2 != 0) return nothing{};
  }
  const auto made = c.add(kernels::matmul_strassen, {operands, 2});
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return nothing{};
}

}  // namespace detail

/// A matrix that is inverted is nonsingular.
inline constexpr transform inverted{
    "linalg", "inverted", "what is inverted has an inverse", &detail::inverted, true, "inverse"};
/// The identity is dropped from matrix products.
inline constexpr transform neutral_factor{
    "linalg", "neutral_factor", "without the identity", &detail::neutral_factor, true, "matmul"};
/// The identity is dropped from products of a matrix and a vector.
inline constexpr transform neutral_matrix{
    "linalg", "neutral_matrix", "without the identity", &detail::neutral_factor, true, "matvec"};
/// A symmetric matrix equals its transpose; a double transpose cancels.
inline constexpr transform neutral_transpose{"linalg",
                                             "neutral_transpose",
                                             "without a transpose that changes nothing",
                                             &detail::neutral_transpose,
                                             true,
                                             "transpose"};
/// The inverse of the identity is the identity, that of an orthogonal matrix its transpose; a
/// double inverse cancels.
inline constexpr transform easy_inverse{
    "linalg", "easy_inverse", "an inverse that needs no computing", &detail::easy_inverse,
    true,     "inverse"};
/// One level of Strassen's product for even extents of at least 512.
inline constexpr transform strassen_split{"linalg",
                                          "strassen_split",
                                          "seven half-size products instead of eight",
                                          &detail::strassen_split,
                                          true,
                                          "matmul"};

/// The transforms of the domain, in order of application.
inline constexpr transform linalg_transforms[] = {inverted,
                                                  neutral_factor,
                                                  neutral_matrix,
                                                  neutral_transpose,
                                                  easy_inverse,
                                                  turn_inverse,
                                                  turn_transpose,
                                                  expand_sum,
                                                  expand_vector_sum,
                                                  add_product,
                                                  subtract_product,
                                                  collect_factor,
                                                  collect_subtracted_factor,
                                                  hoist_scalar,
                                                  hoist_vector_scalar,
                                                  drop_negation,
                                                  drop_subtracted_negation,
                                                  chain_order,
                                                  definite_solve,
                                                  structured_product,
                                                  permuted_vector,
                                                  structured_solve,
                                                  structured_inverse,
                                                  symmetric_solve,
                                                  symmetric_inverse,
                                                  turn_solve,
                                                  turn_definite_solve,
                                                  symmetric_product,
                                                  halved_congruence,
                                                  product_and_transpose,
                                                  symmetric_times_column,
                                                  symmetric_matrix_vector,
                                                  same_transposed,
                                                  factor_solve,
                                                  lu_solve,
                                                  ldl_solve,
                                                  half_solve,
                                                  woodbury,
                                                  strassen_split,
                                                  push_part,
                                                  push_diagonal,
                                                  push_trace,
                                                  join_parts,
                                                  invert_blocks,
                                                  transpose_blocks,
                                                  multiply_blocks,
                                                  multiply_vector_blocks,
                                                  solve_blocks};

}  // namespace wf::transforms
