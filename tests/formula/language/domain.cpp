// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/formula/language/domain.hpp>
#include <wf/formula/language/symbolic.hpp>

namespace {

using wf::errc;
using wf::formula_op;
using wf::polynomial;
using wf::rational;

polynomial poly(wf::text_view source) {
  const auto parsed = wf::parse_polynomial(source);
  REQUIRE(parsed);
  return *parsed;
}

// The text of the result, or the code of the error.
template <class Operation>
wf::text outcome(Operation operation) {
  polynomial out;
  const errc code = operation(out);
  return code == errc::none ? wf::to_text(out) : wf::text() << static_cast<int>(code);
}

static_assert(wf::is_integer_valued(polynomial(wf::make_symbol("M"))));

}  // namespace

TEST_CASE("integer-valued polynomials are recognised") {
  for (const char* source : {"M*(M + 1)/2", "M*(M - 1)*(M - 2)/6", "(M**2 + M)*(N**2 - N)/4", "M*N",
                             "(M**3 - M)/6 + N", "5"}) {
    CAPTURE(source);
    CHECK(wf::is_integer_valued(poly(source)));
  }
  for (const char* source : {"M/2", "M*(M + 1)/3", "M*N/2", "(M**3 + M)/6", "1/2", "M + 1/3"}) {
    CAPTURE(source);
    CHECK(!wf::is_integer_valued(poly(source)));
  }
}

TEST_CASE("integer-valued means an integer at every point of a larger grid") {
  for (int a = 0; a < 6; ++a)
    for (int b = 0; b < 6; ++b)
      for (int c = 0; c < 6; ++c) {
        polynomial p;
        const wf::monomial m(wf::make_symbol("M"));
        wf::monomial square, cube;
        REQUIRE(wf::multiply(m, m, square) == errc::none);
        REQUIRE(wf::multiply(square, m, cube) == errc::none);
        REQUIRE(p.add_term(*wf::make_rational(a, 6), cube) == errc::none);
        REQUIRE(p.add_term(*wf::make_rational(b, 6), square) == errc::none);
        REQUIRE(p.add_term(*wf::make_rational(c, 6), m) == errc::none);
        bool everywhere = true;
        for (int x = -8; x <= 8; ++x) {
          const wf::assignment point[] = {{wf::make_symbol("M"), x}};
          everywhere = everywhere && wf::evaluate_at(p, point)->is_integer();
        }
        CHECK(wf::is_integer_valued(p) == everywhere);
      }
}

TEST_CASE("polynomials are compared where the answer does not depend on symbols") {
  int sign = 0;
  CHECK(wf::compare(poly("M + 1"), poly("M"), sign) == errc::none);
  CHECK(sign == 1);
  CHECK(wf::compare(poly("M"), poly("M"), sign) == errc::none);
  CHECK(sign == 0);
  CHECK(wf::compare(poly("M"), poly("N"), sign) == errc::not_polynomial);
}

TEST_CASE("operations that stay polynomial do, others are refused") {
  const auto divide = [](const char* a, const char* b) {
    return outcome([&](polynomial& out) { return wf::floor_divide(poly(a), poly(b), out); });
  };
  CHECK(divide("M**2 + M", "2") == wf::text("1/2*M**2 + 1/2*M"));
  CHECK(divide("M", "2") == wf::text("205"));
  CHECK(divide("M*N", "N") == wf::text("M"));
  CHECK(divide("7", "2") == wf::text("3"));
  const auto rest = [](const char* a, const char* b) {
    return outcome([&](polynomial& out) { return wf::modulo(poly(a), poly(b), out); });
  };
  CHECK(rest("M*(M + 1)", "2") == wf::text("0"));
  CHECK(rest("M", "1") == wf::text("0"));
  CHECK(rest("M", "2") == wf::text("205"));
  CHECK(rest("M", "0") == wf::text("203"));
  const auto raise = [](const char* a, const char* b) {
    return outcome([&](polynomial& out) { return wf::power(poly(a), poly(b), out); });
  };
  CHECK(raise("M + 1", "2") == wf::text("M**2 + 2*M + 1"));
  CHECK(raise("M", "0") == wf::text("1"));
  CHECK(raise("M", "-1") == wf::text("205"));
  CHECK(raise("M", "1/2") == wf::text("205"));
  CHECK(raise("2", "M") == wf::text("205"));
  CHECK(raise("M", "16") == wf::text("210"));
  CHECK(raise("4", "1/2") == wf::text("2"));
  const auto apply = [](formula_op op, const char* a) {
    return outcome([&](polynomial& out) { return wf::apply(op, poly(a), out); });
  };
  CHECK(apply(formula_op::ceil, "M*(M + 1)/2") == wf::text("1/2*M**2 + 1/2*M"));
  CHECK(apply(formula_op::ceil, "M/2") == wf::text("205"));
  CHECK(apply(formula_op::abs, "M") == wf::text("205"));
  CHECK(apply(formula_op::ceil_log2, "9") == wf::text("4"));
}

TEST_CASE("the variable of a sum may not be divided by") {
  const polynomial i(wf::detail::bound_variable(0));
  polynomial out;
  CHECK(wf::quotient(i, i, out) == errc::not_polynomial);
  CHECK(wf::quotient(polynomial(0), i, out) == errc::not_polynomial);
  CHECK(wf::quotient(i, polynomial(2), out) == errc::none);
}
