// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/choice/chain_order.hpp>

namespace wf::transforms {

namespace detail {

// Properties that follow from operands' inferred ones: sums of semidefinite matrices.
constexpr result<nothing> infer_sums(choice_graph& c, node_id id) {
  const value_type types[] = {c.type_of(c.inputs_of(id)[0]), c.type_of(c.inputs_of(id)[1])};
  c.assume(c.result_of(id), kernels::add.result_properties({{types, 2}, {}}));
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

/// A sum of positive semidefinite matrices is one; with a definite one among them, definite.
inline constexpr transform infer_sums{
    "linalg", "infer_sums", "properties of sums from those of their terms", &detail::infer_sums,
    true,     "add"};
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
inline constexpr transform linalg_transforms[] = {infer_sums, chain_order, definite_solve,
                                                  gaussian_elimination, strassen_split};

}  // namespace wf::transforms
