// SPDX-License-Identifier: BSL-1.0
#include <wf/run/values/element.hpp>

#include <bit>
#include <random>
#include <vector>

#include <doctest/doctest.h>

namespace {

namespace compute = wf::compute;
using wf::dtype;

constexpr double infinity = std::numeric_limits<double>::infinity();

// All finite non-negative numbers of a format of at most 16 bits, from their bits.
std::vector<double> numbers_of(int exponent_bits, int fraction_bits) {
  std::vector<double> out;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  for (int e = 0; e < (1 << exponent_bits) - 1; ++e)
    for (int f = 0; f < 1 << fraction_bits; ++f) {
      const double fraction = std::ldexp(static_cast<double>(f), -fraction_bits);
      out.push_back(e == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, e - bias));
    }
  return out;
}

bool settles(dtype type, std::vector<double> x) {
  return compute::settle(type, x.data(), static_cast<std::ptrdiff_t>(x.size()));
}

}  // namespace

TEST_CASE("half and bfloat16: every number stays, and what lies between goes to the nearest") {
  for (const auto& [type, all] :
       {std::pair{dtype::f16, numbers_of(5, 10)}, std::pair{dtype::bf16, numbers_of(8, 7)}}) {
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const double a = all[i], b = all[i + 1], middle = a + (b - a) / 2;
      const double even = i % 2 == 0 ? a : b;
      REQUIRE(compute::rounded(type, a) == a);
      REQUIRE(compute::rounded(type, -a) == -a);
      REQUIRE(compute::rounded(type, middle) == even);
      REQUIRE(compute::rounded(type, std::nextafter(middle, 0)) == a);
      REQUIRE(compute::rounded(type, std::nextafter(middle, infinity)) == b);
      REQUIRE(compute::rounded(type, -std::nextafter(middle, infinity)) == -b);
    }
    const double most = all.back(), step = most - all[all.size() - 2];
    CHECK(compute::rounded(type, most + step / 4) == most);
    CHECK(compute::rounded(type, most + step / 2) == infinity);
    CHECK(compute::rounded(type, -1e300) == -infinity);
    CHECK(std::isnan(compute::rounded(type, std::nan(""))));
    CHECK(std::signbit(compute::rounded(type, -0.0)));
  }
  CHECK(numbers_of(5, 10).back() == 65504);
}

TEST_CASE("f32 rounds as a float does, f64 not at all") {
  std::mt19937_64 random(31);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    CHECK(compute::rounded(dtype::f64, x) == x);
    if (std::abs(x) < 1e300) CHECK(compute::rounded(dtype::f32, x) == static_cast<float>(x));
    const float y = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    const double near = y + static_cast<double>(y) * static_cast<double>(random() % 1024) / 1e9;
    if (std::isfinite(y))
      CHECK(compute::detail::rounded_to(near, 24, -125, 128) == compute::rounded(dtype::f32, near));
  }
  CHECK(compute::rounded(dtype::f32, 1e300) == infinity);
}

TEST_CASE("only integers within range and exactness settle as integers, only 0 and 1 as booleans") {
  CHECK(settles(dtype::i8, {-128, 127, 0}));
  CHECK_FALSE(settles(dtype::i8, {128}));
  CHECK_FALSE(settles(dtype::i8, {0, -129}));
  CHECK(settles(dtype::i16, {-32768, 32767}));
  CHECK_FALSE(settles(dtype::i16, {32768}));
  CHECK(settles(dtype::i32, {-2147483648.0, 2147483647.0}));
  CHECK_FALSE(settles(dtype::i32, {2147483648.0}));
  CHECK(settles(dtype::i64, {9007199254740991.0, -9007199254740991.0}));
  CHECK_FALSE(settles(dtype::i64, {9007199254740992.0}));
  CHECK_FALSE(settles(dtype::i64, {0.5}));
  CHECK_FALSE(settles(dtype::i64, {infinity}));
  CHECK_FALSE(settles(dtype::i64, {std::nan("")}));
  CHECK(settles(dtype::boolean, {0, 1, 1}));
  CHECK_FALSE(settles(dtype::boolean, {2}));
  CHECK_FALSE(settles(dtype::boolean, {0.5}));
  CHECK(settles(dtype::f64, {0.1, infinity}));
  CHECK_FALSE(settles(dtype::c64, {1}));
  CHECK_FALSE(settles(dtype::qubit, {1}));
  double zero = -0.0;
  CHECK(compute::settle(dtype::i32, &zero, 1));
  CHECK_FALSE(std::signbit(zero));
  double tenth = 0.1;
  CHECK(compute::settle(dtype::f32, &tenth, 1));
  CHECK(tenth == static_cast<double>(0.1f));
}

TEST_CASE("conversions are those of C++") {
  using compute::converted;
  CHECK(converted(dtype::f64, dtype::i32, 2.9) == 2);
  CHECK(converted(dtype::f64, dtype::i32, -2.9) == -2);
  CHECK(converted(dtype::f64, dtype::boolean, 0.1) == 1);
  CHECK(converted(dtype::f64, dtype::boolean, std::nan("")) == 1);
  CHECK(converted(dtype::f64, dtype::boolean, -0.0) == 0);
  CHECK(converted(dtype::boolean, dtype::f32, 1) == 1);
  CHECK(converted(dtype::f64, dtype::f32, 0.1) == static_cast<double>(0.1f));
  CHECK(converted(dtype::i64, dtype::f32, 16777217) == 16777216);
  CHECK_FALSE(settles(dtype::i32, {converted(dtype::f64, dtype::i32, 1e10)}));
  CHECK_FALSE(settles(dtype::i32, {converted(dtype::f64, dtype::i32, std::nan(""))}));
  std::mt19937_64 random(32);
  for (int i = 0; i < 1000; ++i) {
    const auto x = static_cast<std::int64_t>(random()) >> (11 + random() % 50);
    const auto y = static_cast<double>(x);
    CHECK(converted(dtype::i64, dtype::i8, y) == static_cast<std::int8_t>(x));
    CHECK(converted(dtype::i64, dtype::i16, y) == static_cast<std::int16_t>(x));
    CHECK(converted(dtype::i64, dtype::i32, y) == static_cast<std::int32_t>(x));
    CHECK(converted(dtype::i64, dtype::i64, y) == y);
  }
}
