// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/polynomial/polynomial.hpp>

namespace {

using wf::errc;
using wf::polynomial;
using wf::rational;

constexpr wf::symbol M = wf::make_symbol("M"), N = wf::make_symbol("N"), K = wf::make_symbol("K");

constexpr rational fraction(wf::int128 n, wf::int128 d) { return *wf::make_rational(n, d); }

constexpr bool arithmetic() {
  const polynomial m(M), n(N), one(1);
  const auto square = (m + n) * (m + n);
  const auto expanded = m * m + polynomial(2) * m * n + n * n;
  return square && *square == *expanded && (m - m)->is_zero() &&
         *(one - m) == *(polynomial(1) - m) &&
         wf::to_text(*square) == wf::text("M**2 + 2*M*N + N**2");
}
static_assert(arithmetic());
static_assert(polynomial(0).is_zero() && polynomial(0) == polynomial());
static_assert(polynomial(7).is_constant() && polynomial(7).constant() == rational(7));
static_assert(!polynomial(M).is_constant() && polynomial(M).constant() == rational(0));
static_assert(polynomial(M).degree() == 1 && polynomial(3).degree() == 0);
static_assert(wf::to_text(polynomial()) == wf::text("0"));

// A sum of a thousand costs is well within the limits of one constant evaluation.
constexpr bool a_thousand_terms() {
  polynomial cost, total;
  if (wf::multiply(polynomial(M), polynomial(N), cost) != errc::none) return false;
  if (wf::accumulate(cost, polynomial(M)) != errc::none) return false;
  for (int i = 0; i < 1000; ++i)
    if (wf::accumulate(total, cost) != errc::none) return false;
  return wf::to_text(total) == wf::text("1000*M*N + 1000*M");
}
static_assert(a_thousand_terms());

polynomial random_polynomial(std::mt19937& random, unsigned terms) {
  polynomial out;
  const wf::symbol symbols[] = {M, N, K};
  for (unsigned i = 0; i < terms; ++i) {
    wf::monomial powers;
    for (auto j = random() % 4; j > 0; --j)
      (void)wf::multiply(powers, wf::monomial(symbols[random() % 3]), powers);
    const int n = static_cast<int>(random() % 41) - 20;
    const int d = static_cast<int>(random() % 4) + 1;
    REQUIRE(out.add_term(fraction(n, d), powers) == errc::none);
  }
  return out;
}

}  // namespace

TEST_CASE("the text is canonical") {
  polynomial p;
  (void)p.add_term(rational(-4), {});
  (void)p.add_term(fraction(-1, 2), wf::monomial(M));
  wf::monomial cube = wf::monomial(M);
  (void)wf::multiply(cube, cube, cube);
  (void)wf::multiply(cube, wf::monomial(M), cube);
  (void)p.add_term(rational(1), cube);
  (void)p.add_term(rational(3), wf::monomial(N));
  CHECK(wf::to_text(p) == wf::text("M**3 - 1/2*M + 3*N - 4"));
  wf::negate(p, p);
  CHECK(wf::to_text(p) == wf::text("-M**3 + 1/2*M - 3*N + 4"));
}

TEST_CASE("terms that cancel disappear") {
  polynomial p(M);
  REQUIRE(p.add_term(rational(-1), wf::monomial(M)) == errc::none);
  CHECK(p.is_zero());
  CHECK(p == polynomial());
}

TEST_CASE("random polynomials form a commutative ring, and evaluation respects it") {
  const unsigned seed = 3;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int i = 0; i < 300; ++i) {
    const polynomial a = random_polynomial(random, 4), b = random_polynomial(random, 3),
                     c = random_polynomial(random, 2);
    CHECK(*(a + b) == *(b + a));
    CHECK(*(a * b) == *(b * a));
    CHECK(*(a * (b + c)) == *(a * b + a * c));
    CHECK(*((a - b) + b) == a);
    const wf::assignment point[] = {{M, static_cast<int>(random() % 21) - 10},
                                    {N, static_cast<int>(random() % 21) - 10},
                                    {K, static_cast<int>(random() % 21) - 10}};
    const rational at_a = *wf::evaluate_at(a, point), at_b = *wf::evaluate_at(b, point);
    rational sum, product;
    REQUIRE(wf::add(at_a, at_b, sum) == errc::none);
    REQUIRE(wf::multiply(at_a, at_b, product) == errc::none);
    CHECK(*wf::evaluate_at(*(a + b), point) == sum);
    CHECK(*wf::evaluate_at(*(a * b), point) == product);
    polynomial replaced = a;
    for (const wf::assignment& each : point)
      REQUIRE(wf::substitute(replaced, each.name, rational(each.value), replaced) == errc::none);
    CHECK(replaced == polynomial(at_a));
    if (!b.is_zero()) {
      polynomial quotient;
      REQUIRE(wf::divide(*(a * b), b, quotient) == errc::none);
      CHECK(quotient == a);
    }
  }
}

TEST_CASE("a division that leaves a rest is refused") {
  polynomial out;
  CHECK(wf::divide(polynomial(M), polynomial(N), out) == errc::not_polynomial);
  CHECK(wf::divide(*(polynomial(M) * polynomial(M) + polynomial(1)), polynomial(M), out) ==
        errc::not_polynomial);
  CHECK(wf::divide(polynomial(M), polynomial(0), out) == errc::division_by_zero);
  REQUIRE(wf::divide(polynomial(M), polynomial(4), out) == errc::none);
  CHECK(wf::to_text(out) == wf::text("1/4*M"));
}

TEST_CASE("substitution of a polynomial is composition") {
  polynomial square, out;
  REQUIRE(wf::power(polynomial(M), 2, square) == errc::none);
  REQUIRE(wf::substitute(square, M, *(polynomial(N) + polynomial(1)), out) == errc::none);
  CHECK(wf::to_text(out) == wf::text("N**2 + 2*N + 1"));
  REQUIRE(wf::substitute(square, M, *(polynomial(M) - polynomial(1)), out) == errc::none);
  CHECK(wf::to_text(out) == wf::text("M**2 - 2*M + 1"));
}

TEST_CASE("powers, degrees, coefficients and symbols") {
  polynomial p, part;
  REQUIRE(wf::power(*(polynomial(M) + polynomial(N)), 3, p) == errc::none);
  CHECK(wf::to_text(p) == wf::text("M**3 + 3*M**2*N + 3*M*N**2 + N**3"));
  CHECK(p.degree() == 3);
  CHECK(p.degree_in(N) == 3);
  CHECK(p.degree_in(K) == 0);
  REQUIRE(wf::coefficient_of(p, M, 1, part) == errc::none);
  CHECK(wf::to_text(part) == wf::text("3*N**2"));
  const wf::table<wf::symbol> symbols = wf::symbols_of(p);
  REQUIRE(symbols.size() == 2);
  CHECK(symbols[0] == M);
  CHECK(symbols[1] == N);
  REQUIRE(wf::power(polynomial(M), 0, p) == errc::none);
  CHECK(p == polynomial(1));
  CHECK(wf::power(polynomial(M), 16, p) == errc::formula_limit);
}

TEST_CASE("a product of many terms is refused before it takes long") {
  polynomial sum(1), p;
  for (char name = 'a'; name <= 'h'; ++name)
    REQUIRE(wf::add(sum, polynomial(wf::make_symbol({&name, 1})), sum) == errc::none);
  REQUIRE(wf::power(sum, 4, p) == errc::none);
  CHECK(p.terms().size() == 495);  // 12 over 4
  CHECK(wf::multiply(p, p, p) == errc::formula_limit);
  CHECK(wf::power(sum, 15, p) == errc::formula_limit);
  // A single term may divide any polynomial, a sum only some.
  REQUIRE(wf::power(sum, 4, p) == errc::none);
  REQUIRE(wf::multiply(p, polynomial(M), p) == errc::none);
  REQUIRE(wf::divide(p, polynomial(M), p) == errc::none);
  CHECK(wf::divide(p, sum, p) == errc::none);
  CHECK(p.terms().size() == 165);
}

TEST_CASE("errors of points and overflow are told") {
  const wf::assignment point[] = {{M, INT64_MAX}};
  polynomial cube;
  REQUIRE(wf::power(polynomial(M), 3, cube) == errc::none);
  CHECK(wf::evaluate_at(cube, point).error().code == errc::overflow);
  CHECK(wf::evaluate_at(polynomial(N), point).error().code == errc::unknown_symbol);
  const polynomial large = rational(wf::detail::largest_int128);
  CHECK((large + large).error().code == errc::overflow);
  CHECK((large * large + polynomial(M)).error().code == errc::overflow);
}

TEST_CASE("operands may be the results") {
  polynomial p = *(polynomial(M) + polynomial(1));
  REQUIRE(wf::add(p, p, p) == errc::none);
  CHECK(wf::to_text(p) == wf::text("2*M + 2"));
  REQUIRE(wf::multiply(p, p, p) == errc::none);
  CHECK(wf::to_text(p) == wf::text("4*M**2 + 8*M + 4"));
  REQUIRE(wf::subtract(p, p, p) == errc::none);
  CHECK(p.is_zero());
}
