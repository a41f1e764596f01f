// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/tile_program.hpp>

#include <cstdint>
#include <type_traits>

#include <doctest/doctest.h>

TEST_CASE("a tile has the elements of a small result, and never more than fit the nearest cache") {
  using namespace wf::compute;
  CHECK(tile_length_of(wf::shape()) == 1);
  CHECK(tile_length_of(wf::shape::of(0, 7)) == 0);
  CHECK(tile_length_of(wf::shape::of(3, 7)) == 21);
  CHECK(tile_length_of(wf::shape::of(tile_length)) == tile_length);
  CHECK(tile_length_of(wf::shape::of(1000, 1000)) == tile_length);
  static_assert(std::is_same_v<parameter_of<float>, float>);
  static_assert(std::is_same_v<parameter_of<std::int32_t>, double>);
  // Sources are numbered in a byte: inputs first, then slots, of which a program needs at most as
  // many.
  static_assert(2 * max_tile_inputs <= UINT8_MAX);
}
