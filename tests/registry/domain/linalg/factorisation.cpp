// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/factorisation.hpp>

#include <string>

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

TEST_CASE("factors by counting elimination") {
  for (std::int64_t m = 1; m < 12; ++m) {
    std::int64_t lu = 0;  // multiplications, divisions and additions without pivot search
    for (std::int64_t k = 1; k <= m; ++k) lu += (m - k) + 2 * (m - k) * (m - k);
    // Working Note 41 counts m more operations for getrf than elimination needs.
    CHECK(priced(wf::kernels::lu, wf::flops, {shape::of(m, m)}) == lu + m);
    CHECK(priced(wf::kernels::lu_factor, wf::flops, {shape::of(m, m)}) == lu + m);
    // Half of each update and half of its diagonal; a root or reciprocal per column.
    std::int64_t triangle = 0;
    for (std::int64_t k = 1; k <= m; ++k) triangle += 1 + (m - k) + (m - k) * (m - k + 1);
    CHECK(priced(wf::kernels::cholesky, wf::flops, {shape::of(m, m)}) == triangle);
    CHECK(priced(wf::kernels::ldl_factor, wf::flops, {shape::of(m, m)}) == triangle + 3 * m);
  }
}

TEST_CASE("the results of factorisations: factors, and permutations where rows are exchanged") {
  CHECK(results(wf::kernels::cholesky, {f64(3, 3)}) == "f64[3x3] lower nonsingular");
  CHECK(known_result(wf::kernels::cholesky, {wf::spd}).has(wf::lower_triangular | wf::nonsingular));
  for (const auto* k : {&wf::kernels::lu, &wf::kernels::lu_factor, &wf::kernels::ldl_factor})
    CHECK(results(*k, {f64(3, 3)}) == "f64[3x3], i64[3]");
}

TEST_CASE("row 3: wrong operands of factorisations") {
  using namespace wf::kernels;
  for (const auto* k : {&cholesky, &lu, &lu_factor, &ldl_factor}) {
    CAPTURE(std::string(k->name));
    CHECK(failure(*k, {f64(2, 3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {of(wf::dtype::i32, 3, 3)}) == wf::errc::dtype_mismatch);
  }
}
