// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/number/rational.hpp>

namespace {

using wf::errc;
using wf::int128;
using wf::rational;

constexpr int128 largest = wf::detail::largest_int128;

constexpr rational fraction(int128 n, int128 d) { return *wf::make_rational(n, d); }

template <auto Operation>
constexpr rational after(const rational& a, const rational& b) {
  rational out;
  return Operation(a, b, out) == errc::none ? out : throw "no exact result";
}
constexpr auto plus = [](const auto& a, const auto& b, auto& out) { return wf::add(a, b, out); };
constexpr auto minus = [](const auto& a, const auto& b, auto& out) {
  return wf::subtract(a, b, out);
};
constexpr auto times = [](const auto& a, const auto& b, auto& out) {
  return wf::multiply(a, b, out);
};
constexpr auto over = [](const auto& a, const auto& b, auto& out) { return wf::divide(a, b, out); };

static_assert(fraction(6, -4).numerator == -3 && fraction(6, -4).denominator == 2);
static_assert(fraction(0, -7) == rational(0));
static_assert(after<plus>(fraction(1, 6), fraction(1, 10)) == fraction(4, 15));
static_assert(after<minus>(fraction(1, 2), fraction(1, 2)) == rational(0));
static_assert(after<times>(fraction(2, 3), fraction(9, 4)) == fraction(3, 2));
static_assert(after<over>(fraction(2, 3), fraction(-4, 9)) == fraction(-3, 2));
static_assert(rational(largest) > fraction(largest, 2));
static_assert(wf::to_text(fraction(-3, 4)) == wf::text("-3/4"));
static_assert(*wf::to_int64(rational(INT64_MIN)) == INT64_MIN);

// A rational is a structural type.
template <rational Value>
constexpr int128 numerator_of = Value.numerator;
static_assert(numerator_of<fraction(10, 4)> == 5);

}  // namespace

TEST_CASE("a fraction with denominator zero is an error") {
  CHECK(wf::make_rational(1, 0).error().code == errc::division_by_zero);
  rational out;
  CHECK(wf::divide(rational(3), rational(0), out) == errc::division_by_zero);
}

TEST_CASE("overflow is an error, never a wrapped number") {
  rational out;
  CHECK(wf::add(rational(largest), rational(1), out) == errc::overflow);
  CHECK(wf::subtract(rational(-largest), rational(1), out) == errc::overflow);
  CHECK(wf::subtract(rational(-largest), rational(2), out) == errc::overflow);
  CHECK(wf::multiply(rational(largest), rational(2), out) == errc::overflow);
  CHECK(wf::multiply(fraction(1, largest), fraction(1, 2), out) == errc::overflow);
  CHECK(wf::add(fraction(1, largest), fraction(1, largest - 1), out) == errc::overflow);
  CHECK(wf::make_rational(-largest - 1, 3).error().code == errc::overflow);
  // Common factors are cancelled first, so that representable results are computed.
  REQUIRE(wf::multiply(fraction(largest, 3), fraction(3, largest), out) == errc::none);
  CHECK(out == rational(1));
}

TEST_CASE("a result may overwrite an operand") {
  rational a(999999997), b(-1000000000000000000);
  REQUIRE(wf::multiply(a, b, a) == errc::none);
  CHECK(wf::to_text(a) == wf::text("-999999997000000000000000000"));
  REQUIRE(wf::add(a, a, a) == errc::none);
  CHECK(wf::to_text(a) == wf::text("-1999999994000000000000000000"));
  rational c = fraction(7, 5);
  REQUIRE(wf::divide(c, c, c) == errc::none);
  CHECK(c == rational(1));
}

TEST_CASE("the order is exact where cross-multiplication overflows") {
  const rational a = fraction(largest, largest - 1), b = fraction(largest - 1, largest - 2);
  CHECK(a < b);  // 1 + 1/(n-1) < 1 + 1/(n-2)
  CHECK(b > a);
  rational minus_a, minus_b;
  wf::negate(a, minus_a), wf::negate(b, minus_b);
  CHECK(minus_a > minus_b);
  CHECK(minus_a < b);
  CHECK((a <=> a) == 0);
  CHECK(fraction(1, largest) > rational(0));
  CHECK(fraction(1, largest) < fraction(1, largest - 1));
}

TEST_CASE("an integer is asked for and given or refused") {
  CHECK(*wf::to_int64(rational(-12)) == -12);
  CHECK(wf::to_int64(fraction(1, 2)).error().code == errc::no_exact_value);
  CHECK(wf::to_int64(rational(int128{INT64_MAX} + 1)).error().code == errc::overflow);
}

TEST_CASE("the laws of a field hold for random fractions") {
  const unsigned seed = 5;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto draw = [&] {
    const int n = static_cast<int>(random() % 2001) - 1000;
    const int d = static_cast<int>(random() % 99) + 1;
    return fraction(n, d);
  };
  for (int i = 0; i < 2000; ++i) {
    const rational a = draw(), b = draw(), c = draw();
    CHECK(after<plus>(a, b) == after<plus>(b, a));
    CHECK(after<minus>(after<plus>(a, b), b) == a);
    CHECK(after<times>(a, after<plus>(b, c)) ==
          after<plus>(after<times>(a, b), after<times>(a, c)));
    if (b.numerator != 0) CHECK(after<times>(after<over>(a, b), b) == a);
    const int128 cross = a.numerator * b.denominator - b.numerator * a.denominator;
    CHECK((a < b) == (cross < 0));
    CHECK((a == b) == (cross == 0));
    const rational sum = after<plus>(a, b);
    CHECK(wf::detail::greatest_divisor(wf::detail::absolute(sum.numerator), sum.denominator) == 1);
  }
}
