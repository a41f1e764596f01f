// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/fluid_records.hpp>

#include <doctest/doctest.h>

TEST_CASE("ends are ordered by the clock, then by the number of the transfer") {
  using wf::sim::detail::fluid::route_end;
  using wf::sim::detail::fluid::transfer_end;
  CHECK(transfer_end{1, 9, 0} < transfer_end{2, 3, 0});
  CHECK(transfer_end{2, 3, 0} < transfer_end{2, 4, 0});
  CHECK_FALSE(transfer_end{2, 4, 0} < transfer_end{2, 4, 1});
  CHECK(route_end{1, 9} < route_end{2, 3});
  CHECK(route_end{2, 3} < route_end{2, 4});
  CHECK_FALSE(route_end{2, 4} < route_end{2, 4});
}
