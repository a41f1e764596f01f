// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/diagonal.hpp>

#include <vector>

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

TEST_CASE("what reads a diagonal reads no other element") {
  for (std::int64_t m = 1; m < 6; ++m) {
    const std::vector<shape> square{shape::of(m, m)};
    CHECK(priced(wf::kernels::trace, wf::flops, square) == m - 1);
    CHECK(priced(wf::kernels::diagonal, wf::flops, square) == 0);
    CHECK(priced(wf::kernels::diagonal, wf::bytes_read, square) == 8 * m);
    CHECK(priced(wf::kernels::identity_like, wf::bytes_read, square) == 0);
    for (std::int64_t k = 1; k < 4; ++k)  // m inner products
      CHECK(priced(wf::kernels::product_diagonal, wf::flops, {shape::of(m, k), shape::of(k, m)}) ==
            2 * m * k);
  }
}

TEST_CASE("shapes of diagonals; the identity is known as such") {
  CHECK(results(wf::kernels::trace, {f64(3, 3)}) == "f64[scalar]");
  CHECK(results(wf::kernels::diagonal, {f64(3, 3)}) == "f64[3]");
  CHECK(results(wf::kernels::product_diagonal, {f64(3, 4), f64(4, 3)}) == "f64[3]");
  CHECK(known_result(wf::kernels::identity_like, {wf::properties()}).has(wf::identity));
}

TEST_CASE("row 3: wrong operands of diagonals") {
  using namespace wf::kernels;
  for (const auto* k : {&wf::kernels::trace, &wf::kernels::diagonal, &identity_like})
    CHECK(failure(*k, {f64(2, 3)}) == wf::errc::shape_mismatch);
  CHECK(failure(product_diagonal, {f64(2, 3), f64(2, 3)}) == wf::errc::shape_mismatch);
}
