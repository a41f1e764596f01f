// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/linalg/transpose.hpp>

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

TEST_CASE("the transpose swaps the last two dimensions, and reads the operand so for nothing") {
  CHECK(results(wf::kernels::transpose, {f64(2, 3)}) == "f64[3x2]");
  CHECK(results(wf::kernels::transpose, {f64(7, 2, 3)}) == "f64[7x3x2]");
  CHECK(priced(wf::kernels::transpose, wf::flops, {shape::of(7, 2, 3)}) == 0);
  CHECK(priced(wf::kernels::transpose, wf::bytes, {shape::of(7, 2, 3)}) == 0);

  REQUIRE(wf::kernels::transpose.is_view);
  const wf::value_type stack = f64(7, 2, 3);
  const wf::view_reading read = wf::kernels::transpose.reading({{&stack, 1}, {}}, 0);
  CHECK(read.how == wf::view_reading::way::walked);
  CHECK(read.walker[0] == 0);
  CHECK(read.walker[1] == 2);
  CHECK(read.walker[2] == 1);
  for (std::uint32_t p = 0; p < 3; ++p) CHECK(read.start[p] == 0);
}

TEST_CASE("the transpose flips triangles and keeps symmetry") {
  const auto flipped = [](wf::properties p) { return known_result(wf::kernels::transpose, {p}); };
  CHECK(flipped(wf::lower_triangular) == wf::properties(wf::upper_triangular));
  CHECK(flipped(wf::spd) == wf::properties(wf::spd));
  CHECK(flipped(wf::diagonal) == wf::properties(wf::diagonal));
}

TEST_CASE("row 3: a vector has no transpose") {
  CHECK(failure(wf::kernels::transpose, {f64(3)}) == wf::errc::shape_mismatch);
  const wf::value_type vector = f64(3);
  CHECK(wf::kernels::transpose.reading({{&vector, 1}, {}}, 0).how == wf::view_reading::way::copied);
}
