// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/core/integer.hpp>
#include <wf/run/scalar.hpp>

// Integers that are computed in their own type and never wrap: elementwise operators that see what
// does not fit, and types of elements by which a kernel of sums is executed to prove that its
// result fits.
namespace wf::compute {

/// The magnitude of an integer, that of the smallest one included.
template <class Integer>
constexpr std::uint64_t magnitude(Integer x) {
  return x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}

/// The product of two bounds of magnitudes, or the largest number if it is larger.
constexpr std::uint64_t bounded_product(std::uint64_t x, std::uint64_t y) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(x, y, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}
/// Likewise the sum.
constexpr std::uint64_t bounded_sum(std::uint64_t x, std::uint64_t y) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(x, y, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

/// The largest magnitude of `count` integers; 0 of none. O(count).
template <class Integer>
std::uint64_t largest_magnitude(const Integer* from, Eigen::Index count) {
  constexpr Eigen::Index lanes = 16;  // of known number, so that compilers make vectors of them
  Integer low[lanes] = {}, high[lanes] = {};
  Eigen::Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Eigen::Index j = 0; j < lanes; ++j) {
      low[j] = std::min(low[j], from[i + j]);
      high[j] = std::max(high[j], from[i + j]);
    }
  for (; i < count; ++i) {
    low[0] = std::min(low[0], from[i]);
    high[0] = std::max(high[0], from[i]);
  }
  return std::max(magnitude(*std::min_element(low, low + lanes)),
                  magnitude(*std::max_element(high, high + lanes)));
}

namespace detail {

// A type that holds the product of two integers.
template <class Integer>
using twice_as_wide = std::conditional_t<sizeof(Integer) == 8, int128, std::int64_t>;
template <class Integer>
using bits_of_integer = std::make_unsigned_t<Integer>;
template <class Integer>
inline constexpr int width_of = std::numeric_limits<bits_of_integer<Integer>>::digits;

}  // namespace detail

/// An integer of w bits, of which only the remainder counts: modulo 2^w for number 0, else modulo
/// 2^(w-1) - 1 and 2^(w-1) - 3, numbers 1 and 2. No two of these have a common factor. A sum of
/// fewer than 2^(w-1) products of integers that is less than 2^(w-1) in magnitude has the same
/// three remainders as no other: two such numbers that do differ by less than the product of the
/// three moduli.
template <class Integer, int Number>
class remainder {
 public:
  /// Of an integer, zero unless told.
  constexpr remainder(Integer x = 0) : x_(x) {}

  /// An integer that has this remainder: that which it was made of, before any arithmetic.
  constexpr Integer representative() const { return x_; }

  friend constexpr remainder operator+(remainder x, remainder y) { return {wide{x.x_} + y.x_, {}}; }
  friend constexpr remainder operator-(remainder x, remainder y) { return {wide{x.x_} - y.x_, {}}; }
  friend constexpr remainder operator*(remainder x, remainder y) { return {wide{x.x_} * y.x_, {}}; }
  constexpr remainder operator-() const { return {-wide{x_}, {}}; }
  constexpr remainder& operator+=(remainder y) { return *this = *this + y; }
  constexpr remainder& operator-=(remainder y) { return *this = *this - y; }
  constexpr remainder& operator*=(remainder y) { return *this = *this * y; }
  /// True if both have the same remainder.
  friend constexpr bool operator==(remainder x, remainder y) {
    const Integer difference = (x - y).x_;
    if constexpr (Number == 0) return difference == 0;
    return difference == 0 || difference == modulus || difference == -modulus;
  }

 private:
  using wide = detail::twice_as_wide<Integer>;
  using bits = detail::bits_of_integer<Integer>;
  struct reduced {};

  static constexpr Integer largest = std::numeric_limits<Integer>::max();
  static constexpr Integer less = Number == 1 ? 0 : 2;  // than the largest integer
  static constexpr Integer modulus = largest - less;

  constexpr remainder(wide x, reduced) : x_(fold(x)) {}
  // Of numbers up to 2^(2w-2) in magnitude. Half of the bits weigh 2^(w-1), which is 1 or 3 here.
  static constexpr Integer fold(wide x) {
    if constexpr (Number == 0) return static_cast<Integer>(static_cast<bits>(x));
    constexpr int half = detail::width_of<Integer> - 1;
    for (int round = 0; round < 2; ++round) x = (x & largest) + (x >> half) * (less + 1);
    return static_cast<Integer>(x > largest ? x - modulus : x);
  }

  Integer x_;
};

/// A boolean that is added up and multiplied as a number; what is more than 1 is 2.
class truth {
 public:
  /// Of 0 or 1.
  constexpr truth(bool x = false) : x_(x ? 1 : 0) {}

  /// 0, 1 or 2.
  constexpr std::uint8_t representative() const { return x_; }

  friend constexpr truth operator+(truth x, truth y) { return at_most_two(x.x_ + y.x_); }
  friend constexpr truth operator*(truth x, truth y) { return at_most_two(x.x_ * y.x_); }
  constexpr truth& operator+=(truth y) { return *this = *this + y; }
  friend constexpr bool operator==(truth, truth) = default;

 private:
  static constexpr truth at_most_two(int x) {
    truth out;
    out.x_ = static_cast<std::uint8_t>(x < 2 ? x : 2);
    return out;
  }

  std::uint8_t x_;
};

namespace detail {

// Operators on integers: each gives the result modulo 2^w, and sets the highest bit of `lost` if
// that is another one.
template <class Integer>
struct checked_arithmetic {
  using bits = bits_of_integer<Integer>;
  static constexpr Integer lowest = std::numeric_limits<Integer>::min();

  static constexpr bits plus(bits& lost, bits x, bits y) {
    const bits sum = static_cast<bits>(x + y);
    lost = static_cast<bits>(lost | ((x ^ sum) & (y ^ sum)));
    return sum;
  }
  static constexpr bits minus(bits& lost, bits x, bits y) {
    const bits difference = static_cast<bits>(x - y);
    lost = static_cast<bits>(lost | ((x ^ y) & (x ^ difference)));
    return difference;
  }
  static constexpr bits negative(bits& lost, bits x) {
    const bits opposite = static_cast<bits>(bits{0} - x);
    lost = static_cast<bits>(lost | (x & opposite));
    return opposite;
  }
  static constexpr bits absolute(bits& lost, bits x) {
    const bits sign = static_cast<bits>(bits{0} - (x >> (width_of<Integer> - 1)));
    const bits positive = static_cast<bits>((x ^ sign) - sign);
    lost = static_cast<bits>(lost | positive);
    return positive;
  }
  static constexpr bits times(bits& lost, bits x, bits y) {
    Integer product = 0;
    if (__builtin_mul_overflow(static_cast<Integer>(x), static_cast<Integer>(y), &product))
      lost = static_cast<bits>(lowest);
    return static_cast<bits>(product);
  }
  // Cut off. There is no quotient by zero.
  static constexpr bits quotient(bits& lost, bits x, bits y) {
    const auto dividend = static_cast<Integer>(x), divisor = static_cast<Integer>(y);
    if (divisor == 0 || (dividend == lowest && divisor == -1)) {
      lost = static_cast<bits>(lowest);
      return 0;
    }
    return static_cast<bits>(dividend / divisor);
  }
};

}  // namespace detail

}  // namespace wf::compute

/// What Eigen asks of a remainder.
template <class Integer, int Number>
struct Eigen::NumTraits<wf::compute::remainder<Integer, Number>>
    : Eigen::GenericNumTraits<wf::compute::remainder<Integer, Number>> {
  using Real = wf::compute::remainder<Integer, Number>;
  using Literal = Real;
  using NonInteger = Real;
  using Nested = Real;
  static constexpr int IsComplex = 0, IsInteger = 1, IsSigned = 1, RequireInitialization = 1;
  static constexpr int ReadCost = 1, AddCost = 4, MulCost = 8;
};
/// What Eigen asks of a truth.
template <>
struct Eigen::NumTraits<wf::compute::truth> : Eigen::GenericNumTraits<wf::compute::truth> {
  using Real = wf::compute::truth;
  using Literal = Real;
  using NonInteger = Real;
  using Nested = Real;
  static constexpr int IsComplex = 0, IsInteger = 1, IsSigned = 0, RequireInitialization = 1;
  static constexpr int ReadCost = 1, AddCost = 4, MulCost = 4;
};
