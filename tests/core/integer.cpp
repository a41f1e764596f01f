// SPDX-License-Identifier: BSL-1.0
#include <wf/core/integer.hpp>

#include <random>

#include <doctest/doctest.h>

namespace {

constexpr bool adds(std::int64_t a, std::int64_t b, std::int64_t expected) {
  std::int64_t out = 0;
  return wf::checked_add(a, b, out) && out == expected;
}
static_assert(adds(1, 2, 3) && !adds(INT64_MAX, 1, 0) && adds(INT64_MAX, -1, INT64_MAX - 1));

constexpr bool multiplies_in_place(wf::int128 a, wf::int128 b, wf::int128 expected) {
  return wf::checked_multiply(a, b, a) && a == expected;  // the result may alias an operand
}
static_assert(multiplies_in_place(wf::int128{1} << 70, 3, (wf::int128{1} << 70) * 3));
static_assert(wf::saturating_add(INT64_MAX, 5) == INT64_MAX && wf::saturating_add(2, 3) == 5);

}  // namespace

TEST_CASE("overflow is seen exactly where 128 bits see it") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> (random() % 64);
    const auto b = static_cast<std::int64_t>(random()) >> (random() % 64);
    std::int64_t out = 0;
    const auto fits = [](wf::int128 x) { return x >= INT64_MIN && x <= INT64_MAX; };
    CHECK(wf::checked_add(a, b, out) == fits(wf::int128{a} + b));
    CHECK(wf::checked_subtract(a, b, out) == fits(wf::int128{a} - b));
    CHECK(wf::checked_multiply(a, b, out) == fits(wf::int128{a} * b));
  }
}
