// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <limits>

#include <Eigen/Core>

#include <wf/run/blas/blas_routines.hpp>
#include <wf/run/blas/fortran.hpp>
#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/operators/application.hpp>
#include <wf/run/operators/linalg/orthogonal.hpp>

namespace wf::compute {

/// Q and R of `qr` by LAPACK: geqrf in the place of Q, orgqr. Scratch storage: that of `qr`, of
/// which it uses what it needs for the scalars of reflections and for panels of them. Returns the
/// reason of a failure: there is none.
template <class Real>
text qr_factors(const application<Real>& a) {
  const matrix_ref<Real> q = matrix(a.out(0)), r = matrix(a.out(1));
  copy(q, matrix(a.in()));
  if (q.columns == 0) return {};
  using fortran::integer;
  const integer m = detail::fortran_size(q.rows), n = detail::fortran_size(q.columns);
  const integer stride = detail::leading_dimension(q);
  Real *const scalars = a.scratch(), *const work = scalars + q.columns;
  const integer size = detail::fortran_size(
      std::min<std::int64_t>(a.scratch_size() - q.columns, std::numeric_limits<integer>::max()));
  integer info = 0;
  fortran::routines<Real>::geqrf(&m, &n, q.elements, &stride, scalars, work, &size, &info);
  for (Eigen::Index j = 0; j < q.columns; ++j) {
    std::copy_n(q.run(j), j + 1, r.run(j));
    std::fill_n(r.run(j) + j + 1, q.columns - j - 1, Real(0));
  }
  fortran::routines<Real>::orgqr(&m, &n, &n, q.elements, &stride, scalars, work, &size, &info);
  return {};
}

}  // namespace wf::compute
