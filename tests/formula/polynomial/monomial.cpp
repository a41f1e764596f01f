// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <random>

#include <wf/formula/polynomial/monomial.hpp>

namespace {

using wf::errc;
using wf::monomial;

constexpr wf::symbol sym(wf::text_view name) { return wf::make_symbol(name); }

constexpr monomial product(std::initializer_list<const char*> names) {
  monomial out;
  for (const char* name : names) (void)wf::multiply(out, monomial(sym(name)), out);
  return out;
}

static_assert(wf::to_text(product({"N", "M", "M"})) == wf::text("M**2*N"));
static_assert(wf::to_text(monomial()) == wf::text("1"));
static_assert(product({"M", "N"}) == product({"N", "M"}));
static_assert(product({"M", "M"}).degree == 2 && product({"M", "M"}).exponent_of(sym("M")) == 2);
static_assert(product({"M"}).exponent_of(sym("N")) == 0);

// Graded lexicographic: M**2 before M*N before N**2 before M before N before 1.
constexpr bool ordered(std::initializer_list<monomial> sorted) {
  for (const monomial* a = sorted.begin(); a != sorted.end(); ++a)
    for (const monomial* b = sorted.begin(); b != sorted.end(); ++b) {
      const int order = monomial::compare(*a, *b);
      if ((order < 0) != (a < b) || (order > 0) != (a > b)) return false;
    }
  return true;
}
static_assert(ordered({product({"M", "M"}), product({"M", "N"}), product({"M", "a"}),
                       product({"N", "N"}), product({"M"}), product({"MM"}), product({"N"}),
                       product({"a"}), product({"_b"}), monomial()}));

constexpr bool division() {
  monomial out, rest;
  const monomial mmn = product({"M", "M", "N"});
  return wf::divide(mmn, product({"M"}), out) && out == product({"M", "N"}) &&
         wf::divide(mmn, mmn, out) && out == monomial() && !wf::divide(mmn, product({"K"}), out) &&
         !wf::divide(product({"M"}), product({"M", "M"}), out) &&
         wf::split(mmn, sym("M"), rest) == 2 && rest == product({"N"}) &&
         wf::split(mmn, sym("K"), rest) == 0 && rest == mmn;
}
static_assert(division());

}  // namespace

TEST_CASE("every name of a symbol comes back") {
  for (const char* name : {"M", "batch_size", "A0123456_9", "z", "_", "aZ09"}) {
    CAPTURE(name);
    CHECK(monomial(sym(name)).symbol_at(0) == sym(name));
  }
}

TEST_CASE("too many symbols and too high powers are refused") {
  monomial out = product({"M"});
  for (int i = 1; i < 15; ++i) REQUIRE(wf::multiply(out, product({"M"}), out) == errc::none);
  CHECK(wf::multiply(out, product({"M"}), out) == errc::formula_limit);
  monomial wide;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"})
    REQUIRE(wf::multiply(wide, product({name}), wide) == errc::none);
  CHECK(wf::multiply(wide, product({"m"}), out) == errc::formula_limit);
  CHECK(wf::multiply(wide, product({"f"}), out) == errc::none);
}

TEST_CASE("multiplication is commutative, is undone by division, and keeps the order") {
  const unsigned seed = 11;
  CAPTURE(seed);
  std::mt19937 random(seed);
  const char* names[] = {"M", "N", "K", "MN", "a"};
  const auto draw = [&] {
    monomial out;
    for (auto i = random() % 5; i > 0; --i)
      (void)wf::multiply(out, monomial(sym(names[random() % 5])), out);
    return out;
  };
  for (int i = 0; i < 2000; ++i) {
    const monomial a = draw(), b = draw(), c = draw();
    monomial ab, ba, ac, bc, back;
    REQUIRE(wf::multiply(a, b, ab) == errc::none);
    REQUIRE(wf::multiply(b, a, ba) == errc::none);
    CHECK(ab == ba);
    REQUIRE(wf::divide(ab, b, back));
    CHECK(back == a);
    REQUIRE(wf::multiply(a, c, ac) == errc::none);
    REQUIRE(wf::multiply(b, c, bc) == errc::none);
    CHECK(monomial::compare(a, b) == monomial::compare(ac, bc));
  }
}
