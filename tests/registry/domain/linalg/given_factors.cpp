// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/given_factors.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <wf/registry/domain/linalg/factorisation.hpp>
#include <wf/registry/domain/linalg/solve.hpp>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::of;
using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("factors and what remains with them take as much as the solution in one") {
  using namespace wf::kernels;
  for (std::int64_t m = 1; m < 12; ++m)
    for (std::int64_t n = 1; n < 4; ++n)
      for (const wf::dtype type : {wf::dtype::f64, wf::dtype::c128}) {
        const auto remaining = [&](const wf::kernel_spec& k) {
          return priced(k, wf::flops, {shape::of(m, m), shape::of(m), shape::of(m, n)}, {},
                        {type, wf::dtype::i64, type});
        };
        const auto whole = [&](const wf::kernel_spec& k) {
          return priced(k, wf::flops, {shape::of(m, m), shape::of(m, n)}, {}, {type, type});
        };
        const auto factors = [&](const wf::kernel_spec& k) {
          return priced(k, wf::flops, {shape::of(m, m)}, {}, {type});
        };
        CHECK(factors(lu_factor) + remaining(solve_lu) == whole(solve));
        CHECK(factors(lu_factor) + remaining(solve_lu_transposed) == whole(solve));
        CHECK(factors(ldl_factor) + remaining(solve_ldl) == whole(solve_symmetric));
      }
}

TEST_CASE("row 3: wrong operands of solutions by given factors") {
  using namespace wf::kernels;
  const auto rows = [](auto... e) { return of(wf::dtype::i64, e...); };
  for (const auto* k : {&solve_lu, &solve_lu_transposed, &solve_ldl}) {
    CAPTURE(std::string(k->name));
    CHECK(failure(*k, {f64(3, 3), rows(3), f64(2, 3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {f64(3, 3), rows(2), f64(3, 2)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {f64(3, 3), f64(3), f64(3, 2)}) == wf::errc::dtype_mismatch);
  }
}
