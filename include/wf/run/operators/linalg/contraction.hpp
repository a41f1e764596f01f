// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <Eigen/Core>

#include <wf/registry/einsum_equation.hpp>
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
  const einsum_equation equation{a.characters("equation")};
  std::uint64_t terms = 1;
  bool met[128] = {};
  for (std::uint32_t i = 0; i < equation.operands(); ++i) {
    const text_view letters = equation.operand(i);
    for (std::uint32_t d = 0; d < letters.size(); ++d) {
      bool& is_met = met[static_cast<std::size_t>(letters[d])];
      if (!is_met && !equation.keeps(letters[d]))
        terms = bounded_product(terms, magnitude(a.in(i).extent(d)));
      is_met = true;
    }
  }
  return static_cast<Eigen::Index>(std::min<std::uint64_t>(terms, INT64_MAX));
};

// Operators on all element types.
template <class Real>
constexpr auto contraction_rows() {
  using enum storage_order;
  using operation = operator_implementation<Real>;
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
