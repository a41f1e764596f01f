// SPDX-License-Identifier: BSL-1.0
#include <wf/adapt/wfformat/number.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

using wf::wfformat::number;

std::string spelling(const number& n) { return std::string(n.spelling()); }

static_assert(!number().is_stated() && number().sign() == 0);
static_assert(number(-7).spelling() == "-7" && number(-7).is_integer());
static_assert(number::spelled("1.50").spelling() == "1.50" &&
              !number::spelled("1.50").is_integer());
static_assert(*number::spelled("546.161").scaled(6) == 546'161'000);
static_assert(number::decimal(-1500, 3).spelling() == "-1.5");

// The nearest integer to a decimal with 40 digits after the point, by shifting characters.
std::string shifted(std::string whole, std::string fraction, std::size_t power) {
  fraction += std::string(power + 1, '0');
  std::string digits = "0" + whole + fraction.substr(0, power);
  if (fraction[power] >= '5') {
    std::size_t at = digits.size();
    while (digits[--at] == '9') digits[at] = '0';
    ++digits[at];
  }
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

}  // namespace

TEST_CASE("a number keeps its spelling, and two spellings are two numbers") {
  for (const char* s :
       {"0", "-0", "1.50", "1e5", "1E+05", "0.1e-3", "123456789012345678901234567890"})
    CHECK(spelling(number::spelled(s)) == s);
  CHECK(number::spelled("1.50") != number::spelled("1.5"));
}

TEST_CASE("decimals have the point at its place and no zeros at the end") {
  CHECK(spelling(number::decimal(0, 9)) == "0");
  CHECK(spelling(number::decimal(5, 3)) == "0.005");
  CHECK(spelling(number::decimal(1234, 3)) == "1.234");
  CHECK(spelling(number::decimal(1200, 3)) == "1.2");
  CHECK(spelling(number::decimal(12, 0)) == "12");
  CHECK(spelling(number::decimal(INT64_MIN, 1)) == "-922337203685477580.8");
  CHECK(spelling(*number::of(0.1)) == "0.1");
  CHECK(number::of(INFINITY).error().code == wf::errc::no_exact_value);
  CHECK(number::of(NAN).error().code == wf::errc::no_exact_value);
}

TEST_CASE("scaled rounds to the nearest integer, halves away from zero") {
  CHECK(*number::spelled("2.5").scaled(0) == 3);
  CHECK(*number::spelled("-2.5").scaled(0) == -3);
  CHECK(*number::spelled("2.4999999999999999999999").scaled(0) == 2);
  CHECK(*number::spelled("0.05").scaled(1) == 1);
  CHECK(*number::spelled("0.04").scaled(1) == 0);
  CHECK(*number::spelled("1e-400").scaled(9) == 0);
  CHECK(*number::spelled("0e999999999999999999999").scaled(9) == 0);
  CHECK(*number::spelled("9223372036854775807").scaled(0) == INT64_MAX);
  CHECK(number::spelled("9223372036854775808").scaled(0).error().code == wf::errc::overflow);
  CHECK(number::spelled("9223372036854775807.5").scaled(0).error().code == wf::errc::overflow);
  CHECK(number::spelled("1e999999999999999999999").scaled(0).error().code == wf::errc::overflow);
  CHECK(number().scaled(0).error().code == wf::errc::no_exact_value);
}

TEST_CASE("scaled agrees with the shifting of characters, whatever the exponent says") {
  std::mt19937_64 random(20261126);
  for (int i = 0; i < 3000; ++i) {
    std::string whole = std::to_string(random() % (std::uint64_t{1} << random() % 20));
    std::string fraction = std::to_string(random() % 1'000'000'000);
    fraction.insert(0, random() % 6, '0');
    const std::size_t power = random() % 10;
    const auto exponent = static_cast<int>(random() % 9) - 4;
    // whole.fraction, with the point moved against the exponent
    std::string digits = std::string(9, '0') + whole + fraction + std::string(9, '0');
    const std::size_t point = 9 + whole.size() - static_cast<std::size_t>(exponent + 4) + 4;
    std::string front = digits.substr(0, point), back = digits.substr(point);
    front.erase(0, std::min(front.find_first_not_of('0'), front.size() - 1));
    const std::string spelled = front + "." + back + (random() % 2 == 0 ? "e" : "E") +
                                (exponent >= 0 && random() % 2 == 0 ? "+" : "") +
                                std::to_string(exponent);
    CAPTURE(spelled);
    const auto scaled = number::spelled(spelled).scaled(static_cast<std::uint32_t>(power));
    REQUIRE(scaled);
    CHECK(std::to_string(*scaled) == shifted(whole, fraction, power));
    CHECK(number::spelled(spelled).is_at_least_one() == (whole != "0"));
    CHECK(*number::spelled(spelled).real() == std::strtod(spelled.c_str(), nullptr));
  }
}

TEST_CASE("doubles out of range are an error if large and 0 if small") {
  CHECK(number::spelled("1e400").real().error().code == wf::errc::overflow);
  CHECK(*number::spelled("1e-400").real() == 0);
  CHECK(number().real().error().code == wf::errc::no_exact_value);
}

TEST_CASE("comparisons with one are exact") {
  CHECK(number(1).is_at_least_one());
  CHECK(number::spelled("1e0").is_at_least_one());
  CHECK(number::spelled("0.1e1").is_at_least_one());
  CHECK_FALSE(number::spelled("0.99999999999999999999999999999").is_at_least_one());
  CHECK_FALSE(number::spelled("-3").is_at_least_one());
  CHECK_FALSE(number::spelled("0").is_at_least_one());
  CHECK(number::spelled("-0.0").sign() == 0);
  CHECK(number::spelled("-0.1").sign() == -1);
}
