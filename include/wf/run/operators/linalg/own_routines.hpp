// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <Eigen/Core>

#include <wf/run/kernels/cholesky.hpp>
#include <wf/run/kernels/lu.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/kernels/symmetric_product.hpp>
#include <wf/run/kernels/triangular_product.hpp>
#include <wf/run/kernels/triangular_solve.hpp>
#include <wf/run/values/strided_matrix.hpp>

namespace wf::compute {

/// The routines that operators of linear algebra consist of, by wf's kernels. An operator is
/// written once, for any such set: `blas_routines` calls a library instead. Each routine is what
/// the kernel of its name says, with its scratch storage.
struct own_routines {
  /// out = a·b.
  template <class Real>
  static void multiply(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                       const given<matrix_view<Real>>& b, given<Real>* scratch) {
    compute::multiply(out, a, b, scratch);
  }
  /// out = base + factor·a·b.
  template <class Real>
  static void multiply_onto(const matrix_ref<Real>& out, const given<matrix_view<Real>>& base,
                            given<Real> factor, const given<matrix_view<Real>>& a,
                            const given<matrix_view<Real>>& b, given<Real>* scratch) {
    compute::multiply_onto(out, base, factor, a, b, scratch);
  }
  /// out = a·b, known to be symmetric; out is column-major.
  template <class Real>
  static void multiply_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                                 const given<matrix_view<Real>>& b, given<Real>* scratch) {
    compute::multiply_symmetric(out, a, b, scratch);
  }
  /// out = a·b for a symmetric a. With more columns than a few, general products read the matrix
  /// from a cache.
  template <class Real>
  static void multiply_by_symmetric(const matrix_ref<Real>& out, const given<matrix_view<Real>>& a,
                                    const given<matrix_view<Real>>& b, given<Real>* scratch) {
    constexpr Eigen::Index few = 3;
    if (out.columns <= few && out.row_step() == 1 && b.row_step() == 1)
      multiply_symmetric_columns(out, a, b);
    else
      compute::multiply(out, a, b, scratch);
  }
  /// out = T·b for the triangle T of a matrix.
  template <class Real>
  static void multiply_triangle(const matrix_ref<Real>& out, triangle kind,
                                const given<matrix_view<Real>>& t,
                                const given<matrix_view<Real>>& b, given<Real>* scratch) {
    compute::multiply_triangle(out, kind, t, b, scratch);
  }
  /// x = T⁻¹·x for the triangle T of a matrix, whose diagonal has no zero.
  template <class Real>
  static void solve_triangle(triangle kind, const given<matrix_view<Real>>& t,
                             const matrix_ref<Real>& x, given<Real>* scratch) {
    compute::solve_triangle(kind, t, x, scratch);
  }
  /// A = L·Lᵀ in the lower triangle of a column-major matrix; false if it is not positive definite.
  template <class Real>
  static bool factorise_cholesky(const matrix_ref<Real>& a, given<Real>* scratch) {
    return compute::factorise_cholesky(a, scratch);
  }
  /// P·A = L·U in place, column-major; `rows` receives the exchanges.
  template <class Real>
  static void factorise_lu(const matrix_ref<Real>& a, given<Real>* rows, given<Real>* scratch) {
    compute::factorise_lu(a, rows, scratch);
  }
};

}  // namespace wf::compute
