// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/structured_product.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::known_result;
using one_node::of;
using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE(
    "a symmetric product takes one triangle of its multiply-adds, and its result is symmetric") {
  for (std::int64_t m = 1; m < 6; ++m)
    for (std::int64_t k = 1; k < 4; ++k) {
      const std::vector<shape> operands{shape::of(m, k), shape::of(k, m)};
      const std::int64_t triangle = m * (m + 1) / 2;
      CHECK(priced(wf::kernels::gemmt, wf::flops, operands) == 2 * k * triangle);
      CHECK(priced(wf::kernels::syr2k, wf::flops, operands) == 2 * m * m * k + triangle);
    }
  for (const auto* k : {&wf::kernels::gemmt, &wf::kernels::syr2k})
    CHECK(known_result(*k, {wf::properties(), wf::properties()}).has(wf::symmetric));
  CHECK(known_result(wf::kernels::gemmt, {wf::orthogonal, wf::orthogonal})
            .has(wf::symmetric | wf::orthogonal));
}

TEST_CASE("a product with a structured matrix skips its zeros, and reads one of equal elements") {
  for (std::int64_t m = 1; m < 6; ++m)
    for (std::int64_t n = 1; n < 4; ++n) {
      const std::vector<shape> operands{shape::of(m, m), shape::of(m, n)};
      const std::int64_t triangle = m * (m + 1) / 2;
      CHECK(priced(wf::kernels::matmul_triangular, wf::flops, operands) == 2 * triangle * n);
      CHECK(priced(wf::kernels::matmul_half, wf::macs, operands) == triangle * n);
      CHECK(priced(wf::kernels::matmul_symmetric, wf::macs, operands) == m * m * n);
      CHECK(priced(wf::kernels::matmul_diagonal, wf::macs, operands) == m * n);
      CHECK(priced(wf::kernels::matmul_permutation, wf::flops, operands) == 0);
      CHECK(priced(wf::kernels::matmul_permutation, wf::operations, operands) == m * n);
    }
}

TEST_CASE("a product with a vector is that with one column") {
  const shape square = shape::of(5, 5), column = shape::of(5, 1), vector = shape::of(5);
  for (const auto& [by_vector, by_matrix] :
       {std::pair{&wf::kernels::matvec_permutation, &wf::kernels::matmul_permutation},
        std::pair{&wf::kernels::matvec_symmetric, &wf::kernels::matmul_symmetric}})
    for (const wf::metric_spec& m : {wf::flops_::spec, wf::macs_::spec, wf::operations_::spec}) {
      CAPTURE(std::string(by_vector->name));
      CHECK(priced(*by_vector, m, {square, vector}) == priced(*by_matrix, m, {square, column}));
    }
}

TEST_CASE("row 3: wrong operands of products of structured matrices") {
  using namespace wf::kernels;
  const auto shape_error = wf::errc::shape_mismatch;
  CHECK(failure(gemmt, {f64(2, 3), f64(3, 4)}) == shape_error);
  CHECK(failure(syr2k, {f64(2, 3), f64(3, 4)}) == shape_error);
  CHECK(failure(matvec_symmetric, {f64(2, 3), f64(3)}) == shape_error);
  CHECK(failure(matvec_permutation, {f64(3, 3), f64(2)}) == shape_error);
  CHECK(failure(matmul_half, {of(wf::dtype::i32, 3, 3), of(wf::dtype::i32, 3, 2)}) ==
        wf::errc::dtype_mismatch);
  for (const auto* k :
       {&matmul_triangular, &matmul_diagonal, &matmul_permutation, &matmul_half, &matmul_symmetric})
    CHECK(failure(*k, {f64(3, 3), f64(2, 3)}) == shape_error);
}
