// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/elementwise.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <wf/cost/cost.hpp>

#include "../one_node.hpp"

namespace {

using one_node::priced;
using wf::shape;

}  // namespace

TEST_CASE("one operation a result element; operands are what accelerators count") {
  for (const auto& k :
       {wf::kernels::add, wf::kernels::subtract, wf::kernels::multiply, wf::kernels::divide}) {
    CHECK(priced(k, wf::flops, {shape::of(4, 1), shape::of(3)}) == 12);
    CHECK(priced(k, wf::operations, {shape::of(4, 1), shape::of(3)}) == 7);
  }
  CHECK(priced(wf::kernels::negate, wf::flops, {shape::of(5)}) == 5);
}

TEST_CASE("sums keep structure, and definiteness") {
  const auto known = [](wf::properties a, wf::properties b) {
    const wf::value_type types[] = {{wf::dtype::f64, a, shape::of(3, 3)},
                                    {wf::dtype::f64, b, shape::of(3, 3)}};
    return wf::kernels::add.result_properties({types, {}});
  };
  CHECK(known(wf::spd, wf::psd).has(wf::spd));
  CHECK_FALSE(known(wf::psd, wf::psd).has(wf::spd));
  CHECK(known(wf::psd, wf::psd).has(wf::psd));
  CHECK(known(wf::symmetric, wf::spd) == wf::properties(wf::symmetric));
  CHECK(known(wf::lower_triangular, wf::upper_triangular).empty());
  CHECK(known(wf::diagonal, wf::lower_triangular) == wf::properties(wf::lower_triangular));
}

TEST_CASE("row 3: wrong operands of elementwise operators") {
  using one_node::f64, one_node::of, one_node::failure;
  using namespace wf::kernels;
  for (const auto* k : {&add, &subtract, &multiply, &divide, &maximum, &minimum, &power, &less}) {
    CHECK(failure(*k, {f64(2, 3), f64(2)}) == wf::errc::shape_mismatch);
    CHECK(failure(*k, {f64(2), of(wf::dtype::f32, 2)}) == wf::errc::dtype_mismatch);
    CHECK(failure(*k, {of(wf::dtype::qubit, 2), of(wf::dtype::qubit, 2)}) ==
          wf::errc::dtype_mismatch);
    CHECK(failure(*k, {f64(2)}) == wf::errc::shape_mismatch);
  }
  for (const auto* k : {&wf::kernels::exp, &wf::kernels::log, &wf::kernels::sqrt,
                        &wf::kernels::tanh, &sigmoid, &reciprocal})
    CHECK(failure(*k, {of(wf::dtype::i32, 2)}) == wf::errc::dtype_mismatch);
  CHECK(failure(maximum, {of(wf::dtype::c64, 2), of(wf::dtype::c64, 2)}) ==
        wf::errc::dtype_mismatch);
  CHECK(failure(logical_not, {f64(2)}) == wf::errc::dtype_mismatch);
}
