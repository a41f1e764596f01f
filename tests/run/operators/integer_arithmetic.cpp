// SPDX-License-Identifier: BSL-1.0
#include <wf/run/operators/integer_arithmetic.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace compute = wf::compute;
using wf::int128;

namespace {

// Integers with few bits, tested exhaustively against 32-bit arithmetic.
template <int Number>
using small = compute::remainder<std::int32_t, Number>;

std::int64_t euclidean(int128 x, int128 modulus) {
  const int128 rest = x % modulus;
  return static_cast<std::int64_t>(rest < 0 ? rest + modulus : rest);
}

template <class T, int Number>
void check_remainders(std::mt19937_64& random) {
  using number = compute::remainder<T, Number>;
  const int128 power = int128{1} << (sizeof(T) * 8 - 1);
  const int128 modulus = Number == 0 ? 2 * power : power - (Number == 1 ? 1 : 3);
  const auto any = [&] {
    const auto bits = random() % 4 == 0 ? (random() % 2 == 0 ? power - 1 : power)
                                        : static_cast<int128>(random() >> (random() % 64));
    return static_cast<T>(static_cast<std::uint64_t>(bits));
  };
  for (int round = 0; round < 3000; ++round) {
    const T a = any(), b = any(), c = any();
    number sum = number(a) * number(b);
    sum += number(c);
    sum -= number(b);
    const int128 exact = static_cast<int128>(a) * b + c - b;
    // Numbers are equal exactly if they have the same residue.
    const int128 rest = euclidean(exact, modulus);
    const T same = static_cast<T>(static_cast<std::uint64_t>(rest));
    const T other = static_cast<T>(static_cast<std::uint64_t>(same) ^ 1u);
    CHECK(sum == number(same));
    CHECK_FALSE(sum == number(other));
    CHECK(-sum == number(T{0}) - number(same));
  }
}

}  // namespace

TEST_CASE("remainders are those of the exact numbers") {
  std::mt19937_64 random(1);
  check_remainders<std::int32_t, 0>(random);
  check_remainders<std::int32_t, 1>(random);
  check_remainders<std::int32_t, 2>(random);
  check_remainders<std::int64_t, 0>(random);
  check_remainders<std::int64_t, 1>(random);
  check_remainders<std::int64_t, 2>(random);
  // Multiples of a modulus equal zero.
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  static_assert(small<1>(most) == small<1>(0) && small<1>(-most) == small<1>(0));
  static_assert(small<2>(most - 2) == small<2>(0) && small<2>(2 - most) == small<2>(0));
  static_assert(small<1>(std::numeric_limits<std::int32_t>::min()) == small<1>(-1));
  static_assert(!(small<0>(most) == small<0>(0)));
}

TEST_CASE("bounds of magnitudes hold, and are at most twice the largest") {
  std::mt19937_64 random(2);
  CHECK(compute::magnitude(std::numeric_limits<std::int64_t>::min()) == std::uint64_t{1} << 63);
  CHECK(compute::bounded_product(std::uint64_t{1} << 32, std::uint64_t{1} << 32) ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(compute::bounded_sum(std::uint64_t{1} << 63, std::uint64_t{1} << 63) ==
        std::numeric_limits<std::uint64_t>::max());
  for (int round = 0; round < 300; ++round) {
    std::vector<std::int32_t> x(random() % 100);
    std::uint64_t largest = 0;
    for (std::int32_t& each : x) {
      each = static_cast<std::int32_t>(static_cast<std::int64_t>(random()) >> (32 + random() % 32));
      if (random() % 50 == 0) each = std::numeric_limits<std::int32_t>::min();
      largest = std::max(largest, compute::magnitude(each));
    }
    const auto count = static_cast<Eigen::Index>(x.size());
    CHECK(compute::largest_magnitude(x.data(), count) == largest);
    const std::uint64_t bound = compute::magnitude_bound(x.data(), count);
    CHECK(bound >= largest);
    CHECK(bound <= std::max<std::uint64_t>(2 * largest, 1));
  }
}

TEST_CASE("truths are added up and multiplied as numbers up to two") {
  using compute::truth;
  static_assert((truth(true) + truth(true)).representative() == 2);
  static_assert((truth(true) + truth(true) + truth(true)).representative() == 2);
  static_assert((truth(true) * truth(false)).representative() == 0);
  static_assert((truth(true) * truth(true)).representative() == 1);
  truth sum;
  sum += truth(true);
  CHECK(sum == truth(true));
}
