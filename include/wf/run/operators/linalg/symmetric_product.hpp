// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

#include <wf/run/kernels/symmetric_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/product.hpp>

// Products whose result or left operand is symmetric.
namespace wf::compute {

namespace detail {

// With more columns than a few, general products read the matrix from a cache.
template <class Real>
text matmul_symmetric(const application<Real>& a) {
  constexpr Eigen::Index few = 3;
  const matrix_ref<Real> out = matrix(a.out());
  const matrix_view<Real> b = matrix(a.in(1));
  if (out.columns <= few && out.row_step() == 1 && b.row_step() == 1)
    multiply_symmetric_columns(out, matrix(a.in(0)), b);
  else
    multiply(out, matrix(a.in(0)), b, product_storage(a));
  return {};
}
template <class Real>
text matvec_symmetric(const application<Real>& a) {
  const Eigen::Index n = a.out().view().size();
  multiply_symmetric_columns(columns_at(a.out().elements, n, 1), matrix(a.in(0)),
                             columns_at(a.in(1).elements, n, 1));
  return {};
}
// A symmetric result is its own transpose, so it may be written as column-major.
template <class Real>
text gemmt(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  multiply_symmetric(out.by_columns ? out : out.transposed(), matrix(a.in(0)), matrix(a.in(1)),
                     product_storage(a));
  return {};
}
template <class Real>
text syr2k(const application<Real>& a) {
  multiply(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)), product_storage(a));
  add_transposed(matrix(a.out()));
  return {};
}

}  // namespace detail

}  // namespace wf::compute
