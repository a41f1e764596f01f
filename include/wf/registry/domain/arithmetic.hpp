// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>

#include <wf/core/text/nearest_normal.hpp>
#include <wf/ir/type/dtype.hpp>

// Element arithmetic as in the executors, at compile time and at run time: in doubles, each result
// rounded to its element type. Results that are not finite are not computed, since constant
// evaluation forbids them.
namespace wf::detail {

/// Largest magnitude of integers in executors, 2^53 - 1.
inline constexpr double max_exact_element = 9007199254740991.0;

constexpr bool is_finite(double x) {
  return (std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) != 0x7ff;
}
constexpr bool is_negative_zero(double x) {
  return std::bit_cast<std::uint64_t>(x) == std::uint64_t{1} << 63;
}
constexpr bool is_positive_zero(double x) { return std::bit_cast<std::uint64_t>(x) == 0; }
constexpr double magnitude(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t{1} << 63));
}
/// The integer part of a number of magnitude below 2^63.
constexpr double truncated(double x) {
  if (magnitude(x) >= 4503599627370496.0) return x;  // 2^52: no fraction bits
  return static_cast<double>(static_cast<std::int64_t>(x));
}
/// The unbiased exponent field of a finite number: 2^e <= |x| < 2^(e + 1) except for subnormals.
constexpr int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
}
/// 2^e, where the result must be a normal number.
constexpr double power_of_two(int e) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

/// Rounds x to a binary format of `digits` significant bits, ties to even, with smallest normal
/// number 2^(lowest - 1) and all numbers below 2^highest. False if the result is not finite.
constexpr bool round_to(double& x, int digits, int lowest, int highest) {
  if (!is_finite(x)) return false;
  if (x == 0) return true;
  const int exponent = exponent_of(x) + 1;
  if (exponent > highest) return false;
  const int last = (exponent > lowest ? exponent : lowest) - digits;
  const double scaled = magnitude(x) * power_of_two(-last);  // less than 2^digits, exact
  auto whole = static_cast<std::int64_t>(scaled);
  const double rest = scaled - static_cast<double>(whole);
  if (rest > 0.5 || (rest == 0.5 && (whole & 1) != 0)) ++whole;
  const double size = static_cast<double>(whole) * power_of_two(last);
  if (size >= power_of_two(highest - 1) * 2) return false;
  x = x < 0 ? -size : size;
  return true;
}

/// Converts a number to an element of a type. Floating types round, ties to even; an integer or
/// boolean must be representable already, in the range of its type and of executors. False if there
/// is no such finite element; always false for other types.
constexpr bool settle_element(dtype type, double& x) {
  switch (type) {
    case dtype::f64:
      return is_finite(x);
    case dtype::f32:
      return round_to(x, 24, -125, 128);
    case dtype::f16:
      return round_to(x, 11, -13, 16);
    case dtype::bf16:
      return round_to(x, 8, -125, 128);
    default:
      break;
  }
  double low = 0, high = 1;
  if (is_integer(type)) {
    const bool fits = magnitude_bits(type) < 53;
    high = fits ? static_cast<double>((std::int64_t{1} << magnitude_bits(type)) - 1)
                : max_exact_element;
    low = is_unsigned(type) ? 0 : fits ? -high - 1 : -high;
  } else if (type != dtype::boolean) {
    return false;
  }
  if (!(x >= low && x <= high && x == truncated(x))) return false;
  x = x + 0.0;  // integers have no -0
  return true;
}

/// Converts an element to another type as C++ does: numbers to booleans by comparison with zero,
/// floating-point to integers by truncation, integers to smaller ones modulo a power of two, all
/// others to the nearest. False if the result does not exist or is not finite.
constexpr bool convert_element(dtype from, dtype to, double& x) {
  if (to == dtype::boolean) {
    x = x != 0 ? 1 : 0;
    return true;
  }
  if (is_integer(to)) {
    x = truncated(x);
    if (is_integer(from)) {
      const int bits = 64 - 8 * static_cast<int>(size_of(to));
      const auto wrapped = static_cast<std::uint64_t>(static_cast<std::int64_t>(x)) << bits;
      x = is_unsigned(to) ? static_cast<double>(wrapped >> bits)
                          : static_cast<double>(static_cast<std::int64_t>(wrapped) >> bits);
    }
  }
  return settle_element(to, x);
}

/// The correctly rounded square root of a nonnegative number, from the integer root of its digits
/// and the remainder.
constexpr double square_root(double x) {
  if (x == 0) return x;
  auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1075;
  std::uint64_t digits = (bits & ((std::uint64_t{1} << 52) - 1)) | std::uint64_t{1} << 52;
  if (exponent == -1075) {  // subnormal
    digits ^= std::uint64_t{1} << 52;
    const int shift = __builtin_clzll(digits) - 11;
    digits <<= shift;
    exponent = -1074 - shift;
  }
  const int shift = 56 + ((exponent & 1) != 0 ? 1 : 0);  // makes the exponent even
  uint128 rest = uint128{digits} << shift, root = 0;
  for (uint128 bit = uint128{1} << 110; bit != 0; bit >>= 2) {
    if (rest >= root + bit) {
      rest -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  return nearest_normal(root, (exponent - shift) / 2, rest != 0);
}

}  // namespace wf::detail
