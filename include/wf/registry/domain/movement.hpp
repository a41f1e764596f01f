// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/constant_rule.hpp>
#include <wf/registry/domain/movement_adjoints.hpp>
#include <wf/registry/scratch.hpp>
#include <wf/registry/shape_rule.hpp>

namespace wf::kernels {

namespace detail {

// Dimension i of the result walks along dimension p<i> of the operand.
constexpr view_reading read_permuted(const rule_input& in, std::uint32_t) {
  const std::uint32_t rank = in.operands[0].shape.rank;
  view_reading out = view_reading::straight(rank);
  for (std::uint32_t i = 0; i < rank; ++i) {
    const std::int64_t p = in.integer(permuted_dimension_names[i], -1);
    if (p < 0 || p >= rank) return {};
    out.walker[p] = static_cast<std::uint8_t>(i);
  }
  return out;
}

// A walk from index `start` of dimension `axis`.
constexpr view_reading read_sliced(const rule_input& in, std::uint32_t) {
  const shape& from = in.operands[0].shape;
  view_reading out = view_reading::straight(from.rank);
  if (const std::uint32_t axis = axis_of(in, from); axis < from.rank)
    out.start[axis] = in.integer("start", 0);
  return out;
}

// Part number `result` of `parts` equal parts.
constexpr view_reading read_part(const rule_input& in, std::uint32_t result) {
  const shape& from = in.operands[0].shape;
  view_reading out = view_reading::straight(from.rank);
  const std::int64_t parts = in.integer("parts", 2);
  if (const std::uint32_t axis = axis_of(in, from); axis < from.rank && parts > 0)
    out.start[axis] = from[axis].size() / parts * result;
  return out;
}

// Dimensions align on the right; those of extent 1 repeat.
constexpr view_reading read_repeated(const rule_input& in, std::uint32_t) {
  const shape& from = in.operands[0].shape;
  const auto target = stated_shape(in);
  if (!target || (*target).rank < from.rank) return {};
  view_reading out = view_reading::straight(from.rank);
  for (std::uint32_t p = 0; p < from.rank; ++p)
    out.walker[p] = from[p] == extent(1)
                        ? view_reading::none
                        : static_cast<std::uint8_t>(p + (*target).rank - from.rank);
  return out;
}

}  // namespace detail

// Movement computes nothing: no flops. `operations` is zero for operators that an accelerator
// implements by addressing alone, else the number of elements moved.

/// The same elements in another shape, given by the extent attributes d0, d1, ...
inline constexpr kernel_spec reshape{
    .name = "reshape",
    .domain = "movement",
    .meaning = meaning::reshape,
    .signature = "A[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .result_shape = &detail::reshaped_shape,
    .is_view = true,
    .reading = &read_flat,
    .moves_elements = true,
    .write_adjoint = &detail::reshaped_adjoint,
    .laws = {.idempotent = true, .linear = true, .never_rounds = true},
    .summary = "the same elements in another shape"};

/// Permutes dimensions: dimension i of the result is dimension `p<i>` of the operand.
inline constexpr kernel_spec permute{.name = "permute",
                                     .domain = "movement",
                                     .meaning = meaning::permutation,
                                     .signature = "A[...] -> C[...]",
                                     .costs = {{"flops", "0"}, {"operations", "0"}},
                                     .result_shape = &detail::permuted_shape,
                                     .is_view = true,
                                     .reading = &detail::read_permuted,
                                     .moves_elements = true,
                                     .write_adjoint = &detail::permuted_adjoint,
                                     .laws = {.linear = true},
                                     .summary = "the dimensions in another order"};

/// `length` elements (an integer or an extent) of dimension `axis`, from index `start`. Symbolic
/// extents are not checked for enough elements.
inline constexpr kernel_spec slice{.name = "slice",
                                   .domain = "movement",
                                   .meaning = meaning::slice,
                                   .signature = "A[...] -> C[...]",
                                   .costs = {{"flops", "0"}, {"operations", "0"}},
                                   .result_shape = &detail::sliced_shape,
                                   .is_view = true,
                                   .reading = &detail::read_sliced,
                                   .moves_elements = true,
                                   .write_adjoint = &detail::sliced_adjoint,
                                   .laws = {.linear = true},
                                   .summary = "consecutive elements of a dimension"};

/// The operand repeated along dimensions of extent 1 and along new ones on the left; shape in the
/// extent attributes d0, d1, ...
inline constexpr kernel_spec broadcast_to{
    .name = "broadcast_to",
    .domain = "movement",
    .meaning = meaning::repetition,
    .signature = "A[...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "0"}},
    .result_shape = &detail::broadcast_shape,
    .is_view = true,
    .reading = &detail::read_repeated,
    .moves_elements = true,
    .adjoint = "dA = dC",
    .laws = {.idempotent = true, .linear = true, .never_rounds = true},
    .summary = "the operand repeated to a larger shape"};

/// `parts` equal parts of dimension `axis`, up to `max_results`, one per result: query, key and
/// value of an attention, or the gates of an LSTM, for instance.
inline constexpr kernel_spec split{.name = "split",
                                   .domain = "movement",
                                   .meaning = meaning::parts,
                                   .signature = "A[...], parts = 2 -> parts*B[...]",
                                   .costs = {{"flops", "0"}, {"operations", "0"}},
                                   .result_shape = &detail::part_shape,
                                   .is_view = true,
                                   .reading = &detail::read_part,
                                   .moves_elements = true,
                                   .write_adjoint = &detail::split_adjoint,
                                   .laws = {.linear = true},
                                   .summary = "equal parts of a dimension"};

/// Values concatenated along dimension `axis`, up to `max_operands`.
inline constexpr kernel_spec concat{.name = "concat",
                                    .domain = "movement",
                                    .meaning = meaning::concatenation,
                                    .signature = "n*A[...] -> C[...]",
                                    .costs = {{"flops", "0"}, {"operations", "C"}},
                                    .result_shape = &detail::concatenated_shape,
                                    .moves_elements = true,
                                    .write_adjoint = &detail::concatenated_adjoint,
                                    .cuts = "-*",
                                    .laws = {.associative = true},
                                    .summary = "values behind one another"};

/// Pads dimension `axis` with `before` zeros before and `after` zeros after its elements.
inline constexpr kernel_spec pad{.name = "pad",
                                 .domain = "movement",
                                 .meaning = meaning::padding,
                                 .signature = "A[...] -> C[...]",
                                 .costs = {{"flops", "0"}, {"operations", "C"}},
                                 .result_shape = &detail::padded_shape,
                                 .constant = &detail::padded,
                                 .write_adjoint = &detail::padded_adjoint,
                                 .cuts = "-*",
                                 .laws = {.linear = true},
                                 .summary = "zeros around the elements of a dimension"};

/// The elements of dimension `axis` at the given indices; only those are read.
inline constexpr kernel_spec gather{.name = "gather",
                                    .domain = "movement",
                                    .signature = "A[...], ids: integer [...] -> C[...]",
                                    .costs = {{"flops", "0"},
                                              {"operations", "C"},
                                              {"bytes_read", "C.bytes + ids.bytes"},
                                              {"bytes", "2*C.bytes + ids.bytes"}},
                                    .result_shape = &detail::gathered_shape,
                                    .write_adjoint = &detail::gathered_adjoint,
                                    .laws = {.linear = true},
                                    .summary = "the elements of a dimension that indices name"};

/// Adds updates to the elements of dimension `axis` at the given indices: the transpose of
/// `gather`. Only the changed elements are read and written.
inline constexpr kernel_spec scatter_add{
    .name = "scatter_add",
    .domain = "movement",
    .signature = "through A[...], ids: integer [...], U[...] -> C[...]",
    .costs = {{"flops", "U"},
              {"flops(complex)", "2*U"},
              {"operations", "U"},
              {"bytes_read", "2*U.bytes + ids.bytes"},
              {"bytes_written", "U.bytes"},
              {"bytes", "3*U.bytes + ids.bytes"},
              {"memory", "0"},
              detail::scatter_scratch},
    .result_shape = &detail::scattered_shape,
    .in_place = true,
    .write_adjoint = &detail::scattered_adjoint,
    .cuts = "-*",
    .summary = "adds updates to the elements that indices name"};

/// Overwrites a part of dimension `axis` from index `at`, in place: a cache grows within its static
/// capacity this way. Only the part moves.
inline constexpr kernel_spec update_slice{
    .name = "update_slice",
    .domain = "movement",
    .signature = "through A[...], B[...], at: i64 [] -> C[...]",
    .costs = {{"flops", "0"},
              {"operations", "B"},
              {"bytes_read", "B.bytes + at.bytes"},
              {"bytes_written", "B.bytes"},
              {"bytes", "2*B.bytes + at.bytes"},
              {"memory", "0"}},
    .result_shape = &detail::updated_shape,
    .in_place = true,
    .write_adjoint = &detail::updated_adjoint,
    .cuts = "-*",
    .summary = "overwrites consecutive elements of a dimension"};

/// The same value in its own storage.
inline constexpr kernel_spec copy{.name = "copy",
                                  .domain = "movement",
                                  .meaning = meaning::copy,
                                  .signature = "A: any [...] -> C[...]",
                                  .costs = {{"flops", "0"}, {"operations", "C"}},
                                  .moves_elements = true,
                                  .element = &detail::first_element,
                                  .adjoint = "dA = dC",
                                  .laws = {.idempotent = true,
                                           .involution = true,
                                           .linear = true,
                                           .never_rounds = true,
                                           .elementwise = true,
                                           .inverse = "copy"},
                                  .summary = "the same value in storage of its own"};

/// The elements converted to the element type in the attribute `dtype`, such as "f16" (default
/// f32).
inline constexpr kernel_spec cast{
    .name = "cast",
    .domain = "movement",
    .meaning = meaning::conversion,
    .signature = "A: any [...] -> C[...]",
    .costs = {{"flops", "0"}, {"operations", "C"}},
    .result_dtype = &detail::stated_dtype,
    .constant = &detail::converted,
    .element = &detail::converted_element,
    .write_adjoint = &detail::converted_adjoint,
    .laws = {.idempotent = true, .never_rounds = true, .elementwise = true},
    .summary = "the elements converted to another type"};

namespace detail {
// The sum of the elements, along `axis` or of all.
constexpr text summed_definition(const rule_input& in) {
  return text(in.find("axis") != nullptr ? "C[...] += A[...,n]" : "C[] += A[...]");
}
// A reduction by a sign to which elements that are absent, and zero, count.
constexpr text dense_definition(text_view sign, const rule_input& in) {
  return in.find("axis") != nullptr
             ? text() << "D[...,n] = copy(A[...,n]); C[...] " << sign << " D[...,n]"
             : text() << "D[...] = copy(A[...]); C[] " << sign << " D[...]";
}
constexpr text largest_definition(const rule_input& in) { return dense_definition("max=", in); }
constexpr text averaged_definition(const rule_input& in) { return dense_definition("avg=", in); }
}  // namespace detail

/// The sum over dimension `axis`, or over all elements.
inline constexpr kernel_spec reduce_sum{.name = "sum",
                                        .domain = "movement",
                                        .meaning = meaning::total,
                                        .signature = "A: number [...] -> C[...]",
                                        .costs = {{"flops", "A - C"},
                                                  {"flops(complex)", "2*(A - C)"},
                                                  {"operations", "A"},
                                                  detail::sum_scratch,
                                                  {"summands", "A"}},
                                        .result_shape = &detail::reduced_shape,
                                        .constant = &detail::summed,
                                        .write_adjoint = &detail::summed_adjoint,
                                        .write_definition = &detail::summed_definition,
                                        .cuts = "*",
                                        .laws = {.linear = true, .monotone = true},
                                        .fusion = fusion_role::reduction,
                                        .summary = "the sum over a dimension or all"};

/// The maximum over dimension `axis`, or over all elements.
inline constexpr kernel_spec reduce_max{.name = "max",
                                        .domain = "movement",
                                        .meaning = meaning::largest,
                                        .signature = "A: ordered [...] -> C[...]",
                                        .costs = {{"flops", "A - C"}, {"operations", "A"}},
                                        .result_shape = &detail::reduced_shape,
                                        .constant = &detail::largest,
                                        .write_adjoint = &detail::largest_adjoint,
                                        .write_definition = &detail::largest_definition,
                                        .cuts = "*",
                                        .laws = {.monotone = true},
                                        .fusion = fusion_role::reduction,
                                        .summary = "the maximum over a dimension or all"};

/// The mean over dimension `axis`, or over all elements: a sum and a division.
inline constexpr kernel_spec reduce_mean{
    .name = "mean",
    .domain = "movement",
    .meaning = meaning::mean,
    .signature = "A: floating [...] -> C[...]",
    .costs = {{"flops", "A"}, {"operations", "A"}, {"summands", "A"}},
    .result_shape = &detail::reduced_shape,
    .constant = &detail::averaged,
    .write_adjoint = &detail::averaged_adjoint,
    .write_definition = &detail::averaged_definition,
    .cuts = "*",
    .laws = {.linear = true, .monotone = true},
    .fusion = fusion_role::reduction,
    .summary = "the mean over a dimension or all"};

/// The index of the largest element along dimension `axis`, or in row-major order of all; the first
/// of equal elements.
inline constexpr kernel_spec arg_max{.name = "arg_max",
                                     .domain = "movement",
                                     .signature = "A: ordered [...] -> C: i64 [...]",
                                     .costs = {{"flops", "A - C"}, {"operations", "A"}},
                                     .result_shape = &detail::reduced_shape,
                                     .constant = &detail::first_place,
                                     .cuts = "*",
                                     .fusion = fusion_role::reduction,
                                     .summary = "the position of the maximum"};

/// Every kernel of the domain.
inline constexpr const kernel_spec* movement_domain[] = {
    &reshape,    &permute,    &slice,       &broadcast_to, &split, &concat,
    &pad,        &gather,     &scatter_add, &update_slice, &copy,  &cast,
    &reduce_sum, &reduce_max, &reduce_mean, &arg_max};

}  // namespace wf::kernels
