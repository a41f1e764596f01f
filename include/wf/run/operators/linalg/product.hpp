// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include <wf/core/text/text.hpp>
#include <wf/ir/graph/view.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/tensor_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/checked_tile.hpp>
#include <wf/run/operators/linalg/own_routines.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/tensor.hpp>

// Products of matrices and vectors. Matrices may have any layout.
namespace wf::compute {

namespace detail {

template <class Real>
const_vector_map<Real> vector(const tensor_view<Real>& t) {
  return {t.elements, t.size()};
}
template <class Real>
vector_map<Real> vector(const tensor_ref<Real>& t) {
  return {t.elements, t.view().size()};
}

// Scratch storage of products, after that of `exact_sums`.
template <class Real>
Real* product_storage(const application<Real>& a) {
  return a.scratch() + exact_sums_scratch(a.graph(), a.node());
}
// Elements of scratch storage for a product over the last two dimensions, that of `exact_sums`
// included.
template <class Real>
std::int64_t matmul_scratch(const graph_view& g, const node& n) {
  const shape &a = g[g.inputs_of(n)[0]].type.shape, &b = g[g.inputs_of(n)[1]].type.shape;
  return exact_sums_scratch(g, n) +
         product_scratch<Real>(a[a.rank - 2].size(), b[b.rank - 1].size(), a[a.rank - 1].size());
}
template <class Routines = own_routines, class Real>
text matmul(const application<Real>& a) {
  Real* const storage = product_storage(a);
  tensor_matmul(a.out(), a.in(0), a.in(1),
                [&](const matrix_ref<Real>& out, const matrix_view<Real>& left,
                    const matrix_view<Real>& right) {
                  Routines::template multiply<Real>(out, left, right, storage);
                });
  return {};
}
// C + A·B or C - A·B; C may share the storage of the result.
template <int Sign, class Routines = own_routines, class Real>
text matmul_onto(const application<Real>& a) {
  Routines::template multiply_onto<Real>(matrix(a.out()), matrix(a.in(2)), Sign, matrix(a.in(0)),
                                         matrix(a.in(1)), product_storage(a));
  return {};
}
template <int Sign, class Real>
text matmul_onto_exactly(const application<Real>& a) {
  return exact_sums(
      a, bound_of_products<last_extent>, [](const auto& of) { return matmul_onto<Sign>(of); },
      [](const auto& of) { return matmul_onto<1>(of); });
}
template <class Real>
text matvec(const application<Real>& a) {
  multiply(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)));
  return {};
}

template <class Real>
text dot(const application<Real>& a) {
  *a.out().elements = vector(a.in(0)).conjugate().dot(vector(a.in(1)));
  return {};
}
template <class Real>
text outer(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  const const_vector_map<Real> each = vector(a.in(out.by_columns ? 1 : 0));
  const const_vector_map<Real> along = vector(a.in(out.by_columns ? 0 : 1));
  for (Eigen::Index r = 0; r < out.runs(); ++r) {
    if constexpr (is_field_scalar<Real>) {
      vector_map<Real>(out.run(r), out.run_length()) = each(r) * along;
    } else {
      const Real* const from[] = {each.data() + r, along.data()};
      constexpr Eigen::Index steps[] = {0, 1};
      if (!checked_product_tile(out.run(r), from, steps, out.run_length())) return unfit<Real>();
    }
  }
  return {};
}
template <class Real>
text axpy(const application<Real>& a) {
  vector(a.out()) = *a.in(0).elements * vector(a.in(1)) + vector(a.in(2));
  return {};
}
template <class Real>
text norm(const application<Real>& a) {
  *a.out().elements = vector(a.in()).norm();
  return {};
}
template <class Real>
text trace(const application<Real>& a) {
  const matrix_view<Real> m = matrix(a.in());
  Real sum = 0;
  for (Eigen::Index i = 0; i < m.rows; ++i) sum += m(i, i);
  *a.out().elements = sum;
  return {};
}
template <class Real>
text identity_like(const application<Real>& a) {
  const matrix_ref<Real> m = matrix(a.out());
  fill(m, 0);
  for (Eigen::Index i = 0; i < m.rows; ++i) m(i, i) = 1;
  return {};
}

// Table row of a product of matrices in either order.
template <class Real, auto Run, auto Terms = last_extent>
constexpr operator_implementation<Real> product(
    text_view name,
    std::int64_t (*scratch)(const graph_view&, const node&) = &matmul_scratch<Real>) {
  operator_implementation<Real> out = sums<Real, Run, Terms>(name);
  out.scratch = scratch;
  return out;
}
// Table row of a product added to an operand.
template <class Real>
constexpr operator_implementation<Real> onto(text_view name, operator_function<Real> run) {
  using enum storage_order;
  operator_implementation<Real> out{name, run, nullptr, &matmul_scratch<Real>};
  out.alike_operands = 1u << 2;
  return out.in_order(either, either);
}

}  // namespace detail

}  // namespace wf::compute
