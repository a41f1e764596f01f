// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

#include <wf/run/kernels/symmetric_product.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/product.hpp>

// Products whose result or left operand is symmetric.
namespace wf::compute {

namespace detail {

template <class Routines = own_routines, class Real>
text matmul_symmetric(const application<Real>& a) {
  Routines::template multiply_by_symmetric<Real>(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)),
                                                 product_storage(a));
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
template <class Routines = own_routines, class Real>
text gemmt(const application<Real>& a) {
  const matrix_ref<Real> out = matrix(a.out());
  Routines::template multiply_symmetric<Real>(out.by_columns ? out : out.transposed(),
                                              matrix(a.in(0)), matrix(a.in(1)), product_storage(a));
  return {};
}
template <class Routines = own_routines, class Real>
text syr2k(const application<Real>& a) {
  Routines::template multiply<Real>(matrix(a.out()), matrix(a.in(0)), matrix(a.in(1)),
                                    product_storage(a));
  add_transposed(matrix(a.out()));
  return {};
}

}  // namespace detail

}  // namespace wf::compute
