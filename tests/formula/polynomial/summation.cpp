// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/formula/language/symbolic.hpp>
#include <wf/formula/polynomial/summation.hpp>

namespace {

using wf::errc;
using wf::polynomial;
using wf::rational;

constexpr wf::symbol k = wf::make_symbol("k"), n = wf::make_symbol("n");

constexpr polynomial power_of_k(std::uint32_t exponent) {
  polynomial out;
  (void)wf::power(polynomial(k), exponent, out);
  return out;
}

constexpr wf::text closed(const polynomial& body, const polynomial& low, const polynomial& high) {
  polynomial out;
  if (wf::sum_polynomial(body, k, low, high, out) != errc::none) return "error";
  return wf::to_text(out);
}

static_assert(closed(polynomial(1), 1, n) == wf::text("n"));
static_assert(closed(power_of_k(1), 1, n) == wf::text("1/2*n**2 + 1/2*n"));
static_assert(closed(power_of_k(2), 1, n) == wf::text("1/3*n**3 + 1/2*n**2 + 1/6*n"));
static_assert(closed(power_of_k(1), n, n) == wf::text("n"));
static_assert(closed(polynomial(n), 0, 9) == wf::text("10*n"));

}  // namespace

TEST_CASE("the Bernoulli numbers are the published ones") {
  // The Bernoulli numbers B(0), B(1) with positive sign, B(2), ... as in Abramowitz and Stegun,
  // table 23.2.
  const int published[][2] = {{1, 1},       {1, 2}, {1, 6},   {0, 1}, {-1, 30},    {0, 1},
                              {1, 42},      {0, 1}, {-1, 30}, {0, 1}, {5, 66},     {0, 1},
                              {-691, 2730}, {0, 1}, {7, 6},   {0, 1}, {-3617, 510}};
  wf::table<rational> computed;
  REQUIRE(wf::detail::bernoulli_numbers(16, computed) == errc::none);
  REQUIRE(computed.size() == 17);
  for (std::size_t i = 0; i < 17; ++i)
    CHECK(computed[i] == *wf::make_rational(published[i][0], published[i][1]));
}

TEST_CASE("closed forms agree with adding one by one") {
  for (std::uint32_t exponent = 0; exponent <= 12; ++exponent)
    for (int low = -4; low <= 4; ++low) {
      polynomial formula;
      REQUIRE(wf::sum_polynomial(power_of_k(exponent), k, low, n, formula) == errc::none);
      rational total;
      for (int high = low - 1; high <= low + 12; ++high) {
        if (high >= low) {
          rational term;
          REQUIRE(wf::power(rational(high), rational(exponent), term) == errc::none);
          REQUIRE(wf::add(total, term, total) == errc::none);
        }
        const wf::assignment point[] = {{n, high}};
        CHECK(*wf::evaluate_at(formula, point) == total);
      }
    }
}

TEST_CASE("an inner closed form is used only where no inner range is shorter than empty") {
  const wf::symbol i = wf::detail::bound_variable(0);
  const auto holds = [&](const polynomial& low, const polynomial& high, int from, int to) {
    const wf::detail::sum_range ranges[] = {{i, from, to}};
    return wf::detail::closed_form_holds(low, high, ranges);
  };
  CHECK(holds(0, i, 0, 9));
  CHECK(holds(2, i, 1, 9));   // at i = 1 the sum is empty
  CHECK(!holds(3, i, 1, 9));  // at i = 1 the closed form would subtract a term
  CHECK(holds(i, 9, 0, 10));
  CHECK(!holds(i, 9, 0, 11));
  CHECK(holds(0, *(polynomial(i) * polynomial(i)), 0, 5));
  CHECK(holds(5, 1, 0, 9));  // independent of the variable: left to the caller
}
