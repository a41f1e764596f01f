// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/solve.hpp>

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "../../one_node.hpp"

namespace {

using one_node::f64;
using one_node::failure;
using one_node::of;
using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("solutions by elimination, counted, and substitution") {
  // Counts multiplications, divisions and additions of elimination without pivot search.
  for (std::int64_t m = 1; m < 12; ++m) {
    std::int64_t lu = 0;
    for (std::int64_t k = 1; k <= m; ++k) lu += (m - k) + 2 * (m - k) * (m - k);
    for (std::int64_t n = 1; n < 4; ++n) {
      // Two triangular solutions per column: m(m-1) multiply-adds in total, and m divisions;
      // Working Note 41 counts m more operations for getrf than elimination needs.
      const std::int64_t substitution = n * (2 * m * m - m);
      const std::vector<shape> left{shape::of(m, m), shape::of(m, n)};
      const std::int64_t stated = priced(wf::kernels::solve, wf::flops, left);
      CHECK(stated - substitution - lu == m);
      CHECK(priced(wf::kernels::solve_triangular, wf::flops, left) == n * m * m);
      CHECK(priced(wf::kernels::solve_diagonal, wf::flops, left) == n * m);
    }
  }
}

TEST_CASE("a solution from the right takes as much as the one from the left") {
  for (std::int64_t m = 1; m < 12; ++m)
    for (std::int64_t n = 1; n < 4; ++n)
      for (const auto& [left, right] :
           {std::pair{&wf::kernels::solve, &wf::kernels::solve_right},
            std::pair{&wf::kernels::solve_cholesky, &wf::kernels::solve_right_cholesky}})
        CHECK(priced(*left, wf::flops, {shape::of(m, m), shape::of(m, n)}) ==
              priced(*right, wf::flops, {shape::of(n, m), shape::of(m, m)}));
}

TEST_CASE("row 3: wrong operands of solutions") {
  using namespace wf::kernels;
  for (const auto* k :
       {&solve, &solve_cholesky, &solve_symmetric, &solve_triangular, &solve_diagonal}) {
    CAPTURE(std::string(k->name));
    CHECK(failure(*k, {f64(3, 3), f64(2, 3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {f64(2, 3), f64(2, 3)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {of(wf::dtype::i32, 3, 3), of(wf::dtype::i32, 3, 3)}) ==
          wf::errc::dtype_mismatch);
  }
  for (const auto* k : {&solve_right, &solve_right_cholesky})
    CHECK(failure(*k, {f64(3, 2), f64(3, 3)}) == wf::errc::shape_mismatch);
}
