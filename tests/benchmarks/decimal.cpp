// SPDX-License-Identifier: BSL-1.0
#include <selection/decimal.hpp>

#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

namespace bench = selection_benchmark;

// Digits and number of decimals: "12.5" becomes "125/1".
std::string read(const std::string& text) {
  bench::decimal number;
  if (!bench::read_decimal(text.c_str(), number)) return "refused";
  return std::to_string(number.digits) + "/" + std::to_string(number.decimals);
}

}  // namespace

TEST_CASE("numbers as people write them") {
  CHECK(read("0") == "0/0");
  CHECK(read("-0.000") == "0/0");
  CHECK(read("007") == "7/0");
  CHECK(read("-12.50") == "-125/1");
  CHECK(read("1e3") == "1000/0");
  CHECK(read("2.5E-3") == "25/4");
  CHECK(read("1.25e+2") == "125/0");
  CHECK(read("1125899906842624") == "1125899906842624/0");
  CHECK(read("0.123456789") == "123456789/9");
  CHECK(read("100000000000000000.00") == "100000000000000000/0");
  CHECK(read("100000000000000000000e-9") == "100000000000/0");
  for (const char* bad : {"", "-", ".", "1.", ".5", "1e", "1e+", "e3", "1.2.3", "0x1", "1 ", "--1",
                          "1e99999999999", "0.1234567891", "1e18", "100000000000000001", "nan"})
    CHECK(read(bad) == "refused");
}

TEST_CASE("what is written is read back, whatever the notation") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    const int decimals = static_cast<int>(random() % 10);
    const auto most = static_cast<std::int64_t>(bench::largest_number);
    std::int64_t digits = static_cast<std::int64_t>(random() >> (random() % 64)) % most;
    if (digits < 0) digits = -digits;
    std::string fixed = std::to_string(digits);
    if (fixed.size() <= static_cast<std::size_t>(decimals))
      fixed.insert(0, static_cast<std::size_t>(decimals) + 1 - fixed.size(), '0');
    if (decimals != 0) fixed.insert(fixed.size() - static_cast<std::size_t>(decimals), ".");
    const std::string exponent = std::to_string(digits) + "e-" + std::to_string(decimals);
    CAPTURE(fixed);
    bench::decimal number;
    REQUIRE(bench::read_decimal(fixed.c_str(), number));
    CHECK(read(exponent) == read(fixed));
    // The number is in lowest terms: digits / 10^decimals.
    CHECK((number.decimals == 0 || number.digits % 10 != 0));
    std::int64_t same = 0;
    CHECK(bench::scaled(number, decimals, same));
    CHECK(same == digits);
  }
}
