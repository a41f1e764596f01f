// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/inverse.hpp>

#include <string>

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

TEST_CASE("inverses by LAPACK's counts") {
  for (std::int64_t m = 1; m < 40; ++m) {
    const auto flops = [&](const wf::kernel_spec& k) {
      return priced(k, wf::flops, {shape::of(m, m)});
    };
    // 2 m³ to leading order, and always an integer.
    CHECK(flops(wf::kernels::inverse) > 2 * m * m * m - 2 * m * m);
    CHECK(flops(wf::kernels::inverse) <= 2 * m * m * m + 3 * m);
    // Six times the figures of Working Note 41, to avoid fractions: potrf and potri; sytrf and
    // sytri.
    CHECK(6 * flops(wf::kernels::inverse_cholesky) ==
          (2 * m * m * m + 3 * m * m + m) + (4 * m * m * m + 3 * m * m + 5 * m));
    CHECK(6 * flops(wf::kernels::inverse_symmetric) ==
          (2 * m * m * m + 3 * m * m + 19 * m) + (4 * m * m * m + 2 * m));
    CHECK(3 * flops(wf::kernels::inverse_triangular) == m * m * m + 2 * m);
    CHECK(flops(wf::kernels::inverse_diagonal) == m);
  }
}

TEST_CASE("an inverse keeps its operand's structure, and has an inverse") {
  using namespace wf::kernels;
  for (const auto* k :
       {&inverse, &inverse_cholesky, &inverse_symmetric, &inverse_triangular, &inverse_diagonal}) {
    CAPTURE(std::string(k->name));
    CHECK(known_result(*k, {wf::properties()}).has(wf::nonsingular));
    CHECK(known_result(*k, {wf::lower_triangular}).has(wf::lower_triangular));
    CHECK(known_result(*k, {wf::spd}).has(wf::spd));
  }
  // Only one triangle is read: the result is symmetric whatever the other contains.
  CHECK(known_result(inverse_symmetric, {wf::properties()}).has(wf::symmetric));
  CHECK_FALSE(known_result(inverse, {wf::properties()}).has(wf::symmetric));
}

TEST_CASE("row 3: wrong operands of inverses") {
  using namespace wf::kernels;
  for (const auto* k :
       {&inverse, &inverse_cholesky, &inverse_symmetric, &inverse_triangular, &inverse_diagonal}) {
    CAPTURE(std::string(k->name));
    CHECK(failure(*k, {f64(2, 3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {of(wf::dtype::i32, 3, 3)}) == wf::errc::dtype_mismatch);
  }
}
