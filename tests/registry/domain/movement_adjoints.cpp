// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/movement_adjoints.hpp>

#include <doctest/doctest.h>

#include <wf/registry/domain/movement.hpp>

#include "../written_adjoint.hpp"

// What the equations compute is compared with differences in tests/rewrite/gradient.cpp.

TEST_CASE("elements go back where they came from") {
  using wf_test::real_of, wf_test::whole, wf_test::written_adjoint;
  namespace kernels = wf::kernels;
  const auto matrix = real_of(wf::shape::of(3, 5)), symbolic = real_of(wf::shape::of("M", 5));
  CHECK(written_adjoint(kernels::permute, {real_of(wf::shape::of(2, 3, 4))},
                        {whole("p0", 2), whole("p1", 0), whole("p2", 1)}) ==
        "dA = permute(dC, p0 = 1, p1 = 2, p2 = 0)");
  CHECK(written_adjoint(kernels::slice, {matrix},
                        {whole("axis", 1), whole("start", 1), whole("length", 3)}) ==
        "dA = pad(dC, axis = 1, before = 1, after = 1)");
  CHECK(written_adjoint(kernels::slice, {symbolic}, {whole("start", 1), whole("length", 3)}) ==
        "dA = update_slice(broadcast_to(0, d0 = A_0, d1 = A_1), dC, cast(1, dtype = \"i64\"), "
        "axis = 0)");
  CHECK(written_adjoint(kernels::concat, {matrix, matrix}, {whole("axis", 1)}) ==
        "dA0 = slice(dC, axis = 1, start = 0, length = A0_1); "
        "dA1 = slice(dC, axis = 1, start = 5, length = A1_1); ");
  CHECK(written_adjoint(kernels::concat, {symbolic, symbolic}) == "");  // it is not known where
  CHECK(written_adjoint(kernels::concat, {matrix, symbolic}) != "");
  CHECK(written_adjoint(kernels::split, {matrix}, {whole("parts", 3)}) ==
        "dA = concat(dB0, dB1, dB2, axis = 0)");
}

TEST_CASE("a reduction's derivative has its dimension again, unless it broadcasts") {
  using wf_test::real_of, wf_test::whole, wf_test::written_adjoint;
  namespace kernels = wf::kernels;
  const auto matrix = real_of(wf::shape::of(3, 5));
  CHECK(written_adjoint(kernels::reduce_sum, {matrix}) == "dA = dC");
  CHECK(written_adjoint(kernels::reduce_sum, {matrix}, {whole("axis", 1)}) ==
        "dA = reshape(dC, d0 = A_0, d1 = 1)");
  CHECK(written_adjoint(kernels::reduce_mean, {matrix}) == "D = dC / 15; dA = D");
  CHECK(written_adjoint(kernels::reduce_mean, {matrix}, {whole("axis", 0)}) ==
        "D = dC / 3; dA = reshape(D, d0 = 1, d1 = A_1)");
}
