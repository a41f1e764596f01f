// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/chain_order.hpp>

namespace wf::transforms {

namespace detail {

// Properties that follow from operands' inferred ones; what is inverted has an inverse.
constexpr result<nothing> infer_known(choice_graph& c, node_id id) {
  struct rule {
    std::uint64_t op;
    const kernel_spec* kernel;
  };
  constexpr auto about = [](const kernel_spec& k) { return rule{hash_text(k.name), &k}; };
  constexpr rule rules[] = {about(kernels::add),      about(kernels::subtract),
                            about(kernels::multiply), about(kernels::divide),
                            about(kernels::negate),   about(kernels::matmul),
                            about(kernels::inverse),  about(kernels::transpose)};
  const std::uint64_t op = c.op_hash(id);
  for (const rule& r : rules) {
    if (r.op != op) continue;
    value_type types[2];
    const view<value_id> operands = c.inputs_of(id);
    for (std::size_t i = 0; i < operands.size(); ++i) types[i] = c.type_of(operands[i]);
    const value_id first = operands[0];
    c.assume(c.result_of(id), r.kernel->result_properties({{types, operands.size()}, {}}));
    if (r.kernel == &kernels::inverse) c.assume(first, nonsingular);
  }
  return nothing{};
}

// True for a matrix, not a stack of them.
constexpr bool is_matrix(const choice_graph& c, value_id id) {
  return c.type_of(id).shape.rank == 2;
}

// I·X = X = X·I; a symmetric matrix is its transpose; I is its inverse; of an orthogonal matrix the
// transpose is; and twice transposed or inverted is not at all.
constexpr result<nothing> drop_neutral(choice_graph& c, node_id id) {
  const value_id made = c.result_of(id);
  if (c.applies(id, kernels::matmul) || c.applies(id, kernels::matvec)) {
    const value_id left = c.inputs_of(id)[0], right = c.inputs_of(id)[1];
    if (!is_matrix(c, left) || c.type_of(right).shape.rank > 2) return nothing{};
    if (c.known_of(left).has(identity))
      c.unite(made, right);
    else if (c.known_of(right).has(identity))
      c.unite(made, left);
    return nothing{};
  }
  const bool flips = c.applies(id, kernels::transpose);
  if ((!flips && !c.applies(id, kernels::inverse)) || !is_matrix(c, made)) return nothing{};
  const value_id of = c.inputs_of(id)[0];
  const properties known = c.known_of(of);
  if (known.has(flips ? properties(symmetric) : properties(identity))) c.unite(made, of);
  for (node_id inner : c.candidates_of(of))
    if (c.applies(inner, flips ? kernels::transpose : kernels::inverse))
      c.unite(made, c.inputs_of(inner)[0]);
  if (flips || !known.has(orthogonal) || known.has(identity)) return nothing{};
  const auto turned = c.add(kernels::transpose, {&of, 1});
  if (!turned) return turned.error();
  c.unite(made, *turned);
  return nothing{};
}

// (I + X)·Y = Y + X·Y, for sums and differences with the identity on either side of a product.
constexpr result<nothing> expand_identity(choice_graph& c, node_id id) {
  const bool vector = c.applies(id, kernels::matvec);
  if (!vector && !c.applies(id, kernels::matmul)) return nothing{};
  for (std::size_t side = 0; side < 2; ++side) {
    const value_id factor = c.inputs_of(id)[side];
    if (!is_matrix(c, factor)) continue;
    for (node_id sum : c.candidates_of(factor)) {
      const bool minus = c.applies(sum, kernels::subtract);
      if (!minus && !c.applies(sum, kernels::add)) continue;
      const value_id terms[] = {c.inputs_of(sum)[0], c.inputs_of(sum)[1]};
      if (!c.known_of(terms[0]).has(identity) && !c.known_of(terms[1]).has(identity)) continue;
      value_id products[2];
      for (std::size_t k = 0; k < 2; ++k) {
        const value_id other = c.inputs_of(id)[1 - side];
        products[k] = other;
        if (c.known_of(terms[k]).has(identity)) continue;
        const value_id operands[] = {side == 0 ? terms[k] : other, side == 0 ? other : terms[k]};
        const auto made = c.add(vector ? kernels::matvec : kernels::matmul, operands);
        if (!made) return made.error();
        products[k] = *made;
      }
      const auto made = c.add(minus ? kernels::subtract : kernels::add, products);
      if (!made) return made.error();
      c.unite(c.result_of(id), *made);
    }
  }
  return nothing{};
}

constexpr result<nothing> definite_solve(choice_graph& c, node_id id) {
  struct variant {
    const kernel_spec* general;
    const kernel_spec* definite;
    std::size_t matrix;  // which operand it is about
  };
  constexpr variant variants[] = {{&kernels::solve, &kernels::solve_cholesky, 0},
                                  {&kernels::solve_vector, &kernels::solve_vector_cholesky, 0},
                                  {&kernels::solve_right, &kernels::solve_right_cholesky, 1},
                                  {&kernels::inverse, &kernels::inverse_cholesky, 0}};
  const kernel_spec* better = nullptr;
  for (const variant& v : variants)
    if (c.applies(id, *v.general) && c.known_of(c.inputs_of(id)[v.matrix]).has(spd))
      better = v.definite;
  if (better == nullptr) return nothing{};
  const table<value_id> operands(c.inputs_of(id));
  const auto made = c.add(*better, operands);
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return nothing{};
}

constexpr result<nothing> gaussian_elimination(choice_graph& c, node_id id) {
  const value_id a = c.inputs_of(id)[0];
  const attribute_value steps = attribute_value::dimension("steps", c.type_of(a).shape.extents[0]);
  const view<attribute_value> loop(&steps, 1);
  const auto start = c.add(kernels::identity_permutation, {&a, 1});
  if (!start) return start.error();
  const value_id find[] = {a, *start};
  const auto pivot = c.add(kernels::find_pivot, {find, 2}, loop);
  if (!pivot) return pivot.error();
  const value_id swap[] = {a, *pivot};
  const auto swapped = c.add(kernels::swap_rows, {swap, 2}, loop);
  if (!swapped) return swapped.error();
  const auto reduced = c.add(kernels::row_deconstruct, {&*swapped, 1}, loop);
  if (!reduced) return reduced.error();
  const value_id undo[] = {*reduced, *pivot};
  const auto made = c.add(kernels::permute_columns, {undo, 2});
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return nothing{};
}

// Worth it only where seven half products beat eight, sums included; extents must be even.
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

/// The properties of results, once more of their operands is known (see property_rules.hpp).
inline constexpr transform infer_known{"linalg", "infer_known",
                                       "properties of a result from those of its operands",
                                       &detail::infer_known};
/// The identity leaves products; a symmetric matrix is its transpose; an orthogonal one's transpose
/// its inverse.
inline constexpr transform drop_neutral{"linalg", "drop_neutral", "without what changes nothing",
                                        &detail::drop_neutral};
/// A product with I + X or I - X as a sum.
inline constexpr transform expand_identity{"linalg", "expand_identity",
                                           "a product with a sum of the identity, expanded",
                                           &detail::expand_identity};
/// Cholesky instead of LU for a matrix that is declared or inferred positive definite.
inline constexpr transform definite_solve{"linalg", "definite_solve",
                                          "Cholesky instead of LU for a definite matrix",
                                          &detail::definite_solve};
/// Gaussian elimination step by step instead of the library's inverse.
inline constexpr transform gaussian_elimination{
    "linalg",
    "gaussian_elimination",
    "Gaussian elimination instead of the library's inverse",
    &detail::gaussian_elimination,
    true,
    "inverse"};
/// One level of Strassen's product for even extents of at least 512.
inline constexpr transform strassen_split{"linalg",
                                          "strassen_split",
                                          "seven half-size products instead of eight",
                                          &detail::strassen_split,
                                          true,
                                          "matmul"};

/// The transforms of the domain, in the order they are applied.
inline constexpr transform linalg_transforms[] = {
    infer_known,    drop_neutral,         expand_identity, chain_order,
    definite_solve, gaussian_elimination, strassen_split};

}  // namespace wf::transforms
