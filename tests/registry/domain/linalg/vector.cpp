// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/vector.hpp>

#include <doctest/doctest.h>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::of;
using one_node::priced;
using one_node::results;
using wf::shape;

}  // namespace

TEST_CASE("products of vectors by counting multiplications and additions") {
  for (std::int64_t n = 1; n < 6; ++n) {
    CHECK(priced(wf::kernels::dot, wf::flops, {shape::of(n), shape::of(n)}) == 2 * n);
    CHECK(priced(wf::kernels::outer, wf::flops, {shape::of(3), shape::of(n)}) == 3 * n);
    CHECK(priced(wf::kernels::axpy, wf::flops, {shape(), shape::of(n), shape::of(n)}) == 2 * n);
    // n squares, n - 1 additions and the root.
    CHECK(priced(wf::kernels::norm, wf::flops, {shape::of(n)}) == n + (n - 1) + 1);
  }
}

TEST_CASE("the shapes of products of vectors; a x + y overwrites y") {
  CHECK(results(wf::kernels::dot, {f64(4), f64(4)}) == "f64[scalar]");
  CHECK(results(wf::kernels::outer, {f64(3), f64(4)}) == "f64[3x4]");
  CHECK(results(wf::kernels::axpy, {f64(), f64(4), f64(4)}) == "f64[4]");
  CHECK(results(wf::kernels::norm, {f64(4)}) == "f64[scalar]");
  CHECK(wf::kernels::axpy.in_place);
}

TEST_CASE("row 3: wrong operands of products of vectors") {
  using namespace wf::kernels;
  CHECK(failure(dot, {f64(2), f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(outer, {f64(2, 2), f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(axpy, {f64(1), f64(3), f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(norm, {f64(3, 3)}) == wf::errc::shape_mismatch);
  CHECK(failure(norm, {of(wf::dtype::i32, 3)}) == wf::errc::dtype_mismatch);
}
