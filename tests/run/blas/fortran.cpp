// SPDX-License-Identifier: BSL-1.0
#include <wf/run/blas/fortran.hpp>

#include <doctest/doctest.h>

namespace {

template <class Real>
Real product_of(Real a, Real b) {
  const wf::compute::fortran::integer one = 1;
  const Real factor = 2, keep = 3;
  Real c = 100;
  wf::compute::fortran::routines<Real>::gemm("N", "T", &one, &one, &one, &factor, &a, &one, &b,
                                             &one, &keep, &c, &one, 1, 1);
  return c;
}

}  // namespace

TEST_CASE("the routines of both precisions are those of the library") {
  CHECK(product_of(5.0, 7.0) == 370);
  CHECK(product_of(5.0f, 7.0f) == 370);
  double negative = -4;
  const wf::compute::fortran::integer one = 1;
  wf::compute::fortran::integer info = 0;
  wf::compute::fortran::routines<double>::potrf("L", &one, &negative, &one, &info, 1);
  CHECK(info == 1);
}
