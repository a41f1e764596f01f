// SPDX-License-Identifier: BSL-1.0
#include <wf/run/plan/execution_step.hpp>

#include <doctest/doctest.h>

TEST_CASE("a place is a room and a number in it, and nowhere at first") {
  using wf::detail::storage_place;
  CHECK(storage_place() == storage_place{storage_place::room::nowhere, 0});
  CHECK_FALSE(storage_place{storage_place::room::input, 0} ==
              storage_place{storage_place::room::output, 0});
  CHECK_FALSE(storage_place{storage_place::room::input, 0} ==
              storage_place{storage_place::room::input, 1});
  const wf::detail::execution_step<double> step;
  CHECK(step.program.empty());
  const wf::detail::bound_step<double> bound;
  CHECK_FALSE(bound.node.has_value());
  CHECK_FALSE(bound.tiles.has_value());
}
