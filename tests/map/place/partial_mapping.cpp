// SPDX-License-Identifier: BSL-1.0
#include <wf/map/place/partial_mapping.hpp>

#include <doctest/doctest.h>

namespace {

static_assert(wf::partial_mapping().makespan == 0);

}  // namespace

TEST_CASE("an operator is placed once it has a rectangle") {
  wf::partial_mapping s;
  s.spots.resize(2);
  CHECK_FALSE(s.has(0));
  wf::partial_mapping other = s;
  other.spots[0] = {{0, 0, 1, 2}, 3, wf::overwrites_nothing, 7};
  CHECK(other.has(0));
  CHECK_FALSE(other.has(1));
  CHECK_FALSE(s.has(0));
  CHECK_FALSE(s.spots[0] == other.spots[0]);
  CHECK(s.spots[1] == other.spots[1]);
}
