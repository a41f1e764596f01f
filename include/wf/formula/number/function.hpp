// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>
#include <wf/core/integer.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf {

namespace detail {

/// The number of binary digits; 0 for 0.
constexpr int bit_length(uint128 n) {
  int bits = 0;
  for (int step = 64; step > 0; step /= 2)
    if ((n >> step) != 0) n >>= step, bits += step;
  return bits + (n != 0 ? 1 : 0);
}

/// base ** exponent, or false if it does not fit 127 bits. Both are non-negative.
constexpr bool integer_power(int128 base, std::uint64_t exponent, int128& out) {
  out = 1;
  if (base <= 1) {
    if (exponent != 0) out = base;
    return true;
  }
  if (exponent > 127) return false;
  for (;;) {
    if (exponent % 2 != 0 && !checked_multiply(out, base, out)) return false;
    exponent /= 2;
    if (exponent == 0) return true;
    if (!checked_multiply(base, base, base)) return false;
  }
}

/// The largest r with r ** degree <= n, for n >= 0 and degree >= 1. O(127/degree) powers.
constexpr int128 floor_root(int128 n, std::uint64_t degree) {
  if (degree == 1 || n <= 1) return n;
  if (degree > 126) return 1;
  int128 root = 0;
  for (int bit = bit_length(static_cast<uint128>(n)) / static_cast<int>(degree); bit >= 0; --bit) {
    const int128 trial = root | (int128{1} << bit);
    int128 power = 0;
    if (integer_power(trial, degree, power) && power <= n) root = trial;
  }
  return root;
}

constexpr bool exact_root(int128 n, std::uint64_t degree, int128& out) {
  int128 power = 0;
  out = floor_root(n, degree);
  return integer_power(out, degree, power) && power == n;
}

constexpr bool is_power_of_two(int128 n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace detail

// Functions of exact numbers. Each returns `errc::none` or why there is no exact value; on an error
// `out` is unspecified. `out` may be one of the operands.

/// out = the largest integer that is at most `a`.
constexpr errc floor(const rational& a, rational& out) {
  out.numerator =
      a.denominator == 1 ? a.numerator : detail::floor_quotient(a.numerator, a.denominator);
  out.denominator = 1;
  return errc::none;
}

/// out = the smallest integer that is at least `a`.
constexpr errc ceil(const rational& a, rational& out) {
  out.numerator =
      a.denominator == 1 ? a.numerator : -detail::floor_quotient(-a.numerator, a.denominator);
  out.denominator = 1;
  return errc::none;
}

/// out = the nearest integer; ties go to the even one, as in Python and IEEE 754.
constexpr errc round(const rational& a, rational& out) {
  const int128 low = detail::floor_quotient(a.numerator, a.denominator);
  const int128 rest = detail::floor_remainder(a.numerator, a.denominator);
  const int128 other = a.denominator - rest;
  const bool up = rest > other || (rest == other && low % 2 != 0);
  out.numerator = low + (up ? 1 : 0);
  out.denominator = 1;
  return errc::none;
}

/// The absolute value.
constexpr errc abs(const rational& a, rational& out) {
  out.numerator = detail::absolute(a.numerator);
  out.denominator = a.denominator;
  return errc::none;
}

/// floor(a / b), as Python's `//`.
constexpr errc floor_divide(const rational& a, const rational& b, rational& out) {
  if (b.numerator > 0 && a.denominator == 1 && b.denominator == 1) {
    out.numerator = detail::floor_quotient(a.numerator, b.numerator);
    out.denominator = 1;
    return errc::none;
  }
  const errc code = divide(a, b, out);
  return code == errc::none ? floor(out, out) : code;
}

/// a - b * floor(a / b), as Python's `%`: the result has the sign of `b`.
constexpr errc modulo(const rational& a, const rational& b, rational& out) {
  rational quotient;
  errc code = floor_divide(a, b, quotient);
  if (code == errc::none) code = multiply(quotient, b, quotient);
  return code == errc::none ? subtract(a, quotient, out) : code;
}

/// base ** exponent. 0 ** 0 is 1, as in Python. `errc::no_exact_value` if the power is irrational
/// or not real; fractional exponents are exact where the root is: 16 ** 0.5 is 4, (8/27) ** (2/3)
/// is 4/9.
constexpr errc power(const rational& base, const rational& exponent, rational& out) {
  if (exponent.numerator == 0) return out = rational(1), errc::none;
  if (base.numerator == 0)
    return exponent.numerator < 0 ? errc::division_by_zero : (out = rational(), errc::none);
  const bool odd = exponent.numerator % 2 != 0;
  if (base.denominator == 1 && base.numerator == 1) return out = rational(1), errc::none;
  if (base.numerator < 0 && exponent.denominator != 1) return errc::no_exact_value;
  if (base.denominator == 1 && base.numerator == -1)
    return out = rational(odd ? -1 : 1), errc::none;
  int128 n = detail::absolute(base.numerator), d = base.denominator;
  if (exponent.denominator != 1) {
    if (exponent.denominator > 127) return errc::no_exact_value;
    const std::uint64_t degree = static_cast<std::uint64_t>(exponent.denominator);
    if (!detail::exact_root(n, degree, n) || !detail::exact_root(d, degree, d))
      return errc::no_exact_value;
  }
  const int128 times = detail::absolute(exponent.numerator);
  if (times > 127) return errc::overflow;  // the base is neither 0 nor 1 nor -1
  const bool negative = base.numerator < 0 && odd;
  const bool fits = detail::integer_power(n, static_cast<std::uint64_t>(times), n) &&
                    detail::integer_power(d, static_cast<std::uint64_t>(times), d);
  if (!fits) return errc::overflow;
  const bool inverted = exponent.numerator < 0;
  out.numerator = negative ? -(inverted ? d : n) : (inverted ? d : n);
  out.denominator = inverted ? n : d;
  return errc::none;
}

/// The square root where it is rational: sqrt(16/9) is 4/3, sqrt(2) is `errc::no_exact_value`.
constexpr errc sqrt(const rational& a, rational& out) {
  if (a.numerator < 0) return errc::no_exact_value;
  int128 n = 0, d = 0;
  if (!detail::exact_root(a.numerator, 2, n) || !detail::exact_root(a.denominator, 2, d))
    return errc::no_exact_value;
  out.numerator = n;
  out.denominator = d;
  return errc::none;
}

/// floor(sqrt(a)), exact for every a >= 0.
constexpr errc floor_sqrt(const rational& a, rational& out) {
  if (a.numerator < 0) return errc::no_exact_value;
  out = rational(detail::floor_root(a.numerator / a.denominator, 2));
  return errc::none;
}

/// ceil(sqrt(a)), exact for every a >= 0.
constexpr errc ceil_sqrt(const rational& a, rational& out) {
  if (a.numerator < 0) return errc::no_exact_value;
  rational whole;
  ceil(a, whole);
  const int128 root = detail::floor_root(whole.numerator, 2);
  out = rational(root * root == whole.numerator ? root : root + 1);
  return errc::none;
}

/// The logarithm to base 2 of a power of two; `errc::no_exact_value` for everything else.
constexpr errc log2(const rational& a, rational& out) {
  const bool whole = a.denominator == 1;
  const int128 power = whole ? a.numerator : a.denominator;
  if (!detail::is_power_of_two(power) || (!whole && a.numerator != 1)) return errc::no_exact_value;
  const int bits = detail::bit_length(static_cast<uint128>(power)) - 1;
  out = rational(whole ? bits : -bits);
  return errc::none;
}

/// floor(log2(a)), exact for every a > 0.
constexpr errc floor_log2(const rational& a, rational& out) {
  if (a.numerator <= 0) return errc::no_exact_value;
  const uint128 n = static_cast<uint128>(a.numerator), d = static_cast<uint128>(a.denominator);
  const int estimate = detail::bit_length(n) - detail::bit_length(d);
  // 2 ** (estimate - 1) < a < 2 ** (estimate + 1), and the shifted parts have the same length.
  const bool reached = estimate >= 0 ? n >= (d << estimate) : (n << -estimate) >= d;
  out = rational(reached ? estimate : estimate - 1);
  return errc::none;
}

/// ceil(log2(a)), exact for every a > 0.
constexpr errc ceil_log2(const rational& a, rational& out) {
  rational exact;
  if (log2(a, exact) == errc::none) return out = exact, errc::none;
  const errc code = floor_log2(a, out);
  ++out.numerator;
  return code;
}

/// The natural logarithm, which is rational only at 1 (Lindemann-Weierstrass).
constexpr errc log(const rational& a, rational& out) {
  if (a != rational(1)) return errc::no_exact_value;
  out = rational();
  return errc::none;
}

/// The exponential, which is rational only at 0 (Lindemann-Weierstrass).
constexpr errc exp(const rational& a, rational& out) {
  if (a.numerator != 0) return errc::no_exact_value;
  out = rational(1);
  return errc::none;
}

}  // namespace wf
