// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/run/kernels/bilinear.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/product.hpp>
#include <wf/run/values/scalar.hpp>

namespace wf::compute {

namespace detail {

// Strassen's scheme for column-major and row-major results, built once.
inline const bilinear_scheme& strassen(bool by_columns) {
  static_assert(is_valid(strassen_scheme()));
  static const bilinear_scheme schemes[] = {transposed(strassen_scheme()), strassen_scheme()};
  return schemes[by_columns ? 1 : 0];
}
template <class Real>
void multiply_strassen(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b, given<Real>* scratch) {
  if (out.by_columns)
    multiply_bilinear(strassen(true), out, a, b, scratch);
  else
    multiply_bilinear(strassen(false), out.transposed(), b.transposed(), a.transposed(), scratch);
}
// Integer products do not depend on the scheme, but Strassen's intermediate sums are larger.
template <class Real>
text matmul_strassen(const application<Real>& a) {
  if (is_integer(a.result_type()))
    return exact_sums(a, bound_of_products<last_extent>, [](const auto& of) { return matmul(of); });
  if constexpr (is_field_scalar<Real>)
    multiply_strassen(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), a.scratch());
  return {};
}
template <class Real>
std::int64_t strassen_scratch(const graph_view& g, const node& n) {
  if (!is_field_scalar<Real> || is_integer(g[graph_view::output_of(n)].type.type))
    return matmul_scratch<Real>(g, n);
  const shape &a = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  return bilinear_scratch<Real>(a[0].size() / 2, b[1].size() / 2, a[1].size() / 2);
}

}  // namespace detail

}  // namespace wf::compute
