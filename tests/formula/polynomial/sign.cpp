// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/language/symbolic.hpp>
#include <wf/formula/polynomial/sign.hpp>

namespace {

using wf::errc;
using wf::int128;
using wf::sign_interval;

constexpr wf::symbol M = wf::make_symbol("M");

constexpr wf::table<sign_interval> runs_of(wf::text_view source, std::int64_t low,
                                           std::int64_t high) {
  wf::table<sign_interval> runs;
  const auto p = wf::parse_polynomial(source);
  if (wf::sign_intervals(*p, {M, low, high}, runs) != errc::none) runs.clear();
  return runs;
}

static_assert(runs_of("M**2 - 100*M + 2499", 1, 1000000000) ==
              wf::table<sign_interval>{
                  {1, 48, 1}, {49, 49, 0}, {50, 50, -1}, {51, 51, 0}, {52, 1000000000, 1}});
static_assert(runs_of("0", 3, 5) == wf::table<sign_interval>{{3, 5, 0}});
static_assert(runs_of("-7", -3, 5) == wf::table<sign_interval>{{-3, 5, -1}});
static_assert(runs_of("M", 0, 0) == wf::table<sign_interval>{{0, 0, 0}});

}  // namespace

TEST_CASE("signs at points are exact where the value fits no integer") {
  // x**9 - 10**9 * x**8 changes sign at 10**9; its values near there have 81 digits.
  const int128 coefficients[] = {0, 0, 0, 0, 0, 0, 0, 0, -1000000000, 1};
  const wf::view<int128> p = coefficients;
  CHECK(wf::detail::sign_at(p, 999999999) == -1);
  CHECK(wf::detail::sign_at(p, 1000000000) == 0);
  CHECK(wf::detail::sign_at(p, 1000000001) == 1);
  CHECK(wf::detail::sign_at(p, -1) == -1);
  CHECK(wf::detail::sign_at(p, INT64_MAX) == 1);
  CHECK(wf::detail::sign_at(p, INT64_MIN) == -1);
}

TEST_CASE("runs reach the ends of 64-bit integers") {
  const auto runs = runs_of("M**3 - M", INT64_MIN, INT64_MAX);
  REQUIRE(runs.size() == 3);
  CHECK(runs[0] == sign_interval{INT64_MIN, -2, -1});
  CHECK(runs[1] == sign_interval{-1, 1, 0});
  CHECK(runs[2] == sign_interval{2, INT64_MAX, 1});
}

TEST_CASE("coefficients that do not fit are refused") {
  wf::table<sign_interval> runs;
  const auto p = wf::parse_polynomial("2**126*M + 1");
  CHECK(wf::sign_intervals(*p, {M, 1, 2}, runs) == errc::overflow);
}

TEST_CASE("random polynomials have the signs that brute force finds") {
  const unsigned seed = 17;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int trial = 0; trial < 1500; ++trial) {
    // Products of factors with integer and nearly integer roots, so that all kinds of contact
    // occur.
    wf::polynomial p(static_cast<int>(random() % 7) - 3);
    for (auto factors = random() % 6; factors > 0; --factors) {
      const int scale = static_cast<int>(random() % 3) + 1;
      const int root = static_cast<int>(random() % 81) - 40;
      const auto factor = wf::polynomial(scale) * wf::polynomial(M) - wf::polynomial(root);
      p = *(p * factor);
    }
    const auto shift = wf::polynomial(*wf::make_rational(static_cast<int>(random() % 5) - 2, 3));
    if (random() % 2 == 0) p = *(p + shift);
    CAPTURE(wf::to_text(p));
    wf::table<sign_interval> runs;
    REQUIRE(wf::sign_intervals(p, {M, -50, 50}, runs) == errc::none);
    std::int64_t next = -50;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      CHECK(runs[i].low == next);
      CHECK((i == 0 || runs[i].sign != runs[i - 1].sign));
      for (std::int64_t x = runs[i].low; x <= runs[i].high; ++x) {
        const wf::assignment point[] = {{M, x}};
        REQUIRE(wf::evaluate_at(p, point)->sign() == runs[i].sign);
      }
      next = runs[i].high + 1;
    }
    CHECK(next == 51);
  }
}

TEST_CASE("random large domains have the signs of the factors") {
  const unsigned seed = 23;
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (int trial = 0; trial < 300; ++trial) {
    std::int64_t roots[3];
    for (std::int64_t& root : roots) root = static_cast<std::int64_t>(random() % 1000000000) + 1;
    wf::polynomial p(1);
    for (const std::int64_t root : roots) p = *(p * (wf::polynomial(M) - wf::polynomial(root)));
    wf::table<sign_interval> runs;
    REQUIRE(wf::sign_intervals(p, {M, 1, 1000000000}, runs) == errc::none);
    const auto sign_by_factors = [&](std::int64_t x) {
      int sign = 1;
      for (const std::int64_t root : roots) sign *= x < root ? -1 : x > root ? 1 : 0;
      return sign;
    };
    for (const sign_interval& run : runs) {
      CHECK(sign_by_factors(run.low) == run.sign);
      CHECK(sign_by_factors(run.high) == run.sign);
    }
    CHECK(runs.back().high == 1000000000);
  }
}
