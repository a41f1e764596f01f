// SPDX-License-Identifier: BSL-1.0
#include <wf/registry/domain/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace {

using wf::dtype;
using namespace wf::detail;

constexpr double settled(dtype type, double x) { return settle_element(type, x) ? x : -99; }
constexpr double converted(dtype from, dtype to, double x) {
  return convert_element(from, to, x) ? x : -99;
}

static_assert(settled(dtype::f32, 0.1) == static_cast<double>(0.1f));
static_assert(settled(dtype::f16, 65504) == 65504 && settled(dtype::f16, 65519.99) == 65504);
static_assert(settled(dtype::f16, 65520) == -99);  // overflows to infinity
static_assert(settled(dtype::f16, 2049) == 2048);  // ties to even
static_assert(settled(dtype::f16, 2051) == 2052);
static_assert(settled(dtype::f16, 0x1.8p-25) == 0x1p-24);  // subnormal
static_assert(settled(dtype::f16, 0x1p-25) == 0);
static_assert(is_negative_zero(settled(dtype::f16, -1e-300)));
static_assert(settled(dtype::bf16, 1.01) == 1.0078125);
static_assert(settled(dtype::i8, -128) == -128 && settled(dtype::i8, 128) == -99);
static_assert(settled(dtype::i64, 9007199254740992.0) == -99);
static_assert(settled(dtype::i32, 0.5) == -99);
static_assert(is_positive_zero(settled(dtype::i32, -0.0)));
static_assert(settled(dtype::boolean, 1) == 1 && settled(dtype::boolean, 2) == -99);
static_assert(settled(dtype::c64, 1) == -99);
static_assert(converted(dtype::f64, dtype::i32, -2.9) == -2);
static_assert(converted(dtype::i32, dtype::i8, 384) == -128);
static_assert(converted(dtype::i8, dtype::i64, -5) == -5);
static_assert(converted(dtype::f32, dtype::boolean, -0.5) == 1);
static_assert(converted(dtype::f64, dtype::i8, 300) == -99);
static_assert(square_root(2) == 1.4142135623730951 && square_root(0x1p-1074) == 0x1p-537);
static_assert(truncated(-2.5) == -2 && truncated(1e300) == 1e300);

// Numbers of all magnitudes, with few digits and with many.
double any_number(std::mt19937_64& random) {
  const auto exponent = static_cast<int>(random() % 60) - 30;
  const double size = std::ldexp(static_cast<double>(random() >> (11 + random() % 53)),
                                 random() % 8 == 0 ? exponent * 17 - 52 : exponent - 52);
  return random() % 2 == 0 ? size : -size;
}

}  // namespace

TEST_CASE("numbers are rounded to f32 as the machine does") {
  std::mt19937_64 random(20261210);
  for (int i = 0; i < 20'000; ++i) {
    double x = any_number(random);
    const auto wanted = static_cast<double>(static_cast<float>(x));
    if (!std::isfinite(wanted)) {
      CHECK_FALSE(settle_element(dtype::f32, x));
      continue;
    }
    REQUIRE(settle_element(dtype::f32, x));
    CHECK(std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(wanted));
  }
}

TEST_CASE("numbers are rounded to the nearest ones of 16 bits, found among all") {
  struct format {
    dtype type;
    int digits, bias;
  };
  std::mt19937_64 random(20261211);
  for (const format& f : {format{dtype::f16, 11, 15}, format{dtype::bf16, 8, 127}}) {
    std::vector<double> all;  // the finite, non-negative ones, ascending
    const int fraction = f.digits - 1;
    for (int bits = 0; bits >> fraction != 2 * f.bias + 1; ++bits) {
      const int exponent = bits >> fraction, digits = bits & ((1 << fraction) - 1);
      all.push_back(exponent == 0
                        ? std::ldexp(digits, 1 - f.bias - fraction)
                        : std::ldexp(digits + (1 << fraction), exponent - f.bias - fraction));
    }
    for (int i = 0; i < 5'000; ++i) {
      double x = any_number(random);
      if (i % 4 == 0) {  // between two of them, or equal to one
        const std::size_t at = random() % (all.size() - 1);
        x = i % 8 == 0 ? (all[at] + all[at + 1]) / 2 : all[at];
      }
      const double size = std::abs(x);
      const auto above =
          static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), size) - all.begin());
      const double limit = all.back() + (all.back() - all[all.size() - 2]) / 2;
      double y = x;
      if (size >= limit) {
        CHECK_FALSE(settle_element(f.type, y));
        continue;
      }
      std::size_t nearest = above == all.size() ? above - 1 : above;
      if (nearest != 0) {
        const double up = all[nearest] - size, down = size - all[nearest - 1];
        if (down < up || (down == up && (nearest - 1) % 2 == 0)) --nearest;
      }
      REQUIRE(settle_element(f.type, y));
      CAPTURE(x);
      CHECK(std::abs(y) == all[nearest]);
      CHECK(std::signbit(y) == std::signbit(x));
    }
  }
}

TEST_CASE("roots are the nearest numbers, as the machine's are") {
  std::mt19937_64 random(20261212);
  for (int i = 0; i < 20'000; ++i) {
    double x = std::abs(any_number(random));
    if (i % 50 == 0) x = std::bit_cast<double>(random() >> 12);  // subnormal
    CAPTURE(x);
    CHECK(square_root(x) == std::sqrt(x));
  }
}
