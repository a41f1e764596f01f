// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/core/integer.hpp>
#include <wf/run/values/scalar.hpp>

// Integer arithmetic in the element type without silent overflow: elementwise operators that detect
// it, and element types with which a kernel of sums runs again to prove that its result fits.
namespace wf::compute {

/// Magnitude of an integer, including that of the smallest one.
template <class Integer>
constexpr std::uint64_t magnitude(Integer x) {
  return x < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}

/// Product of two bounds of magnitudes, saturating.
constexpr std::uint64_t bounded_product(std::uint64_t x, std::uint64_t y) {
  std::uint64_t out = 0;
  return __builtin_mul_overflow(x, y, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}
/// Sum of two bounds of magnitudes, saturating.
constexpr std::uint64_t bounded_sum(std::uint64_t x, std::uint64_t y) {
  std::uint64_t out = 0;
  return __builtin_add_overflow(x, y, &out) ? std::numeric_limits<std::uint64_t>::max() : out;
}

namespace detail {

template <class Integer>
using bits_of_integer = std::make_unsigned_t<Integer>;
template <class Integer>
inline constexpr int width_of = std::numeric_limits<bits_of_integer<Integer>>::digits;

// A vector of the processor's width. Explicit, since compilers at low optimisation do not vectorise
// loops.
inline constexpr std::size_t vector_bytes =
    EIGEN_MAX_STATIC_ALIGN_BYTES < 16 ? 16 : EIGEN_MAX_STATIC_ALIGN_BYTES;
template <class Integer>
struct vector_type {
  typedef Integer of __attribute__((vector_size(vector_bytes)));
};
template <class Integer>
using vector_of = typename vector_type<Integer>::of;
template <class Integer>
inline constexpr Eigen::Index vector_lanes = vector_bytes / sizeof(Integer);

template <class Integer>
__attribute__((always_inline)) inline vector_of<Integer> load_vector(const Integer* from) {
  vector_of<Integer> out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

}  // namespace detail

/// An upper bound on the magnitudes of `count` integers, at most twice the largest; 1 if there are
/// none. O(count).
template <class Integer>
std::uint64_t magnitude_bound(const Integer* from, Eigen::Index count) {
  using namespace detail;
  constexpr Eigen::Index lanes = vector_lanes<Integer>;
  constexpr int sign = width_of<Integer> - 1;
  // For a negative x the term is -x - 1.
  vector_of<Integer> most{};
  Eigen::Index i = 0;
#pragma GCC unroll 4
  for (; i + lanes <= count; i += lanes) {
    const vector_of<Integer> x = load_vector(from + i);
    most |= x ^ (x >> sign);
  }
  Integer all = 0;
  for (; i < count; ++i) all = static_cast<Integer>(all | (from[i] ^ (from[i] >> sign)));
  for (Eigen::Index lane = 0; lane < lanes; ++lane) all = static_cast<Integer>(all | most[lane]);
  return static_cast<std::uint64_t>(all) + 1;
}

/// Largest magnitude of `count` integers; 0 if there are none. O(count).
template <class Integer>
std::uint64_t largest_magnitude(const Integer* from, Eigen::Index count) {
  Integer low = 0, high = 0;
  for (Eigen::Index i = 0; i < count; ++i) {
    low = std::min(low, from[i]);
    high = std::max(high, from[i]);
  }
  return std::max(magnitude(low), magnitude(high));
}

namespace detail {

// A type that holds the product of two integers.
template <class Integer>
using twice_as_wide = std::conditional_t<sizeof(Integer) == 8, int128, std::int64_t>;

}  // namespace detail

/// Arithmetic on w-bit integers modulo 2^w for `Number` 0, else modulo 2^(w-1) - 1 and 2^(w-1) - 3,
/// for 1 and 2; the moduli are pairwise coprime. A sum of fewer than 2^(w-1) products equals the
/// w-bit integer with the same three remainders, if there is one: both differ by less than the
/// product of the moduli (Chinese remainder theorem).
template <class Integer, int Number>
class remainder {
 public:
  /// The remainder of an integer.
  constexpr remainder(Integer x = 0) : x_(x) {}

  /// An integer with this remainder; the original one before any arithmetic.
  constexpr Integer representative() const { return x_; }

  friend constexpr remainder operator+(remainder x, remainder y) { return {wide{x.x_} + y.x_, {}}; }
  friend constexpr remainder operator-(remainder x, remainder y) { return {wide{x.x_} - y.x_, {}}; }
  friend constexpr remainder operator*(remainder x, remainder y) { return {wide{x.x_} * y.x_, {}}; }
  /// Negation modulo the modulus.
  constexpr remainder operator-() const { return {-wide{x_}, {}}; }
  /// Addition modulo the modulus.
  constexpr remainder& operator+=(remainder y) { return *this = *this + y; }
  /// Subtraction modulo the modulus.
  constexpr remainder& operator-=(remainder y) { return *this = *this - y; }
  /// Multiplication modulo the modulus.
  constexpr remainder& operator*=(remainder y) { return *this = *this * y; }
  /// True if the remainders are equal; representatives may differ by the modulus.
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
  // Reduces x, up to 2^(2w-2) in magnitude. The upper half has weight 2^(w-1), which is congruent
  // to 1 or 3.
  static constexpr Integer fold(wide x) {
    if constexpr (Number == 0) return static_cast<Integer>(static_cast<bits>(x));
    constexpr int half = detail::width_of<Integer> - 1;
    for (int round = 0; round < 2; ++round) x = (x & largest) + (x >> half) * (less + 1);
    return static_cast<Integer>(x > largest ? x - modulus : x);
  }

  Integer x_;
};

/// A boolean with the arithmetic of numbers, saturating at 2.
class truth {
 public:
  /// Takes false as 0, true as 1.
  constexpr truth(bool x = false) : x_(x ? 1 : 0) {}

  /// The saturated value: 0, 1 or 2.
  constexpr std::uint8_t representative() const { return x_; }

  friend constexpr truth operator+(truth x, truth y) { return at_most_two(x.x_ + y.x_); }
  friend constexpr truth operator*(truth x, truth y) { return at_most_two(x.x_ * y.x_); }
  /// Addition, saturating at 2.
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

// Operators on integers: each returns the result modulo 2^w, and sets the highest bit of `lost` if
// the exact result differs. If `makes_vectors`, they also take vectors.
struct checked_sum {
  static constexpr bool makes_vectors = true;
  template <class Bits>
  static constexpr Bits of(Bits& lost, Bits x, Bits y) {
    const Bits sum = x + y;
    lost |= (x ^ sum) & (y ^ sum);
    return sum;
  }
};
struct checked_difference {
  static constexpr bool makes_vectors = true;
  template <class Bits>
  static constexpr Bits of(Bits& lost, Bits x, Bits y) {
    const Bits difference = x - y;
    lost |= (x ^ y) & (x ^ difference);
    return difference;
  }
};
struct checked_opposite {
  static constexpr bool makes_vectors = true;
  template <class Bits>
  static constexpr Bits of(Bits& lost, Bits x) {
    const Bits opposite = Bits{} - x;
    lost |= x & opposite;
    return opposite;
  }
};
template <class Integer>
struct checked_magnitude {
  static constexpr bool makes_vectors = true;
  template <class Bits>
  static constexpr Bits of(Bits& lost, Bits x) {
    const Bits sign = Bits{} - (x >> (width_of<Integer> - 1));
    const Bits positive = (x ^ sign) - sign;
    lost |= positive;
    return positive;
  }
};
// For factors whose products are known to fit.
struct small_product {
  static constexpr bool makes_vectors = true;
  template <class Bits>
  static constexpr Bits of(Bits&, Bits x, Bits y) {
    return x * y;
  }
};
template <class Integer>
struct checked_product {
  static constexpr bool makes_vectors = false;
  using bits = bits_of_integer<Integer>;
  static constexpr bits of(bits& lost, bits x, bits y) {
    Integer product = 0;
    const bool fits =
        !__builtin_mul_overflow(static_cast<Integer>(x), static_cast<Integer>(y), &product);
    lost |= static_cast<bits>(!fits) << (width_of<Integer> - 1);
    return static_cast<bits>(product);
  }
};
// Truncated. A quotient by zero does not exist.
template <class Integer>
struct checked_quotient {
  static constexpr bool makes_vectors = false;
  using bits = bits_of_integer<Integer>;
  static constexpr bits of(bits& lost, bits x, bits y) {
    const auto dividend = static_cast<Integer>(x);
    const bool exists =
        y != 0 && !(dividend == std::numeric_limits<Integer>::min() && y == ~bits{0});
    const Integer divisor = exists ? static_cast<Integer>(y) : Integer{1};
    lost |= static_cast<bits>(!exists) << (width_of<Integer> - 1);
    // A 32-bit quotient rounded to 53 bits truncates to the same integer.
    if constexpr (sizeof(Integer) == 4)
      return static_cast<bits>(
          static_cast<Integer>(static_cast<double>(dividend) / static_cast<double>(divisor)));
    else
      return static_cast<bits>(dividend / divisor);
  }
};

}  // namespace detail

}  // namespace wf::compute

/// Traits that Eigen requires of the element type `remainder`.
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
/// Traits that Eigen requires of the element type `truth`.
template <>
struct Eigen::NumTraits<wf::compute::truth> : Eigen::GenericNumTraits<wf::compute::truth> {
  using Real = wf::compute::truth;
  using Literal = Real;
  using NonInteger = Real;
  using Nested = Real;
  static constexpr int IsComplex = 0, IsInteger = 1, IsSigned = 0, RequireInitialization = 1;
  static constexpr int ReadCost = 1, AddCost = 4, MulCost = 4;
};
