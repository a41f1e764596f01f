// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/text.hpp>

namespace wf {

namespace detail {

inline constexpr int128 largest_int128 = static_cast<int128>(~uint128{0} >> 1);

template <class Integer>
concept any_integer = (std::integral<Integer> && !std::same_as<Integer, bool>) ||
                      std::same_as<Integer, int128> || std::same_as<Integer, uint128>;

constexpr int128 absolute(int128 a) { return a < 0 ? -a : a; }

/// Euclid's algorithm; both arguments are non-negative.
constexpr int128 greatest_divisor(int128 a, int128 b) {
  while (b != 0) {
    const int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Division that rounds towards minus infinity; `d` is positive.
constexpr int128 floor_quotient(int128 n, int128 d) { return n / d - (n % d < 0 ? 1 : 0); }

/// The remainder of that division, in [0, d).
constexpr int128 floor_remainder(int128 n, int128 d) { return n % d + (n % d < 0 ? d : 0); }

}  // namespace detail

struct rational;
/// The number as the formula language writes it.
constexpr text to_text(const rational& a);

/// An exact fraction of 128-bit integers: the number of the formula language.
///
/// Invariant: the denominator is positive, the two parts have no common divisor, and the numerator
/// is never the most negative integer, so that negation is exact. `make_rational` and the
/// arithmetic keep it; the parts are public so that a rational may be a template argument.
struct rational {
  /// The numerator; its sign is the sign of the number.
  int128 numerator = 0;
  /// The denominator, at least 1.
  int128 denominator = 1;

  constexpr rational() = default;
  /// An integer.
  template <detail::any_integer Integer>
  constexpr rational(Integer integer) : numerator(static_cast<int128>(integer)) {}

  /// True for a whole number.
  constexpr bool is_integer() const { return denominator == 1; }
  /// -1, 0 or 1.
  constexpr int sign() const { return numerator < 0 ? -1 : numerator > 0 ? 1 : 0; }

  friend constexpr bool operator==(const rational&, const rational&) = default;
  /// Exact order; never overflows: where cross-multiplication would, the continued fractions are
  /// compared. O(1), at worst O(log denominator).
  friend constexpr std::strong_ordering operator<=>(const rational& a, const rational& b) {
    if (a.denominator == b.denominator) return a.numerator <=> b.numerator;
    int128 left = 0, right = 0;
    if (checked_multiply(a.numerator, b.denominator, left) &&
        checked_multiply(b.numerator, a.denominator, right))
      return left <=> right;
    return compare_expansions(a.numerator, a.denominator, b.numerator, b.denominator);
  }
  /// Writes the number to a stream.
  template <character_stream Stream>
  friend Stream& operator<<(Stream& stream, const rational& a) {
    return stream << to_text(a).view();
  }

 private:
  static constexpr std::strong_ordering compare_expansions(int128 an, int128 ad, int128 bn,
                                                           int128 bd) {
    for (bool reversed = false;; reversed = !reversed) {
      const int128 aq = detail::floor_quotient(an, ad), bq = detail::floor_quotient(bn, bd);
      if (aq != bq) return reversed ? bq <=> aq : aq <=> bq;
      const int128 ar = detail::floor_remainder(an, ad), br = detail::floor_remainder(bn, bd);
      if (ar == 0 || br == 0) return reversed ? br <=> ar : ar <=> br;
      an = ad, ad = ar, bn = bd, bd = br;  // 1/x reverses the order
    }
  }
};

namespace detail {

/// Sets `out` to an integer just computed. (Computed aside, because of what `checked_multiply` says
/// of g++ 12, and passed by reference, because it is computed in the call's other argument.)
constexpr errc set_integer(bool overflowed, const int128& value, rational& out) {
  out.numerator = value;
  out.denominator = 1;
  return overflowed || value < -largest_int128 ? errc::overflow : errc::none;
}

/// Sets `out` to n / d in lowest terms.
constexpr errc reduce(int128 n, int128 d, rational& out) {
  if (d == 0) return errc::division_by_zero;
  if (n < -largest_int128 || d < -largest_int128) return errc::overflow;
  if (d < 0) n = -n, d = -d;
  const int128 divisor = greatest_divisor(absolute(n), d);
  out.numerator = n / divisor;
  out.denominator = d / divisor;
  return errc::none;
}

}  // namespace detail

/// The fraction `numerator / denominator` in lowest terms; an error if the denominator is zero.
constexpr result<rational> make_rational(int128 numerator, int128 denominator) {
  rational out;
  const errc code = detail::reduce(numerator, denominator, out);
  if (code == errc::division_by_zero) return make_error(code, "", "the denominator is zero");
  if (code != errc::none) return make_error(code, "", "the fraction does not fit 128 bits");
  return out;
}

// The arithmetic below returns a code instead of a result: it is the inner loop of every
// evaluation, and this takes the fewest steps at compile time. On an error `out` is unspecified;
// `out` may be one of the operands.

/// out = a + b. `errc::overflow` if the sum over the common denominator does not fit 128 bits.
constexpr errc add(const rational& a, const rational& b, rational& out) {
  int128 whole = 0;
  if (a.denominator == 1 && b.denominator == 1)
    return detail::set_integer(__builtin_add_overflow(a.numerator, b.numerator, &whole), whole,
                               out);
  // Knuth, The Art of Computer Programming 2, section 4.5.1: the smallest intermediate values.
  const int128 common = detail::greatest_divisor(a.denominator, b.denominator);
  const int128 a_part = a.denominator / common, b_part = b.denominator / common;
  int128 left = 0, right = 0, sum = 0;
  if (!checked_multiply(a.numerator, b_part, left) ||
      !checked_multiply(b.numerator, a_part, right) || !checked_add(left, right, sum) ||
      sum < -detail::largest_int128)
    return errc::overflow;
  const int128 shared = detail::greatest_divisor(detail::absolute(sum), common);
  int128 denominator = 0;
  if (!checked_multiply(a_part, b.denominator / shared, denominator)) return errc::overflow;
  out.numerator = sum / shared;
  out.denominator = denominator;
  return errc::none;
}

/// out = -a. Never fails.
constexpr errc negate(const rational& a, rational& out) {
  out.numerator = -a.numerator;
  out.denominator = a.denominator;
  return errc::none;
}

/// out = a - b. `errc::overflow` if the difference over the common denominator does not fit 128
/// bits.
constexpr errc subtract(const rational& a, const rational& b, rational& out) {
  int128 whole = 0;
  if (a.denominator == 1 && b.denominator == 1)
    return detail::set_integer(__builtin_sub_overflow(a.numerator, b.numerator, &whole), whole,
                               out);
  rational negative;
  negate(b, negative);
  return add(a, negative, out);
}

/// out = a * b. `errc::overflow` exactly if the product does not fit 128 bits.
constexpr errc multiply(const rational& a, const rational& b, rational& out) {
  int128 whole = 0;
  if (a.denominator == 1 && b.denominator == 1)
    return detail::set_integer(__builtin_mul_overflow(a.numerator, b.numerator, &whole), whole,
                               out);
  const int128 first = detail::greatest_divisor(detail::absolute(a.numerator), b.denominator);
  const int128 second = detail::greatest_divisor(detail::absolute(b.numerator), a.denominator);
  int128 n = 0, d = 0;
  if (!checked_multiply(a.numerator / first, b.numerator / second, n) ||
      !checked_multiply(a.denominator / second, b.denominator / first, d) ||
      n < -detail::largest_int128)
    return errc::overflow;
  out.numerator = n;
  out.denominator = d;
  return errc::none;
}

/// out = a / b. `errc::division_by_zero`, or `errc::overflow` exactly if the quotient does not fit.
constexpr errc divide(const rational& a, const rational& b, rational& out) {
  if (b.numerator == 0) return errc::division_by_zero;
  rational inverse;
  inverse.numerator = b.numerator < 0 ? -b.denominator : b.denominator;
  inverse.denominator = detail::absolute(b.numerator);
  return multiply(a, inverse, out);
}

/// The text "3" or "-3/4": an integer, or a fraction in lowest terms; the formula language reads it
/// back.
constexpr text to_text(const rational& a) {
  text out;
  out << a.numerator;
  if (a.denominator != 1) out << '/' << a.denominator;
  return out;
}

/// The nearest double, for display only: decisions must be exact.
constexpr double to_double(const rational& a) {
  return static_cast<double>(a.numerator) / static_cast<double>(a.denominator);
}

/// The number as a 64-bit integer. Errors: `no_exact_value` if it is no integer, `overflow` if it
/// does not fit.
constexpr result<std::int64_t> to_int64(const rational& a) {
  if (a.denominator != 1) {
    text message("the value ");
    message << to_text(a).view() << " is not an integer";
    return make_error(errc::no_exact_value, "", message.view());
  }
  if (a.numerator < INT64_MIN || a.numerator > INT64_MAX) {
    text message("the value ");
    message << to_text(a).view() << " does not fit 64 bits";
    return make_error(errc::overflow, "", message.view());
  }
  return static_cast<std::int64_t>(a.numerator);
}

}  // namespace wf
