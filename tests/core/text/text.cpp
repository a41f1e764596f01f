// SPDX-License-Identifier: BSL-1.0
#include <wf/core/text/text.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>

namespace {

constexpr wf::text built() {
  wf::text t;
  return t << "needs " << 3 << ' ' << wf::text_view("operands") << ", not " << -7;
}
static_assert(built() == wf::text("needs 3 operands, not -7"));
static_assert((wf::text() << INT64_MIN) == wf::text("-9223372036854775808"));
static_assert(wf::text().grouped(1234567) == wf::text("1,234,567"));
static_assert(wf::text().grouped(-123) == wf::text("-123"));
static_assert(wf::text().grouped(-1234) == wf::text("-1,234"));

}  // namespace

TEST_CASE("integers print as the standard library prints them") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 5000; ++i) {
    const auto n = static_cast<std::int64_t>(random()) >> (random() % 64);
    CHECK(std::string((wf::text() << n).view()) == std::to_string(n));
  }
  CHECK((wf::text() << (wf::int128{1} << 100)) == wf::text("1267650600228229401496703205376"));
}
