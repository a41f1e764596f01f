// SPDX-License-Identifier: BSL-1.0
#include <wf/simulate/sharing/rounding.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>

static_assert(wf::sim::ticks_of(10, 4) == 3);  // 2.5: the later one
static_assert(wf::sim::ticks_of(9, 4) == 2);
static_assert(wf::sim::ticks_of(0, 4) == 0);
static_assert(wf::sim::ticks_of(-1e-9, 4) == 0);
static_assert(wf::sim::ticks_of(1e300, 1e-3) == wf::sim::never);
static_assert(wf::sim::work_of(3, 4) == 12);

TEST_CASE("ticks are the nearest to the exact quotient, and work done in them is near the work") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> exponent(-20, 20);
  for (int i = 0; i < 10'000; ++i) {
    const double rate = std::exp2(exponent(random)), work = std::exp2(20 + exponent(random) / 2);
    const std::int64_t ticks = wf::sim::ticks_of(work, rate);
    const double exact = work / rate;
    REQUIRE(std::abs(static_cast<double>(ticks) - exact) <= 0.5 + exact * 0x1p-52);
    REQUIRE(std::abs(wf::sim::work_of(ticks, rate) - work) <= rate * 0.5 + work * 0x1p-50);
  }
}
