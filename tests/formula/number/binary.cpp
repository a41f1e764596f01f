// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/number/binary.hpp>

#include <random>

#include <doctest/doctest.h>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace {

using real = boost::multiprecision::cpp_bin_float_100;
using wf::binary;
using wf::errc;
using wf::rounding;

real value(const binary& b) { return ldexp(real(b.digits), b.exponent); }

bool keeps_invariant(const binary& b) {
  const auto size = b.digits < 0 ? -b.digits : b.digits;
  return b.digits == 0 ? b.exponent == 0
                       : size >= std::int64_t{1} << 61 && size < std::int64_t{1} << 62;
}

// Numbers of all magnitudes, often near integers and powers of two, where rounding is critical.
binary some(std::mt19937_64& random, int largest_exponent, bool positive) {
  binary out;
  const int kind = static_cast<int>(random() % 4);
  wf::int128 digits = static_cast<wf::int128>(random() >> (random() % 64));
  if (kind == 1) digits = (wf::int128{1} << (random() % 70)) + static_cast<int>(random() % 3) - 1;
  if (kind == 2) digits = static_cast<int>(random() % 20);
  if (positive ? digits <= 0 : random() % 2 == 0) digits = positive ? 1 - digits : -digits;
  const auto exponent =
      static_cast<int>(random() % static_cast<unsigned>(2 * largest_exponent + 1));
  REQUIRE(wf::detail::normalise(digits, exponent - largest_exponent, false, rounding::down, out) ==
          errc::none);
  return out;
}

// Checks that the two results of an operation enclose the exact number, which the reference knows
// with an error of `slack`, and that they are at most `width` apart.
template <class Operation>
void check_sides(Operation operation, const real& exact, const real& width, const real& slack = 0) {
  binary low, high;
  REQUIRE(operation(rounding::down, low) == errc::none);
  REQUIRE(operation(rounding::up, high) == errc::none);
  CHECK(keeps_invariant(low));
  CHECK(keeps_invariant(high));
  CHECK(value(low) <= exact + slack);
  CHECK(exact - slack <= value(high));
  CHECK(value(high) - value(low) <= width);
}

const real unit = ldexp(real(1), -60), digits = real("1e-95");

constexpr bool is_three_halves() {
  binary three, two, ratio;
  (void)wf::to_binary(3, rounding::down, three);
  (void)wf::to_binary(2, rounding::down, two);
  return wf::divide(three, two, rounding::up, ratio) == errc::none &&
         ratio.digits == std::int64_t{3} << 60 && ratio.exponent == -61;
}
static_assert(is_three_halves());

}  // namespace

TEST_CASE("results are rounded to the side asked for, by less than 2**-60 of themselves") {
  std::mt19937_64 random(20261123);
  MESSAGE("seed 20261123");
  for (int i = 0; i < 20000; ++i) {
    const binary a = some(random, 200, false), b = some(random, i % 2 == 0 ? 3 : 200, false);
    const real x = value(a), y = value(b);
    CAPTURE(x);
    CAPTURE(y);
    const auto with = [&](auto operation) {
      return [&, operation](rounding to, binary& out) { return operation(a, b, to, out); };
    };
    check_sides(with([](auto&... of) { return wf::add(of...); }), x + y, abs(x + y) * unit);
    check_sides(with([](auto&... of) { return wf::subtract(of...); }), x - y, abs(x - y) * unit);
    check_sides(with([](auto&... of) { return wf::multiply(of...); }), x * y, abs(x * y) * unit);
    if (b.digits != 0)
      check_sides(with([](auto&... of) { return wf::divide(of...); }), x / y, abs(x / y) * unit);
    CHECK((a < b) == (x < y));
    CHECK((a == b) == (x == y));
    wf::int128 whole = 0;
    if (wf::floor(a, whole) == errc::none)
      CHECK(real(static_cast<std::int64_t>(whole >> 64)) * ldexp(real(1), 64) +
                real(static_cast<std::uint64_t>(whole)) ==
            floor(x));
    else
      CHECK(abs(x) >= ldexp(real(1), 125));
  }
}

TEST_CASE("roots, logarithms and exponentials are bounded from both sides") {
  std::mt19937_64 random(20261124);
  MESSAGE("seed 20261124");
  const real log_of_two = log(real(2));
  for (int i = 0; i < 3000; ++i) {
    const binary a = some(random, i % 2 == 0 ? 62 : 300, true);
    const real x = value(a);
    CAPTURE(x);
    check_sides([&](rounding to, binary& out) { return wf::sqrt(a, to, out); }, sqrt(x),
                sqrt(x) * unit, sqrt(x) * digits);
    const real logarithm = log(x) / log_of_two;
    check_sides([&](rounding to, binary& out) { return wf::log2(a, to, out); }, logarithm,
                (8 + abs(logarithm)) * unit, abs(logarithm) * digits);
    binary e = some(random, 3, false);
    e.exponent -= 58;
    if (!keeps_invariant(e) || e.digits == 0) continue;
    const real power = exp(value(e) * log_of_two);
    check_sides([&](rounding to, binary& out) { return wf::exp2(e, to, out); }, power,
                128 * power * unit, power * digits);
  }
}

TEST_CASE("fractions have bounds; what is too large for them is an overflow") {
  std::mt19937_64 random(20261125);
  MESSAGE("seed 20261125");
  for (int i = 0; i < 3000; ++i) {
    const auto part = [&] { return static_cast<wf::int128>(random() >> (random() % 60)); };
    const auto made = wf::make_rational((random() % 2 == 0 ? 1 : -1) * part(), part() + 1);
    REQUIRE(made);
    const real exact = real(static_cast<std::int64_t>(made->numerator >> 32)) * ldexp(real(1), 32) +
                       real(static_cast<std::uint32_t>(made->numerator));
    const real over = real(static_cast<std::uint64_t>(made->denominator));
    check_sides([&](rounding to, binary& out) { return wf::to_binary(*made, to, out); },
                exact / over, 2 * abs(exact / over) * unit);
  }
  binary large{std::int64_t{1} << 61, 900'000}, out;
  CHECK(wf::multiply(large, large, rounding::up, out) == errc::overflow);
  CHECK(wf::exp2(large, rounding::up, out) == errc::overflow);
  CHECK(wf::divide(large, binary(), rounding::up, out) == errc::division_by_zero);
}
