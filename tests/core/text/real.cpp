// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/real.hpp>

#include <bit>
#include <cstdlib>
#include <random>
#include <string>

#include <doctest/doctest.h>

TEST_CASE("every double round-trips to the bit") {
  std::mt19937_64 random(33);
  const auto check = [](double x) {
    const wf::text written = wf::real_text(x);
    INFO(std::string(written.view()));
    const auto read = wf::parse_real(written.view());
    REQUIRE(read);
    CHECK(std::bit_cast<std::uint64_t>(*read) == std::bit_cast<std::uint64_t>(x));
  };
  for (int i = 0; i < 20000; ++i) check(std::bit_cast<double>(random()));
  for (double x : {0.0, -0.0, 1.0, 0.1, 1e300, 5e-324, 1.7976931348623157e308}) check(x);
  for (int i = 0; i < 2000; ++i) check(static_cast<double>(random() % 100000) / 1000);
}

TEST_CASE("decimals are read as the standard library reads them") {
  for (const char* s : {"0.1", "3.14159", "-2.5", "123456.789", "0.000001"})
    CHECK(*wf::parse_real(s) == std::strtod(s, nullptr));
  for (const char* s : {"", "x", "1..2", "--1", "0x", "0x1"}) {
    const auto read = wf::parse_real(s);
    if (!read) CHECK(read.error().code == wf::errc::graph_syntax);
  }
}
