// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/transform/transform.hpp>

// Transforms by matrix structure: symmetric products, triangles, diagonals, transposes.
namespace wf::transforms {

namespace detail {

// True for a single matrix, false for a stack.
constexpr bool is_matrix(const choice_graph& c, value_id id) {
  return c.type_of(id).shape.rank == 2;
}

// True for a matrix large enough for special treatment; see `proposal_limits::large_matrix`.
constexpr bool is_large(const choice_graph& c, value_id id) {
  const shape& s = c.type_of(id).shape;
  const auto is_small = [&](extent e) {
    return e.is_fixed() && e.size() < c.limits().large_matrix;
  };
  return s.rank == 2 && !is_small(s[0]) && !is_small(s[1]);
}
// True for a large matrix; notes that the limit left out what a transform is about to propose for a
// small one.
constexpr bool admits_size(choice_graph& c, value_id id) {
  if (is_large(c, id)) return true;
  if (is_matrix(c, id)) c.note_cut(&proposal_limits::large_matrix);
  return false;
}
// True unless a small matrix needs no further look, since it is noted already that the limit left
// something out.
constexpr bool is_worth_a_look(const choice_graph& c, value_id id) {
  return is_large(c, id) || (is_matrix(c, id) && !c.has_cut(&proposal_limits::large_matrix));
}

// Adds a candidate to the class of `to`.
constexpr result<value_id> offer(choice_graph& c, value_id to, const kernel_spec& k,
                                 value_id first) {
  const auto made = c.add(k, {&first, 1});
  if (made) c.unite(to, *made);
  return made;
}
constexpr result<value_id> offer(choice_graph& c, value_id to, const kernel_spec& k, value_id first,
                                 value_id second) {
  const value_id operands[] = {first, second};
  const auto made = c.add(k, {operands, 2});
  if (made) c.unite(to, *made);
  return made;
}
constexpr result<value_id> transposed(choice_graph& c, value_id of) {
  return c.add(kernels::transpose, {&of, 1});
}

// True if k(of) is among the candidates of a class.
constexpr bool has_candidate(const choice_graph& c, value_id in, const kernel_spec& k,
                             value_id of) {
  const node_id n = c.find(k, {&of, 1});
  return n != node_id::none && c.class_of(c.result_of(n)) == c.class_of(in);
}

// Offers the transpose of `k` applied to (Aᵀ, Bᵀ).
constexpr result<nothing> offer_transposed(choice_graph& c, value_id to, const kernel_spec& k,
                                           value_id first, value_id second) {
  const auto a = transposed(c, first);
  if (!a) return a.error();
  const auto b = transposed(c, second);
  if (!b) return b.error();
  const value_id operands[] = {*a, *b};
  const auto made = c.add(k, {operands, 2});
  if (!made) return made.error();
  const auto turned = offer(c, to, kernels::transpose, *made);
  if (!turned) return turned.error();
  return nothing{};
}

// The kernel for a structured matrix of any size in place of a general one, or null. Triangular and
// diagonal matrices that are not square have no kernels.
constexpr const kernel_spec* structured(const choice_graph& c, value_id matrix,
                                        const kernel_spec& diagonal_one,
                                        const kernel_spec& triangular_one) {
  const shape& s = c.type_of(matrix).shape;
  if (s.rank != 2 || !(s[0] == s[1])) return nullptr;
  const properties known = c.known_of(matrix);
  if (known.has(diagonal)) return &diagonal_one;
  return known.has(lower_triangular) || known.has(upper_triangular) ? &triangular_one : nullptr;
}

// The same for a factor of a product; permutations are square.
constexpr const kernel_spec* structured_factor(const choice_graph& c, value_id matrix) {
  const properties known = c.known_of(matrix);
  if (known.has(permutation) && !known.has(identity) && is_matrix(c, matrix))
    return &kernels::matmul_permutation;
  return structured(c, matrix, kernels::matmul_diagonal, kernels::matmul_triangular);
}

constexpr result<nothing> symmetric_product(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  if (!is_worth_a_look(c, made)) return nothing{};
  if (!c.known_of(made).has(symmetric)) {
    const shape& s = c.type_of(made).shape;
    if (s[0] == s[1]) c.watch(made);
    return nothing{};
  }
  if (!admits_size(c, made)) return nothing{};
  const auto better = offer(c, made, kernels::gemmt, c.inputs_of(id)[0], c.inputs_of(id)[1]);
  if (!better) return better.error();
  return nothing{};
}

constexpr result<nothing> structured_product(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id), left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (!is_matrix(c, left) || !is_matrix(c, right)) return nothing{};
  const kernel_spec* k = structured_factor(c, left);
  if (k != nullptr && admits_size(c, left)) {
    const auto better = offer(c, made, *k, left, right);
    if (!better) return better.error();
  }
  k = structured_factor(c, right);
  if (k != nullptr && admits_size(c, right)) return offer_transposed(c, made, *k, right, left);
  return nothing{};
}

constexpr result<nothing> permuted_vector(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (structured_factor(c, matrix) != &kernels::matmul_permutation || !admits_size(c, matrix))
    return nothing{};
  const auto better =
      offer(c, c.result_of(id), kernels::matvec_permutation, matrix, c.inputs_of(id)[1]);
  if (!better) return better.error();
  return nothing{};
}

// Q⁻¹·B = Qᵀ·B for an orthogonal Q.
constexpr result<nothing> turned_product(choice_graph& c, node_id id, const kernel_spec& product) {
  const auto turned = transposed(c, c.inputs_of(id)[0]);
  if (!turned) return turned.error();
  const auto better = offer(c, c.result_of(id), product, *turned, c.inputs_of(id)[1]);
  if (!better) return better.error();
  return nothing{};
}

constexpr result<nothing> structured_solve(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (c.known_of(matrix).has(orthogonal)) {
    const bool vector = c.type_of(right).shape.rank == 1;
    return turned_product(c, id, vector ? kernels::matvec : kernels::matmul);
  }
  const kernel_spec* k = structured(c, matrix, kernels::solve_diagonal, kernels::solve_triangular);
  if (k == nullptr || !admits_size(c, matrix)) return nothing{};
  const auto better = offer(c, c.result_of(id), *k, matrix, right);
  if (!better) return better.error();
  return nothing{};
}

constexpr result<nothing> structured_inverse(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  const kernel_spec* k =
      structured(c, matrix, kernels::inverse_diagonal, kernels::inverse_triangular);
  if (k == nullptr || !admits_size(c, matrix)) return nothing{};
  const auto better = offer(c, c.result_of(id), *k, matrix);
  if (!better) return better.error();
  return nothing{};
}

// B·A⁻¹ = (A⁻ᵀ·Bᵀ)ᵀ.
constexpr result<nothing> turn_solve(choice_graph& c, node_id id) {
  if (!admits_size(c, c.inputs_of(id)[1])) return nothing{};
  const bool definite = c.applies(id, kernels::solve_right_cholesky);
  return offer_transposed(c, c.result_of(id), definite ? kernels::solve_cholesky : kernels::solve,
                          c.inputs_of(id)[1], c.inputs_of(id)[0]);
}

// (X⁻¹)ᵀ = (Xᵀ)⁻¹.
constexpr result<nothing> turn_inverse(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  if (!is_worth_a_look(c, made)) return nothing{};
  const bool inverts = c.applies(id, kernels::inverse);
  const kernel_spec &outer = inverts ? kernels::inverse : kernels::transpose,
                    &inner = inverts ? kernels::transpose : kernels::inverse;
  for (node_id inside : c.candidates_of(c.inputs_of(id)[0])) {
    if (!c.applies(inside, inner)) continue;
    const value_id of = c.inputs_of(inside)[0];
    const node_id known = c.find(outer, {&of, 1});
    if (known != node_id::none && has_candidate(c, made, inner, c.result_of(known))) continue;
    if (!admits_size(c, made)) return nothing{};
    const auto turned = c.add(outer, {&of, 1});
    if (!turned) return turned.error();
    const auto other = offer(c, made, inner, *turned);
    if (!other) return other.error();
  }
  return nothing{};
}

// Calls f(value) for each known transpose of a matrix.
template <class F>
constexpr void each_transpose(const choice_graph& c, value_id of, F f) {
  if (c.known_of(of).has(symmetric)) f(of);
  for (node_id n : c.candidates_of(of))
    if (c.applies(n, kernels::transpose)) f(c.inputs_of(n)[0]);
  if (const node_id n = c.find(kernels::transpose, {&of, 1}); n != node_id::none) f(c.result_of(n));
}

// True if a matrix of any size is symmetric and has no stronger structure.
constexpr bool is_only_symmetric(const choice_graph& c, value_id matrix) {
  return is_matrix(c, matrix) && c.known_of(matrix).has(symmetric) &&
         structured_factor(c, matrix) == nullptr;
}

constexpr bool is_transpose(const choice_graph& c, value_id of, value_id other) {
  bool found = false;
  each_transpose(c, of, [&](value_id t) { found = found || c.class_of(t) == c.class_of(other); });
  return found;
}

// Xᵀ·(P·X) = F + Fᵀ, F = Xᵀ·(T·X), where P = T + Tᵀ is symmetric.
constexpr result<nothing> halved_congruence(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id), left = c.inputs_of(id)[0];
  if (!is_worth_a_look(c, made) || !c.known_of(made).has(symmetric)) return nothing{};
  for (const node_id inner : c.candidates_of(c.inputs_of(id)[1])) {
    if (!c.applies(inner, kernels::matmul)) continue;
    const value_id operands[] = {c.inputs_of(inner)[0], c.inputs_of(inner)[1]};
    if (!is_only_symmetric(c, operands[0]) || !is_transpose(c, left, operands[1])) continue;
    if (!admits_size(c, made) || !admits_size(c, operands[0])) continue;
    const auto half = c.add(kernels::matmul_half, {operands, 2});
    if (!half) return half.error();
    const auto better = offer(c, made, kernels::syr2k, left, *half);
    if (!better) return better.error();
  }
  return nothing{};
}

// A·B + (A·B)ᵀ. Any sum of a matrix and its transpose is symmetric.
constexpr result<nothing> product_and_transpose(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id), left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (!is_matrix(c, left) || !is_worth_a_look(c, made) || !is_transpose(c, left, right))
    return nothing{};
  if (!c.known_of(made).has(symmetric) && !admits_size(c, made)) return nothing{};
  c.assume(made, symmetric);
  for (const value_id term : {left, right})
    for (const node_id n : c.candidates_of(term)) {
      if (!c.applies(n, kernels::matmul)) continue;
      if (!admits_size(c, made)) return nothing{};
      const auto better = offer(c, made, kernels::syr2k, c.inputs_of(n)[0], c.inputs_of(n)[1]);
      if (!better) return better.error();
    }
  return nothing{};
}

// Only for a single column or row: with several, products read the matrix from a cache.
constexpr result<nothing> symmetric_times_column(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id), left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  const shape s = c.type_of(made).shape;  // a copy: offers may move the values
  if (s.rank != 2) return nothing{};
  if (s[1] == extent(1) && is_only_symmetric(c, left) && admits_size(c, left)) {
    const auto better = offer(c, made, kernels::matmul_symmetric, left, right);
    if (!better) return better.error();
  }
  if (s[0] == extent(1) && is_only_symmetric(c, right) && admits_size(c, right))
    return offer_transposed(c, made, kernels::matmul_symmetric, right, left);
  return nothing{};
}

constexpr result<nothing> symmetric_matrix_vector(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (!is_only_symmetric(c, matrix) || !admits_size(c, matrix)) return nothing{};
  const auto better =
      offer(c, c.result_of(id), kernels::matvec_symmetric, matrix, c.inputs_of(id)[1]);
  if (!better) return better.error();
  return nothing{};
}

// Half the arithmetic of LU for a symmetric matrix that is not known to be definite.
constexpr result<nothing> symmetric_solve(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (!is_only_symmetric(c, matrix) || c.known_of(matrix).has(spd) || !admits_size(c, matrix))
    return nothing{};
  const auto better =
      offer(c, c.result_of(id), kernels::solve_symmetric, matrix, c.inputs_of(id)[1]);
  if (!better) return better.error();
  return nothing{};
}
constexpr result<nothing> symmetric_inverse(choice_graph& c, node_id id) {
  const value_id matrix = c.inputs_of(id)[0];
  if (!is_only_symmetric(c, matrix) || c.known_of(matrix).has(spd) || !admits_size(c, matrix))
    return nothing{};
  const auto better = offer(c, c.result_of(id), kernels::inverse_symmetric, matrix);
  if (!better) return better.error();
  return nothing{};
}

// If Bᵀ·Aᵀ exists beside A·B, it is the transpose of A·B.
constexpr result<nothing> same_transposed(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id), left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
  if (!is_matrix(c, left) || !is_worth_a_look(c, made)) return nothing{};
  node_id found = node_id::none;
  each_transpose(c, right, [&](value_id first) {
    each_transpose(c, left, [&](value_id second) {
      const value_id operands[] = {first, second};
      if (const node_id n = c.find(kernels::matmul, {operands, 2}); n != node_id::none) found = n;
    });
  });
  if (found == node_id::none || found == id) return nothing{};
  if (has_candidate(c, c.result_of(found), kernels::transpose, made)) return nothing{};
  if (!admits_size(c, made)) return nothing{};
  const auto turned = offer(c, c.result_of(found), kernels::transpose, made);
  if (!turned) return turned.error();
  return nothing{};
}

}  // namespace detail

/// Computes one triangle of a product known to be symmetric.
inline constexpr transform symmetric_product{"linalg",
                                             "symmetric_product",
                                             "one triangle of a symmetric product",
                                             &detail::symmetric_product,
                                             true,
                                             "matmul"};
/// A congruence with half of its symmetric matrix: half the products.
inline constexpr transform halved_congruence{"linalg",
                                             "halved_congruence",
                                             "half of a symmetric matrix, multiplied twice",
                                             &detail::halved_congruence,
                                             true,
                                             "matmul"};
/// The sum of a product and its transpose, accumulated onto the product.
inline constexpr transform product_and_transpose{"linalg",
                                                 "product_and_transpose",
                                                 "a product and its transpose at once",
                                                 &detail::product_and_transpose,
                                                 true,
                                                 "add"};
/// The product of a symmetric matrix, of which one triangle is read, and a column.
inline constexpr transform symmetric_times_column{"linalg",
                                                  "symmetric_times_column",
                                                  "one triangle of a symmetric matrix",
                                                  &detail::symmetric_times_column,
                                                  true,
                                                  "matmul"};
/// The product of a symmetric matrix, of which one triangle is read, and a vector.
inline constexpr transform symmetric_matrix_vector{"linalg",
                                                   "symmetric_matrix_vector",
                                                   "one triangle of a symmetric matrix",
                                                   &detail::symmetric_matrix_vector,
                                                   true,
                                                   "matvec"};
/// L·D·Lᵀ factors of a symmetric, possibly indefinite matrix, instead of LU.
inline constexpr transform symmetric_solve{
    "linalg", "symmetric_solve", "symmetric factors instead of LU", &detail::symmetric_solve, true,
    "solve"};
/// The inverse of a symmetric, possibly indefinite matrix.
inline constexpr transform symmetric_inverse{"linalg",
                                             "symmetric_inverse",
                                             "symmetric factors instead of LU",
                                             &detail::symmetric_inverse,
                                             true,
                                             "inverse"};
/// A product of a permutation matrix and a vector moves elements.
inline constexpr transform permuted_vector{
    "linalg", "permuted_vector", "a product that moves elements", &detail::permuted_vector,
    true,     "matvec"};
/// A product with a triangular, diagonal or permutation matrix.
inline constexpr transform structured_product{
    "linalg", "structured_product", "a product that skips zeros", &detail::structured_product, true,
    "matmul"};
/// Substitution for a triangular matrix, divisions for a diagonal one, a product with the transpose
/// for an orthogonal one.
inline constexpr transform structured_solve{"linalg",
                                            "structured_solve",
                                            "substitution instead of elimination",
                                            &detail::structured_solve,
                                            true,
                                            "solve"};
/// The inverse of a triangular or a diagonal matrix.
inline constexpr transform structured_inverse{"linalg",
                                              "structured_inverse",
                                              "an inverse that skips zeros",
                                              &detail::structured_inverse,
                                              true,
                                              "inverse"};
/// A solution with a matrix on the right, by its transpose on the left.
inline constexpr transform turn_solve{
    "linalg", "turn_solve", "the transposed system instead", &detail::turn_solve,
    true,     "solve_right"};
/// `turn_solve` for a definite matrix.
inline constexpr transform turn_definite_solve{
    "linalg", "turn_definite_solve", "the transposed system instead", &detail::turn_solve,
    true,     "solve_right_cholesky"};
/// The inverse of a transpose is the transpose of the inverse.
inline constexpr transform turn_inverse{
    "linalg", "turn_inverse", "the transpose of the inverse", &detail::turn_inverse,
    true,     "inverse"};
/// The transpose of an inverse is the inverse of the transpose.
inline constexpr transform turn_transpose{
    "linalg", "turn_transpose", "the inverse of the transpose", &detail::turn_inverse,
    true,     "transpose"};
/// A product whose transpose is also computed equals the transpose of that.
inline constexpr transform same_transposed{"linalg",
                                           "same_transposed",
                                           "the transpose of a product that is there",
                                           &detail::same_transposed,
                                           true,
                                           "matmul"};

}  // namespace wf::transforms
