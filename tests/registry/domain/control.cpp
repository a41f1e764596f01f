// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/control.hpp>

#include <doctest/doctest.h>

#include "../one_node.hpp"

TEST_CASE("row 3: wrong operands of control") {
  using one_node::f64, one_node::of, one_node::failure;
  using namespace wf::kernels;
  const auto logic = [](auto... e) { return of(wf::dtype::boolean, e...); };
  CHECK(failure(wf::kernels::where, {f64(3), f64(3), f64(3)}) == wf::errc::dtype_mismatch);
  CHECK(failure(wf::kernels::where, {logic(2), f64(3), f64(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(wf::kernels::where, {logic(3), f64(3), of(wf::dtype::f32, 3)}) ==
        wf::errc::dtype_mismatch);
  CHECK(failure(check, {f64(3), logic(3)}) == wf::errc::shape_mismatch);
  CHECK(failure(positions, {f64(3)}, {one_node::integer("axis", 1)}) == wf::errc::bad_attribute);
}

TEST_CASE("what is not pure says so") {
  using namespace wf::kernels;
  CHECK(barrier.effects == wf::effect::external);
  CHECK(check.effects == wf::effect::external);
  CHECK(after.effects == wf::effect::pure);
}
