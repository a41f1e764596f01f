// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <wf/formula/number/function.hpp>

namespace {

using wf::errc;
using wf::int128;
using wf::rational;

constexpr rational fraction(int128 n, int128 d = 1) { return *wf::make_rational(n, d); }

// The text of a value or the code of an error, so that one line can state either.
struct outcome {
  errc code = errc::none;
  rational value;
  constexpr bool operator==(const rational& wanted) const {
    return code == errc::none && value == wanted;
  }
  constexpr bool operator==(errc wanted) const { return code == wanted; }
};

template <class Function, class... Operand>
constexpr outcome of(Function function, const Operand&... operands) {
  outcome out;
  out.code = function(operands..., out.value);
  return out;
}

#define UNARY(name)                                                                  \
  constexpr outcome name(const rational& a) {                                        \
    return of([](const rational& x, rational& out) { return wf::name(x, out); }, a); \
  }
#define BINARY(name)                                                                             \
  constexpr outcome name(const rational& a, const rational& b) {                                 \
    return of(                                                                                   \
        [](const rational& x, const rational& y, rational& out) { return wf::name(x, y, out); }, \
        a, b);                                                                                   \
  }
UNARY(floor)
UNARY(ceil)
UNARY(round)
UNARY(abs)
UNARY(sqrt)
UNARY(floor_sqrt)
UNARY(ceil_sqrt)
UNARY(log2)
UNARY(floor_log2)
UNARY(ceil_log2)
UNARY(log)
UNARY(exp)
BINARY(floor_divide)
BINARY(modulo)
BINARY(power)

static_assert(floor(fraction(-7, 2)) == rational(-4) && ceil(fraction(-7, 2)) == rational(-3));
static_assert(round(fraction(5, 2)) == rational(2) && round(fraction(7, 2)) == rational(4));
static_assert(round(fraction(-5, 2)) == rational(-2) && round(fraction(8, 3)) == rational(3));
static_assert(abs(fraction(-1, 3)) == fraction(1, 3));
static_assert(floor_divide(-7, 2) == rational(-4) && modulo(-7, 2) == rational(1));
static_assert(floor_divide(7, -2) == rational(-4) && modulo(7, -2) == rational(-1));
static_assert(modulo(fraction(7, 2), fraction(2, 3)) == fraction(1, 6));
static_assert(modulo(1, 0) == errc::division_by_zero);

static_assert(power(2, 10) == rational(1024) && power(2, -2) == fraction(1, 4));
static_assert(power(fraction(-2, 3), 3) == fraction(-8, 27));
static_assert(power(0, 0) == rational(1) && power(0, -1) == errc::division_by_zero);
static_assert(power(16, fraction(1, 2)) == rational(4));
static_assert(power(fraction(8, 27), fraction(-2, 3)) == fraction(9, 4));
static_assert(power(2, fraction(1, 2)) == errc::no_exact_value);
static_assert(power(-8, fraction(1, 3)) == errc::no_exact_value);
static_assert(power(2, 126) == rational(int128{1} << 126) && power(2, 127) == errc::overflow);
static_assert(power(-1, 1000000007) == rational(-1) && power(1, fraction(1, 1000)) == rational(1));
static_assert(power(0, fraction(1, 1000)) == rational(0));

static_assert(sqrt(fraction(16, 9)) == fraction(4, 3) && sqrt(2) == errc::no_exact_value);
static_assert(sqrt(-4) == errc::no_exact_value && sqrt(0) == rational(0));
static_assert(log2(8) == rational(3) && log2(fraction(1, 16)) == rational(-4));
static_assert(log2(0) == errc::no_exact_value && log2(fraction(3, 2)) == errc::no_exact_value);
static_assert(log(1) == rational(0) && log(2) == errc::no_exact_value);
static_assert(exp(0) == rational(1) && exp(1) == errc::no_exact_value);

}  // namespace

TEST_CASE("rounded logarithms and roots are exact for every integer") {
  for (int n = 1; n <= 5000; ++n) {
    int down = 0, up = 0, root = 0;
    while ((2 << down) <= n) ++down;
    while ((1 << up) < n) ++up;
    while ((root + 1) * (root + 1) <= n) ++root;
    CHECK(floor_log2(n) == rational(down));
    CHECK(ceil_log2(n) == rational(up));
    CHECK(floor_sqrt(n) == rational(root));
    CHECK(ceil_sqrt(n) == rational(root * root == n ? root : root + 1));
  }
  CHECK(floor_log2(0) == errc::no_exact_value);
  CHECK(ceil_log2(-1) == errc::no_exact_value);
  CHECK(floor_sqrt(-1) == errc::no_exact_value);
  CHECK(ceil_sqrt(-1) == errc::no_exact_value);
}

TEST_CASE("rounded logarithms and roots of fractions satisfy their definitions") {
  for (int n = 1; n < 80; ++n)
    for (int d = 1; d < 80; ++d) {
      const rational a = fraction(n, d);
      const rational low = floor_log2(a).value, high = ceil_log2(a).value;
      CHECK(power(2, low).value <= a);
      CHECK(power(2, low.numerator + 1).value > a);
      CHECK(power(2, high).value >= a);
      CHECK(power(2, high.numerator - 1).value < a);
      const rational root = floor_sqrt(a).value, above = ceil_sqrt(a).value;
      CHECK(power(root, 2).value <= a);
      CHECK(power(root.numerator + 1, 2).value > a);
      CHECK(power(above, 2).value >= a);
      CHECK(power(above.numerator - 1, 2).value < a);
    }
}

TEST_CASE("roots and logarithms of the largest numbers") {
  const int128 largest = wf::detail::largest_int128;
  CHECK(floor_log2(largest) == rational(126));
  CHECK(ceil_log2(largest) == rational(127));
  CHECK(floor_log2(fraction(1, largest)) == rational(-127));
  const int128 root = floor_sqrt(largest).value.numerator;
  CHECK(root == 13043817825332782212ULL);
  CHECK(sqrt(rational(root * root)) == rational(root));
  CHECK(sqrt(rational(root * root - 1)) == errc::no_exact_value);
  CHECK(power(int128{1} << 126, fraction(1, 126)) == rational(2));
}

TEST_CASE("floor division and remainder satisfy their law") {
  for (int a = -40; a <= 40; ++a)
    for (int b = -9; b <= 9; ++b)
      for (int d = 1; d <= 3; ++d) {
        if (b == 0) continue;
        const rational x = fraction(a, d), y = fraction(b, 2);
        const rational q = floor_divide(x, y).value, r = modulo(x, y).value;
        rational back;
        wf::multiply(q, y, back), wf::add(back, r, back);
        CHECK(back == x);
        CHECK(q.is_integer());
        CHECK((b > 0 ? r >= rational(0) && r < y : r <= rational(0) && r > y));
      }
}
