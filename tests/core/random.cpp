// SPDX-License-Identifier: BSL-1.0
#include <wf/core/random.hpp>

#include <cstdlib>

#include <doctest/doctest.h>

// The first numbers of SplitMix64 from 1234567, as published with its reference implementation.
static_assert(wf::detail::random_number(1234567, 0) == 6457827717110365317U);
static_assert(wf::detail::random_number(1234567, 1) == 3203168211198807973U);
static_assert(wf::detail::random_number(1234567, 2) == 9817491932198370423U);

TEST_CASE("numbers are spread evenly") {
  int counts[16] = {};
  for (std::uint64_t i = 0; i < 16'000; ++i) ++counts[wf::detail::random_number(7, i) >> 60];
  for (const int c : counts) CHECK(std::abs(c - 1000) < 5 * 31);
}
