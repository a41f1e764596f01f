// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <Eigen/Core>

#include <wf/run/kernels/tensor_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/product.hpp>
#include <wf/run/values/tensor.hpp>

// Contractions of tensors and their special cases.
namespace wf::compute {

namespace detail {

template <class Real>
text transpose(const application<Real>& a) {
  tensor_transpose(a.out(), a.in());
  return {};
}
template <class Real>
text einsum(const application<Real>& a) {
  contract(a.out(), a.in(0), a.in(1), a.characters("equation"), product_storage(a));
  return {};
}
template <class Real>
std::int64_t einsum_scratch(const graph_view& g, const node& n) {
  const attribute* const equation = g.find_attribute(n, "equation");
  if (equation == nullptr) return 0;
  return exact_sums_scratch(g, n) + contract_scratch<Real>(g.text_of(equation->characters),
                                                           g[graph_view::output_of(n)].type.shape,
                                                           g[g.inputs_of(n)[0]].type.shape,
                                                           g[g.inputs_of(n)[1]].type.shape);
}
template <class Real>
text rearrange(const application<Real>& a) {
  tensor_rearrange(a.out(), a.in(), a.characters("equation"));
  return {};
}

// Number of terms per sum of a contraction: the product of the extents of the letters that the
// result lacks.
inline constexpr auto terms_of_contraction = [](const auto& a) {
  const text_view equation = a.characters("equation");
  const std::size_t arrow = std::min(equation.find('-'), equation.size());
  const text_view result = equation.part(std::min(arrow + 2, equation.size()));
  std::uint64_t terms = 1;
  std::uint32_t operand = 0, dimension = 0;
  for (std::size_t i = 0; i < arrow; ++i) {
    if (equation[i] == ',') {
      ++operand, dimension = 0;
      continue;
    }
    const bool is_first = equation.find(equation[i]) == i;
    const Eigen::Index extent = a.in(operand).extent(dimension++);
    if (is_first && result.find(equation[i]) >= result.size())
      terms = bounded_product(terms, magnitude(extent));
  }
  return static_cast<Eigen::Index>(std::min<std::uint64_t>(terms, INT64_MAX));
};

// Operators on all element types.
template <class Real>
constexpr auto contraction_rows() {
  using enum storage_order;
  using operation = executable_operator<Real>;
  return std::to_array<operation>({
      operation{"transpose", &transpose<Real>}.in_order(either, either),
      operation{"einsum",
                [](const application<Real>& a) {
                  return exact_sums(a, bound_of_products<terms_of_contraction>,
                                    [](const auto& of) { return einsum(of); });
                },
                nullptr, &einsum_scratch<Real>}
          .in_order(either, either),
      sums<Real, [](const auto& a) { return rearrange(a); }, one_term>("rearrange"),
  });
}

}  // namespace detail

}  // namespace wf::compute
