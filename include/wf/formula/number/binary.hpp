// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <compare>
#include <cstdint>

#include <wf/formula/number/function.hpp>
#include <wf/formula/number/rational.hpp>

namespace wf {

/// Direction in which a result with too many digits is rounded.
enum class rounding : std::uint8_t {
  down,  ///< to the next smaller number
  up,    ///< to the next larger number
};

/// The other direction.
constexpr rounding opposite(rounding r) {
  return r == rounding::down ? rounding::up : rounding::down;
}

/// A number of 62 binary digits with an exponent: `digits * 2**exponent`. Arithmetic rounds in a
/// given direction, so that bounds remain bounds; the relative error of one operation is less than
/// 2**-60.
///
/// Invariant: digits is 0 (and so is the exponent), or its magnitude lies in [2**61, 2**62).
struct binary {
  /// The significand; its sign is the sign of the number.
  std::int64_t digits = 0;
  /// Exponent to base 2.
  std::int32_t exponent = 0;

  /// The sign: -1, 0 or 1.
  constexpr int sign() const { return digits < 0 ? -1 : digits > 0 ? 1 : 0; }
  friend constexpr bool operator==(const binary&, const binary&) = default;
  /// The order of the values. O(1).
  friend constexpr std::strong_ordering operator<=>(const binary& a, const binary& b) {
    if (a.sign() != b.sign() || a.sign() == 0) return a.sign() <=> b.sign();
    if (a.exponent != b.exponent)
      return a.sign() > 0 ? a.exponent <=> b.exponent : b.exponent <=> a.exponent;
    return a.digits <=> b.digits;
  }
};

namespace detail {

inline constexpr int binary_digits = 62;
/// Largest magnitude of exponents; numbers beyond are `errc::overflow`, as no price needs them.
inline constexpr std::int32_t largest_exponent = 1'000'000;

/// a / 2**shift rounded in direction `to`; 0 <= shift < 127.
constexpr int128 shifted_right(int128 a, int shift, rounding to) {
  return to == rounding::down ? a >> shift : -((-a) >> shift);
}

/// Normalises digits * 2**exponent to 62 digits. With `rest` the number lies strictly between
/// `digits` and `digits + 1`.
constexpr errc normalise(int128 digits, std::int64_t exponent, bool rest, rounding to,
                         binary& out) {
  if (rest && to == rounding::up) ++digits;
  if (digits == 0) return out = {}, errc::none;
  const int length = bit_length(static_cast<uint128>(absolute(digits)));
  if (length > binary_digits) {
    digits = shifted_right(digits, length - binary_digits, to);
    exponent += length - binary_digits;
  } else {
    digits *= int128{1} << (binary_digits - length);
    exponent -= binary_digits - length;
  }
  if (absolute(digits) == int128{1} << binary_digits) digits /= 2, ++exponent;
  if (exponent > largest_exponent || exponent < -largest_exponent) return errc::overflow;
  out.digits = static_cast<std::int64_t>(digits);
  out.exponent = static_cast<std::int32_t>(exponent);
  return errc::none;
}

}  // namespace detail

// Each function returns `errc::none`, or `errc::overflow` if an exponent has more than six decimal
// digits; on an error `out` is unspecified. `out` may be one of the operands. O(1) unless stated
// otherwise.

/// Converts an integer, rounded in direction `to`.
constexpr errc to_binary(int128 integer, rounding to, binary& out) {
  return detail::normalise(integer, 0, false, to, out);
}

/// The number with the other sign, exactly.
constexpr binary negated(const binary& a) { return {-a.digits, a.exponent}; }

/// out = a + b, rounded in direction `to`.
constexpr errc add(const binary& a, const binary& b, rounding to, binary& out) {
  if (a.digits == 0 || b.digits == 0) return out = a.digits == 0 ? b : a, errc::none;
  const binary& large = a.exponent >= b.exponent ? a : b;
  const binary& small = a.exponent >= b.exponent ? b : a;
  const std::int64_t apart = std::int64_t{large.exponent} - small.exponent;
  const int128 digits = int128{large.digits} << 64;
  // Digits shifted out make the number larger than its floor.
  if (apart > 64) {
    const std::int64_t shift = apart - 64;
    const int128 part = shift < 64 ? int128{small.digits} >> shift : small.digits < 0 ? -1 : 0;
    const bool rest = shift >= 64 || (part << shift) != small.digits;
    return detail::normalise(digits + part, std::int64_t{large.exponent} - 64, rest, to, out);
  }
  return detail::normalise(digits + (int128{small.digits} << (64 - apart)),
                           std::int64_t{large.exponent} - 64, false, to, out);
}

/// out = a - b, rounded in direction `to`.
constexpr errc subtract(const binary& a, const binary& b, rounding to, binary& out) {
  return add(a, negated(b), to, out);
}

/// out = a * b, rounded in direction `to`.
constexpr errc multiply(const binary& a, const binary& b, rounding to, binary& out) {
  return detail::normalise(int128{a.digits} * b.digits, std::int64_t{a.exponent} + b.exponent,
                           false, to, out);
}

/// out = a / b, rounded in direction `to`. Errors: also `division_by_zero`.
constexpr errc divide(const binary& a, const binary& b, rounding to, binary& out) {
  if (b.digits == 0) return errc::division_by_zero;
  const int128 n = (b.digits < 0 ? -int128{a.digits} : int128{a.digits}) << 64;
  const int128 d = detail::absolute(b.digits);
  return detail::normalise(detail::floor_quotient(n, d), std::int64_t{a.exponent} - b.exponent - 64,
                           detail::floor_remainder(n, d) != 0, to, out);
}

/// Converts a fraction, rounded in direction `to`.
constexpr errc to_binary(const rational& a, rounding to, binary& out) {
  if (a.denominator == 1) return to_binary(a.numerator, to, out);
  const rounding other = a.numerator < 0 ? to : opposite(to);
  binary n, d;
  errc code = to_binary(a.numerator, to, n);
  if (code == errc::none) code = to_binary(a.denominator, other, d);
  return code == errc::none ? divide(n, d, to, out) : code;
}

/// The square root of a nonnegative number. O(60) steps of an integer square root.
constexpr errc sqrt(const binary& a, rounding to, binary& out) {
  if (a.digits == 0) return out = a, errc::none;
  const int shift = a.exponent % 2 == 0 ? 62 : 63;  // leaves an even exponent
  const int128 square = int128{a.digits} << shift;
  const int128 root = detail::floor_root(square, 2);
  return detail::normalise(root, (std::int64_t{a.exponent} - shift) / 2, root * root != square, to,
                           out);
}

/// The largest integer that is at most `a`; `overflow` if it does not fit 127 bits.
constexpr errc floor(const binary& a, int128& out) {
  if (a.exponent > 64) return errc::overflow;
  out = a.exponent >= 0     ? int128{a.digits} << a.exponent
        : a.exponent > -127 ? int128{a.digits} >> -a.exponent
        : a.digits < 0      ? -1
                            : 0;
  return errc::none;
}

/// The logarithm to base 2 of a positive number, with 60 binary digits after the point. Each digit
/// is the integer part of the logarithm of the squared remainder (Knuth, The Art of Computer
/// Programming 1, 1.2.2, exercise 25); squares are rounded in the direction of the result, which
/// keeps each digit on that side. O(60).
constexpr errc log2(const binary& a, rounding to, binary& out) {
  constexpr int128 one = int128{1} << 61;  // a number m in [1, 2) has the digits m * 2**61
  int128 rest = a.digits, fraction = 0;
  for (int digit = 0; digit < 60; ++digit) {
    rest = detail::shifted_right(rest * rest, 61, to);
    const bool reached = rest >= 2 * one;
    if (reached) rest = detail::shifted_right(rest, 1, to);
    fraction = 2 * fraction + (reached ? 1 : 0);
  }
  const std::int64_t whole = std::int64_t{a.exponent} + 61;
  // The remainder is less than one last digit, and zero if all squares were exactly 1.
  return detail::normalise(int128{whole} * (int128{1} << 60) + fraction, -60, rest != one, to, out);
}

namespace detail {

/// ln 2 rounded in direction `to`: floor(2**62 ln 2), or one more.
constexpr binary log_of_two(rounding to) {
  return {3196577161300663914 + (to == rounding::up ? 1 : 0), -62};
}
/// 1 / ln 2 = log2(e), rounded in direction `to`.
constexpr binary log2_of_e(rounding to) {
  return {3326628274461080622 + (to == rounding::up ? 1 : 0), -61};
}

/// e**a for 0 <= a < 1: the leading terms of the series; the upper bound adds the remainder, which
/// is less than twice the first omitted term.
constexpr errc exp_series(const binary& a, rounding to, binary& out) {
  binary term, divisor;
  errc code = to_binary(1, to, term);
  out = term;
  for (int k = 1; k <= 24 && code == errc::none; ++k) {
    code = to_binary(k, to, divisor);
    if (code == errc::none) code = multiply(term, a, to, term);
    if (code == errc::none) code = divide(term, divisor, to, term);
    if (code == errc::none) code = add(out, term, to, out);
  }
  // 1/24! < 2**-79: the term added last is larger than twice the next.
  return code == errc::none && to == rounding::up ? add(out, term, to, out) : code;
}

}  // namespace detail

/// out = 2**a, rounded in direction `to`. O(24).
constexpr errc exp2(const binary& a, rounding to, binary& out) {
  int128 whole = 0;
  errc code = floor(a, whole);
  if (code != errc::none || detail::absolute(whole) > detail::largest_exponent)
    return errc::overflow;
  binary part;
  code = to_binary(-whole, to, part);
  if (code == errc::none) code = add(a, part, to, part);
  if (code == errc::none) code = multiply(part, detail::log_of_two(to), to, part);
  if (code == errc::none) code = detail::exp_series(part, to, out);
  if (code == errc::none)
    code = detail::normalise(out.digits, std::int64_t{out.exponent} + static_cast<int>(whole),
                             false, to, out);
  return code;
}

}  // namespace wf
