// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/nearest_normal.hpp>

#include <cmath>
#include <random>

#include <doctest/doctest.h>

namespace {

using wf::uint128, wf::detail::nearest_normal;

static_assert(nearest_normal(1, 0, false) == 1);
static_assert(nearest_normal((uint128{1} << 53) + 1, 0, false) == 9007199254740992.0);  // ties to
                                                                                        // even
static_assert(nearest_normal((uint128{1} << 53) + 1, 0, true) == 9007199254740994.0);
static_assert(nearest_normal((uint128{1} << 53) + 3, 0, false) == 9007199254740996.0);
static_assert(nearest_normal((uint128{1} << 54) - 1, 0, false) == 18014398509481984.0);

}  // namespace

TEST_CASE("integers of 64 bits become what the machine makes of them") {
  std::mt19937_64 random(20261126);
  for (int i = 0; i < 50'000; ++i) {
    const std::uint64_t n = (random() >> random() % 64) | 1;
    const int exponent = static_cast<int>(random() % 200) - 100;
    CHECK(nearest_normal(n, exponent, false) == std::ldexp(static_cast<double>(n), exponent));
  }
}
