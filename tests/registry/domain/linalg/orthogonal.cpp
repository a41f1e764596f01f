// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/orthogonal.hpp>

#include <doctest/doctest.h>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::known_result;
using one_node::of;
using one_node::priced;
using one_node::results;
using wf::shape;

}  // namespace

TEST_CASE("QR by LAPACK's counts of its two halves") {
  for (std::int64_t m = 1; m < 20; ++m)
    for (std::int64_t n = 1; n <= m; ++n) {
      // Three times the figures of Working Note 41, to avoid fractions.
      const std::int64_t factor = 6 * m * n * n - 2 * n * n * n + 3 * m * n + 3 * n * n + 14 * n;
      const std::int64_t form = 6 * m * n * n - 2 * n * n * n - 3 * m * n + 6 * n * n - 4 * n;
      CHECK(3 * priced(wf::kernels::qr, wf::flops, {shape::of(m, n)}) == factor + form);
      for (std::int64_t k = 1; k < 4; ++k) {
        const std::int64_t reflect = 4 * m * n * k - 2 * n * n * k + 3 * n * k;
        CHECK(
            3 * priced(wf::kernels::least_squares, wf::flops, {shape::of(m, n), shape::of(m, k)}) ==
            factor + 3 * (reflect + n * n * k));
      }
    }
}

TEST_CASE("the factor Q is known to be orthogonal if it is square") {
  CHECK(known_result(wf::kernels::qr, {wf::properties()}).has(wf::orthogonal));
  CHECK(results(wf::kernels::qr, {f64(5, 3)}) == "f64[5x3], f64[3x3]");
}

TEST_CASE("row 3: wrong operands of least squares") {
  using namespace wf::kernels;
  CHECK(results(least_squares, {f64(5, 3), f64(5, 2)}) == "f64[3x2]");
  CHECK(results(least_squares, {f64(5, 3), f64(5)}) == "f64[3]");
  CHECK(failure(least_squares, {f64(5, 3), f64(3, 2)}) == wf::errc::shape_mismatch);
  CHECK(failure(least_squares, {f64(5, 3), f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(qr, {f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(qr, {of(wf::dtype::i32, 3, 3)}) == wf::errc::dtype_mismatch);
}
