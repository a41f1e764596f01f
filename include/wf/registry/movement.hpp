// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/registry/kernel.hpp>

namespace wf::kernels {

namespace detail {

constexpr bool same_elements(const shape& a, const shape& b) {
  if (a.is_static() && b.is_static()) return a.elements() == b.elements();
  // Symbolic: the same symbols the same number of times, and the same product of fixed extents.
  std::int64_t fixed_a = 1, fixed_b = 1;
  bool used[max_rank] = {};
  for (std::uint32_t i = 0; i < a.rank; ++i) {
    if (a[i].is_fixed()) {
      fixed_a *= a[i].size();
      continue;
    }
    std::uint32_t j = 0;
    while (j < b.rank && (used[j] || !(b[j] == a[i]))) ++j;
    if (j == b.rank) return false;
    used[j] = true;
  }
  for (std::uint32_t j = 0; j < b.rank; ++j) {
    if (b[j].is_fixed()) fixed_b *= b[j].size();
    if (!b[j].is_fixed() && !used[j]) return false;
  }
  return fixed_a == fixed_b;
}

// The target shape stands in the extent attributes d0, d1, ...
constexpr result<shape> reshaped_shape(const rule_input& in) {
  shape target;
  for (const attribute_value& a : in.attributes) {
    if (a.kind != attribute_kind::extent) continue;
    extent e;
    e.code = a.number;
    if (!target.push_back(e))
      return make_error(errc::shape_mismatch, "reshape", "the result has over 8 dimensions");
  }
  if (!same_elements(in.operands[0].shape, target))
    return make_error(
        errc::shape_mismatch, "reshape",
        (text() << "the numbers of elements differ: " << to_text(in.operands[0].shape).view()
                << " vs " << to_text(target).view())
            .view());
  return target;
}

// Removes dimension `axis`, or all of them without that attribute.
constexpr result<shape> reduced_shape(const rule_input& in) {
  const shape& from = in.operands[0].shape;
  const attribute_value* axis = in.find("axis");
  shape s;
  if (axis == nullptr) return s;
  if (axis->number < 0 || axis->number >= from.rank)
    return make_error(
        errc::bad_attribute, "reduction",
        (text() << "axis " << axis->number << " of a value of " << from.rank << " dimensions")
            .view());
  for (std::uint32_t i = 0; i < from.rank; ++i)
    if (i != static_cast<std::uint32_t>(axis->number)) s.push_back(from[i]);
  return s;
}

}  // namespace detail

/// The same elements in another shape, given by extent attributes in order.
inline constexpr kernel_spec reshape{.name = "reshape",
                                     .domain = "movement",
                                     .signature = "A[...] -> C[...]",
                                     .costs = {{"flops", "0"}, {"operations", "0"}},
                                     .result_shape = &detail::reshaped_shape,
                                     .is_view = true,
                                     .summary = "the same elements in another shape"};

/// The sum over dimension `axis`, or over all.
inline constexpr kernel_spec reduce_sum{.name = "sum",
                                        .domain = "movement",
                                        .signature = "A[...] -> C[...]",
                                        .costs = {{"flops", "A - C"}, {"operations", "A"}},
                                        .result_shape = &detail::reduced_shape,
                                        .summary = "the sum over a dimension or all"};

/// The largest element over dimension `axis`, or over all.
inline constexpr kernel_spec reduce_max{.name = "max",
                                        .domain = "movement",
                                        .signature = "A[...] -> C[...]",
                                        .costs = {{"flops", "A - C"}, {"operations", "A"}},
                                        .result_shape = &detail::reduced_shape,
                                        .summary = "the maximum over a dimension or all"};

/// The mean over dimension `axis`, or over all: a sum and a division.
inline constexpr kernel_spec reduce_mean{.name = "mean",
                                         .domain = "movement",
                                         .signature = "A: floating [...] -> C[...]",
                                         .costs = {{"flops", "A"}, {"operations", "A"}},
                                         .result_shape = &detail::reduced_shape,
                                         .summary = "the mean over a dimension or all"};

/// Every kernel of the domain.
inline constexpr kernel_spec movement_domain[] = {reshape, reduce_sum, reduce_max, reduce_mean};

}  // namespace wf::kernels
