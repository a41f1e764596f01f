// SPDX-License-Identifier: BSL-1.0
#pragma once

// Gauss-Jordan elimination with row exchanges as a user-defined domain: its operators, their costs,
// and the transform that offers it as an alternative to the library's inverse. elimination_code.hpp
// has the implementations of the operators.
#include <wf/choice/graph/choice_graph.hpp>
#include <wf/choice/transform/transform.hpp>

namespace elimination {

/// The identity permutation, one entry per row of A, with which the elimination starts.
inline constexpr wf::kernel_spec identity_permutation{.name = "identity_permutation",
                                                      .domain = "elimination",
                                                      .signature = "A[M, N] -> p: i64 [M]",
                                                      .costs = {{"flops", "0"}},
                                                      .summary = "the identity permutation"};

/// The largest magnitude of each column, with which its pivot is compared. A magnitude and a
/// comparison per element.
inline constexpr wf::kernel_spec column_magnitudes{
    .name = "column_magnitudes",
    .domain = "elimination",
    .signature = "A: floating [M, N] -> m: floating [N]",
    .costs = {{"flops", "2*M*N"}},
    .summary = "the largest magnitude of each column"};

/// First part of a step: finds the row with the largest remaining entry of the step's column and
/// records it in the permutation. At most a magnitude and a comparison per row.
inline constexpr wf::kernel_spec find_pivot{
    .name = "find_pivot",
    .domain = "elimination",
    .signature = "A: floating [M, N], through p: i64 [M], steps: extent -> q: i64 [M]",
    .costs = {{"flops", "steps*2*M"}},
    .in_place = true,
    .summary = "the pivot row of a column"};

/// Second part: exchanges the pivot row with the diagonal one. It only moves elements; the case
/// study prices an exchange of two elements as one operation.
inline constexpr wf::kernel_spec swap_rows{
    .name = "swap_rows",
    .domain = "elimination",
    .signature = "through A: floating [M, N], p: i64 [M], steps: extent -> C: floating [M, N]",
    .costs = {{"flops", "steps*M"}},
    .in_place = true,
    .summary = "exchanges the pivot row with the diagonal row"};

/// Third part, in place (Gauss-Jordan): divides the pivot row and eliminates the column in all
/// other rows. A multiply-add, which is two flops, per element.
inline constexpr wf::kernel_spec row_deconstruct{
    .name = "row_deconstruct",
    .domain = "elimination",
    .signature = "through A: floating [M, N], m: floating [N], steps: extent -> C: floating [M, N]",
    .costs = {{"flops", "steps*2*M*N"}, {"macs", "steps*M*N"}},
    .in_place = true,
    .summary = "eliminates a column from all other rows"};

/// Undoes the row exchanges of the elimination on the columns of the inverse computed in place.
inline constexpr wf::kernel_spec permute_columns{
    .name = "permute_columns",
    .domain = "elimination",
    .signature = "through A: floating [M, N], p: i64 [N] -> C: floating [M, N]",
    .costs = {{"flops", "0"}},
    .in_place = true,
    .summary = "exchanges columns in the reverse order of a permutation"};

/// The operators of the domain.
inline constexpr const wf::kernel_spec* domain[] = {&identity_permutation, &column_magnitudes,
                                                    &find_pivot,           &swap_rows,
                                                    &row_deconstruct,      &permute_columns};

namespace detail {

// A loop with one step per row of A.
constexpr wf::result<wf::nothing> propose(wf::choice_graph& c, wf::node_id id) {
  const wf::value_id a = c.inputs_of(id)[0];
  const wf::attribute_value steps =
      wf::attribute_value::dimension("steps", c.type_of(a).shape.extents[0]);
  const wf::view<wf::attribute_value> loop(&steps, 1);
  const auto start = c.add(identity_permutation, {&a, 1});
  if (!start) return start.error();
  const auto magnitudes = c.add(column_magnitudes, {&a, 1});
  if (!magnitudes) return magnitudes.error();
  const wf::value_id find[] = {a, *start};
  const auto pivot = c.add(find_pivot, {find, 2}, loop);
  if (!pivot) return pivot.error();
  const wf::value_id swap[] = {a, *pivot};
  const auto swapped = c.add(swap_rows, {swap, 2}, loop);
  if (!swapped) return swapped.error();
  const wf::value_id reduce[] = {*swapped, *magnitudes};
  const auto reduced = c.add(row_deconstruct, {reduce, 2}, loop);
  if (!reduced) return reduced.error();
  const wf::value_id undo[] = {*reduced, *pivot};
  const auto made = c.add(permute_columns, {undo, 2});
  if (!made) return made.error();
  c.unite(c.result_of(id), *made);
  return wf::nothing{};
}

}  // namespace detail

/// A⁻¹ by elimination as an alternative to the built-in inverse, step by step as hardware executes
/// it.
inline constexpr wf::transform instead_of_inverse{
    .domain = "elimination",
    .name = "gauss_jordan",
    .summary = "Gauss-Jordan elimination instead of the library's inverse",
    .propose = &detail::propose,
    .op = "inverse"};

}  // namespace elimination
