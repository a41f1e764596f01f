// SPDX-License-Identifier: BSL-1.0
#include <wf/formula/number/enclosure.hpp>

#include <random>
#include <string>

#include <doctest/doctest.h>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <wf/formula/language/enclose.hpp>
#include <wf/formula/language/parse.hpp>

#include "../../sanitized.hpp"

namespace {

using real = boost::multiprecision::cpp_bin_float_100;
using wf::errc;

constexpr wf::binding sizes[] = {{"M", 10}, {"N", 100}};

constexpr wf::result<wf::enclosure> value(wf::text_view source) {
  const auto parsed = wf::parse_formula(source);
  if (!parsed) return parsed.error();
  return wf::enclose(*parsed, sizes);
}

// The same while compiling and at run time.
static_assert(*wf::at_most(*value("5*N*log2(N)"), 3322));
static_assert(!*wf::at_most(*value("5*N*log2(N)"), 3321));
static_assert(value("ceil(5*N*log2(N))")->exact == wf::rational(3322));

real side(const wf::enclosure& e, wf::rounding to) {
  wf::binary bound;
  REQUIRE(e.bound(to, bound) == errc::none);
  return ldexp(real(bound.digits), bound.exponent);
}

// A random formula and its value in floating-point arithmetic of 100 digits. `is_clear` is false if
// it has no value, or one that depends on a near tie.
class some_formula {
 public:
  explicit some_formula(std::uint64_t seed) : random_(seed) {}

  bool is_clear = true;
  std::string source;

  real make(int depth) {
    const std::size_t begin = source.size();
    source += '(';
    const real made = depth == 0 ? leaf() : random_() % 2 == 0 ? function(depth) : operation(depth);
    source += ')';
    if (!isfinite(made) || abs(made) > real("1e60") || (made != 0 && abs(made) < real("1e-60")))
      is_clear = false;
    if (!is_clear) source.resize(begin + 1);
    return made;
  }

 private:
  real leaf() {
    switch (random_() % 4) {
      case 0:
        return source += 'M', 10;
      case 1:
        return source += 'N', 100;
      case 2: {
        const auto over = static_cast<int>(random_() % 9) + 1;
        source += "7/" + std::to_string(over);
        return real(7) / over;
      }
      default: {
        const auto number = static_cast<int>(random_() % 40);
        source += std::to_string(number);
        return number;
      }
    }
  }
  // True if a number is so close to zero that bounds may not determine its sign.
  bool is_near(const real& zero) const { return abs(zero) < real("1e-6"); }
  real clear(bool yes, const real& made) {
    is_clear = is_clear && yes;
    return is_clear ? made : real(0);
  }

  real function(int depth) {
    const char* const names[] = {"log2", "log", "sqrt", "exp", "abs", "floor", "ceil", "round"};
    const auto which = random_() % 8;
    source += names[which];
    const real a = make(depth - 1);
    if (which < 2)
      return clear(a > real("1e-6"), is_clear ? log(a) / (which == 0 ? log(real(2)) : 1) : 0);
    if (which == 2) return clear(a > real("1e-6"), is_clear ? sqrt(a) : 0);
    if (which == 3) return clear(abs(a) < 100, is_clear ? exp(a) : 0);
    if (which == 4) return abs(a);
    const real shifted = which == 7 ? real(a + real("0.5")) : a;
    return clear(!is_near(shifted - floor(shifted)) && !is_near(ceil(shifted) - shifted),
                 which == 6 ? ceil(a) : floor(shifted));
  }
  real operation(int depth) {
    const char* const names[] = {"+", "-", "*", "/", "**", "//", "min", "<", "%"};
    const auto which = random_() % 9;
    const std::size_t begin = source.size();
    const real a = make(depth - 1);
    const std::string left = source.substr(begin);
    source.resize(begin);
    const real b = make(depth - 1);
    const std::string right = source.substr(begin);
    source.resize(begin);
    if (!is_clear) return 0;
    source += which == 6   ? "max(" + left + ", " + right + ")"
              : which == 7 ? left + " < " + right + " ? " + left + " : 2*" + right
                           : left + names[which] + right;
    const real ratio = which != 3 && which != 5 && which != 8 ? real(0)
                       : is_near(b)                           ? clear(false, 0)
                                                              : real(a / b);
    const bool between = !is_near(ratio - floor(ratio)) && !is_near(ceil(ratio) - ratio);
    switch (which) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * b;
      case 3:
        return ratio;
      case 4:
        return clear(a > real("1e-6") && abs(b * log(a)) < 100, pow(a, b));
      case 5:
        return clear(between, floor(ratio));
      case 6:
        return a < b ? b : a;
      case 7:
        return clear(!is_near(a - b), a < b ? a : real(2 * b));
      default:
        return clear(between, a - b * floor(ratio));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("a formula's value lies between its bounds, which are near each other") {
  std::uint64_t clear = 0, bounded = 0, narrow = 0;
  constexpr std::uint64_t seeds = wf_test::sanitized ? 3000 : 15000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    some_formula f(seed);
    const real exact = f.make(static_cast<int>(seed % 4) + 1);
    if (!f.is_clear) continue;
    ++clear;
    CAPTURE(seed);
    CAPTURE(f.source);
    const auto within = value({f.source.data(), f.source.size()});
    if (!within && within.error().code == errc::undecided) {
      // An exact tie, or cancellation, which the reference cannot detect.
      continue;
    }
    REQUIRE(within);
    if (within->is_exact) {
      const real n(static_cast<std::int64_t>(within->exact.numerator >> 64)),
          two64 = ldexp(real(1), 64);
      const real numerator = n * two64 + static_cast<std::uint64_t>(within->exact.numerator);
      const real d(static_cast<std::int64_t>(within->exact.denominator >> 64));
      const real denominator = d * two64 + static_cast<std::uint64_t>(within->exact.denominator);
      CHECK(abs(numerator / denominator - exact) <= real("1e-80") * (1 + abs(exact)));
      continue;
    }
    ++bounded;
    const real slack = real("1e-80") * (1 + abs(exact));
    CHECK(side(*within, wf::rounding::down) <= exact + slack);
    CHECK(exact - slack <= side(*within, wf::rounding::up));
    const real width = side(*within, wf::rounding::up) - side(*within, wf::rounding::down);
    narrow += width <= real("1e-15") * (1 + abs(exact)) ? 1 : 0;
  }
  MESSAGE("seeds 1 to " << seeds << ": " << clear << " formulas with a clear value, " << bounded
                        << " of them no fractions, " << narrow << " narrow");
  CHECK(bounded > seeds * 2 / 15);
  CHECK(100 * narrow > 95 * bounded);  // the others subtract large numbers
}

TEST_CASE("numbers beyond 128 bits are enclosed, and bounds are written with six decimals") {
  CHECK(wf::to_text(*value("5*N*log2(N)")) == wf::text("[3321.928094, 3321.928095]"));
  CHECK(wf::to_text(*value("-log2(3)")) == wf::text("[-1.584963, -1.584962]"));
  CHECK(wf::to_text(*value("N/3")) == wf::text("100/3"));
  const auto large = value("2**200 + 1");
  REQUIRE(large);
  CHECK(*wf::at_most(*large, 5) == false);
  CHECK(wf::to_text(*value("2**200")) ==
        wf::text("[2305843009213693952*2**139, 2305843009213693952*2**139]"));
}
