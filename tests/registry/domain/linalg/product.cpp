// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/product.hpp>

#include <string>

#include <doctest/doctest.h>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::known_result;
using one_node::priced;
using one_node::results;
using wf::shape;

}  // namespace

TEST_CASE("products by counting multiplications and additions") {
  for (std::int64_t m = 1; m < 5; ++m)
    for (std::int64_t k = 1; k < 5; ++k)
      for (std::int64_t n = 1; n < 5; ++n) {
        CHECK(priced(wf::kernels::matmul, wf::flops, {shape::of(m, k), shape::of(k, n)}) ==
              2 * m * k * n);
        CHECK(priced(wf::kernels::matmul, wf::macs, {shape::of(7, m, k), shape::of(k, n)}) ==
              7 * m * k * n);
        CHECK(priced(wf::kernels::matvec, wf::flops, {shape::of(m, k), shape::of(k)}) == 2 * m * k);
      }
}

TEST_CASE("Strassen: seven half products and eighteen half sums") {
  const std::int64_t n = 512, h = n / 2;
  CHECK(priced(wf::kernels::matmul_strassen, wf::flops, {shape::of(n, n), shape::of(n, n)}) ==
        7 * 2 * h * h * h + 18 * h * h);
}

TEST_CASE("a product onto a matrix overwrites it and takes one addition more an element") {
  const one_node::operands in{f64(2, 3), f64(3, 5), f64(2, 5)};
  for (const auto* k : {&wf::kernels::matmul_add, &wf::kernels::matmul_subtract}) {
    CAPTURE(std::string(k->name));
    CHECK(k->in_place);
    CHECK(results(*k, in) == "f64[2x5]");
    // An element takes K products, K - 1 additions of them and one of C.
    CHECK(one_node::priced(*k, "flops", in) == 2 * 5 * (3 + 3));
    CHECK(failure(*k, {f64(2, 3), f64(3, 5), f64(5, 2)}) == wf::errc::shape_mismatch);
  }
}

TEST_CASE("a product of triangular matrices is triangular, of symmetric ones is not symmetric") {
  const auto product = [](wf::properties a, wf::properties b) {
    return known_result(wf::kernels::matmul, {a, b});
  };
  CHECK(product(wf::lower_triangular, wf::lower_triangular).has(wf::lower_triangular));
  CHECK_FALSE(product(wf::symmetric, wf::symmetric).has(wf::symmetric));
  CHECK_FALSE(product(wf::spd, wf::spd).has(wf::psd));
  CHECK(product(wf::spd, wf::spd).has(wf::nonsingular));
  CHECK(product(wf::diagonal, wf::diagonal).has(wf::diagonal));
  CHECK(product(wf::orthogonal, wf::orthogonal).has(wf::orthogonal));
}

TEST_CASE("row 3: wrong operands of products") {
  CHECK(failure(wf::kernels::matmul, {f64(2, 3), f64(2, 3)}) == wf::errc::shape_mismatch);
  CHECK(failure(wf::kernels::matmul_strassen, {f64(2, 4), f64(2, 4)}) == wf::errc::shape_mismatch);
  CHECK(failure(wf::kernels::matvec, {f64(2, 3), f64(2)}) == wf::errc::shape_mismatch);
}
