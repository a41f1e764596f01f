// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/language/symbolic.hpp>
#include <wf/formula/polynomial/compare.hpp>

namespace {

using wf::errc;
using wf::ordering;
using wf::polynomial;
using wf::symbol_domain;

constexpr wf::symbol M = wf::make_symbol("M"), N = wf::make_symbol("N"), K = wf::make_symbol("K");

constexpr polynomial poly(wf::text_view source) { return *wf::parse_polynomial(source); }

constexpr ordering over(wf::text_view p, wf::text_view q, std::int64_t low, std::int64_t high) {
  const symbol_domain domain[] = {{M, low, high}, {N, low, high}, {K, low, high}};
  return *wf::compare(poly(p), poly(q), domain);
}

static_assert(over("M", "M + 1", 1, 1000000000) == ordering::less);
static_assert(over("M", "M**2", 1, 64) == ordering::less_equal);
static_assert(over("M**2", "M", 2, 64) == ordering::greater);
static_assert(over("M**2", "M", 0, 64) == ordering::greater_equal);
static_assert(over("(M + 1)**2", "M**2 + 2*M + 1", 1, 64) == ordering::equal);
static_assert(over("M**3", "64*M**2", 1, 4096) == ordering::mixed);
static_assert(over("M*N*K", "M + N", 3, 1000000000) == ordering::greater);
static_assert(over("2*M*N", "M*N + M", 1, 4096) == ordering::greater_equal);
static_assert(over("M*N", "M + N", 1, 4096) == ordering::mixed);
static_assert(over("M**2 + N**2 + 1", "M*N", 1, 16) == ordering::greater);
static_assert(over("M", "M", 5, 5) == ordering::equal);
static_assert(over("M**2", "25", 5, 5) == ordering::equal);

constexpr bool the_crossover_is_derived() {
  const auto runs = *wf::crossovers(poly("M**3 + 3*M**2"), poly("100*M**2 + 1000"), {M, 1, 4096});
  return runs.size() == 2 && runs[0] == wf::sign_interval{1, 97, -1} &&
         runs[1] == wf::sign_interval{98, 4096, 1};
}
static_assert(the_crossover_is_derived());

}  // namespace

TEST_CASE("crossovers over a large domain are exact") {
  const auto runs = wf::crossovers(poly("(M - 1)*(M - 50)*(M - 51)*(M - 1000000)**2"), polynomial(),
                                   {M, 1, 1000000000});
  REQUIRE(runs);
  const wf::table<wf::sign_interval> expected{{1, 1, 0},
                                              {2, 49, 1},
                                              {50, 51, 0},
                                              {52, 999999, 1},
                                              {1000000, 1000000, 0},
                                              {1000001, 1000000000, 1}};
  CHECK(*runs == expected);
}

TEST_CASE("bad domains and missing symbols are errors") {
  const symbol_domain only_m[] = {{M, 1, 10}};
  const symbol_domain twice[] = {{M, 1, 10}, {M, 1, 20}};
  CHECK(wf::compare(poly("M"), poly("N"), only_m).error().code == errc::unknown_symbol);
  CHECK(wf::compare(poly("M"), poly("N"), only_m).error().message ==
        wf::text("the domain says nothing of the symbol 'N'"));
  CHECK(wf::compare(poly("M"), poly("2"), twice).error().code == errc::not_comparable);
  CHECK(wf::compare(poly("M"), poly("2"), symbol_domain{M, 3, 2}).error().code ==
        errc::not_comparable);
  CHECK(wf::crossovers(poly("M"), poly("N"), only_m[0]).error().code == errc::unknown_symbol);
  CHECK(wf::crossovers(poly("M"), poly("N"), {M, 3, 2}).error().code != errc::none);
  // A symbol that cancels needs no domain.
  CHECK(*wf::compare(poly("M + N"), poly("N"), only_m) == ordering::greater);
}

TEST_CASE("what is not decided within the budget, or does not fit, is unknown") {
  const symbol_domain domain[] = {{M, 1, 1000000000}, {N, 1, 1000000000}};
  CHECK(*wf::compare(poly("M**2 + N**2"), poly("2*M*N"), domain, 50) == ordering::unknown);
  CHECK(*wf::compare(poly("M**5*N**5 - M*N"), poly("N*M**3"), domain, 50) == ordering::unknown);
  CHECK(wf::to_text(ordering::unknown) == "unknown");
  CHECK(wf::to_text(ordering::less_equal) == "less_equal");
}

TEST_CASE("every answer on small boxes is the one brute force finds, or unknown") {
  const unsigned seed = 29;
  CAPTURE(seed);
  std::mt19937 random(seed);
  int decided = 0;
  const int trials = 1500;
  for (int trial = 0; trial < trials; ++trial) {
    polynomial p;
    const wf::symbol symbols[] = {M, N, K};
    const auto used = random() % 3 + 1;
    for (auto terms = random() % 5 + 1; terms > 0; --terms) {
      wf::monomial powers;
      for (auto j = random() % 4; j > 0; --j)
        REQUIRE(wf::multiply(powers, wf::monomial(symbols[random() % used]), powers) == errc::none);
      const int n = static_cast<int>(random() % 21) - 10;
      const int d = static_cast<int>(random() % 3) + 1;
      REQUIRE(p.add_term(*wf::make_rational(n, d), powers) == errc::none);
    }
    symbol_domain domain[3];
    for (int i = 0; i < 3; ++i) {
      const int low = static_cast<int>(random() % 9) - 3;
      domain[i] = {symbols[i], low, low + static_cast<int>(random() % 7)};
    }
    int least = 1, most = -1;
    for (std::int64_t m = domain[0].low; m <= domain[0].high; ++m)
      for (std::int64_t n = domain[1].low; n <= domain[1].high; ++n)
        for (std::int64_t k = domain[2].low; k <= domain[2].high; ++k) {
          const wf::assignment point[] = {{M, m}, {N, n}, {K, k}};
          const int sign = wf::evaluate_at(p, point)->sign();
          least = sign < least ? sign : least;
          most = sign > most ? sign : most;
        }
    const ordering expected = most < 0                  ? ordering::less
                              : least > 0               ? ordering::greater
                              : least == 0 && most == 0 ? ordering::equal
                              : most == 0               ? ordering::less_equal
                              : least == 0              ? ordering::greater_equal
                                                        : ordering::mixed;
    CAPTURE(wf::to_text(p));
    const ordering found = *wf::compare(p, polynomial(), domain);
    if (found == ordering::unknown) continue;
    ++decided;
    CHECK(found == expected);
  }
  CHECK(decided > trials * 95 / 100);
}
