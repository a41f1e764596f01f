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

TEST_CASE("shares are parts of a bandwidth, at most twice the whole, and leave the rest") {
  using namespace wf::sim::detail::fluid;
  link_state l;
  l.bandwidth = 3;
  l.whole_per_byte = whole_share / 3;
  CHECK(share_of(3, l) == std::int64_t{1} << 60);
  CHECK(share_of(1.5, l) == std::int64_t{1} << 59);
  CHECK(share_of(1e300, l) == std::int64_t{1} << 61);
  CHECK(share_of(0, l) == 0);
  CHECK(left_of(l, share_of(1.5, l)) == 1.5);
  CHECK(left_of(l, 0) == 3);
  CHECK(left_of(l, share_of(6, l)) == -3);
}

TEST_CASE("a level is above another one by more than rounding") {
  using wf::sim::detail::fluid::is_above;
  CHECK(is_above(1.001, 1));
  CHECK(is_above(1 + 0x1p-40, 1));
  CHECK_FALSE(is_above(1 + 0x1p-50, 1));
  CHECK_FALSE(is_above(1, 1));
  CHECK_FALSE(is_above(1, 2));
  CHECK(is_above(1e-300, 0));
}
