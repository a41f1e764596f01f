// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include <wf/ir/type/dtype.hpp>
#include <wf/run/values/scalar.hpp>

// Storage of elements of any type in the run-time executor: each in a double, or another number
// type of the executor, that holds a value of the element type, so that every operator is written
// once. In complex executors reals, integers and booleans have a zero imaginary part.
namespace wf::compute {

/// Largest integer magnitude in the executor: 2^53 - 1 in doubles, 2^24 - 1 in floats. The sum or
/// product of two such numbers, computed in that type, is exact or exceeds this bound, so overflow
/// is detected.
template <class Real>
inline constexpr magnitude_of<Real> max_exact_integer =
    std::numeric_limits<magnitude_of<Real>>::digits == 53
        ? static_cast<magnitude_of<Real>>(9007199254740991)
        : static_cast<magnitude_of<Real>>(16777215);

namespace detail {

using integer_types =
    boost::mp11::mp_list<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                         std::uint16_t, std::uint32_t, std::uint64_t>;

// Calls use(T()) with the C++ type of an integer dtype.
template <class Use>
auto with_integer(dtype type, Use use) {
  const auto number = [](dtype d) { return static_cast<std::size_t>(d); };
  const std::size_t place =
      is_unsigned(type) ? 4 + number(type) - number(dtype::u8) : number(type) - number(dtype::i8);
  return boost::mp11::mp_with_index<boost::mp11::mp_size<integer_types>>(
      place, [&](auto at) { return use(boost::mp11::mp_at<integer_types, decltype(at)>()); });
}

// x rounded to a binary format of `digits` significant bits, ties to even, whose smallest normal
// number is 2^(lowest - 1) and whose numbers lie below 2^highest.
inline double rounded_to(double x, int digits, int lowest, int highest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int last = (exponent > lowest ? exponent : lowest) - digits;
  const double y = std::ldexp(std::nearbyint(std::ldexp(x, -last)), last);
  const bool overflows = std::abs(y) >= std::ldexp(1.0, highest);
  return overflows ? std::copysign(std::numeric_limits<double>::infinity(), x) : y;
}

}  // namespace detail

/// x rounded to the nearest number of a floating-point type, ties to even, as in IEEE 754: overflow
/// gives infinity, and underflow is gradual. x itself for f64 and for types that are not floating.
inline double rounded(dtype type, double x) {
  if (type == dtype::f32) return static_cast<double>(static_cast<float>(x));
  if (type == dtype::f16) return detail::rounded_to(x, 11, -13, 16);
  if (type == dtype::bf16) return detail::rounded_to(x, 8, -125, 128);
  return x;
}

/// True if an executor of `Real` stores elements of this type: complex executors store all numbers
/// and booleans, real ones all but complex numbers, those of single precision no f64 or c128;
/// integer executors store integers (which must fit) and booleans, and the boolean one booleans
/// alone.
template <class Real>
constexpr bool holds(dtype type) {
  if constexpr (std::is_same_v<Real, bool>)
    return type == dtype::boolean;
  else if constexpr (std::is_integral_v<Real>)
    return is_integer(type) || type == dtype::boolean;
  if (!(is_number(type) || type == dtype::boolean)) return false;
  if (is_complex(type) && !is_complex_scalar<Real>) return false;
  return sizeof(magnitude_of<Real>) == 8 || (type != dtype::f64 && type != dtype::c128);
}

namespace detail {

template <class Real>
bool settle_real(dtype type, Real* elements, std::ptrdiff_t count) {
  if (is_floating(type)) {
    for (std::ptrdiff_t i = 0; i < count; ++i)
      elements[i] = static_cast<Real>(rounded(type, static_cast<double>(elements[i])));
    return true;
  }
  Real low = 0, high = 1;
  if (is_integer(type)) {
    detail::with_integer(type, [&](auto zero) {
      using limits = std::numeric_limits<decltype(zero)>;
      low = std::max(-max_exact_integer<Real>, static_cast<Real>(limits::min()));
      high = std::min(max_exact_integer<Real>, static_cast<Real>(limits::max()));
    });
  } else if (type != dtype::boolean) {
    return false;
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const Real x = elements[i];
    if (!(x >= low && x <= high && x == std::trunc(x))) return false;
    elements[i] = x + Real(0);  // removes the sign of -0
  }
  return true;
}

template <class Integer>
bool settle_integers(dtype type, const Integer* elements, std::ptrdiff_t count) {
  const auto all = [&](auto fits) { return std::all_of(elements, elements + count, fits); };
  if (type == dtype::boolean) return all([](Integer x) { return x == 0 || x == 1; });
  if (!is_integer(type)) return false;
  return with_integer(type, [&](auto zero) {
    return all([](Integer x) { return std::in_range<decltype(zero)>(x); });
  });
}

template <class Complex>
bool settle_complex(dtype type, Complex& x) {
  using real = magnitude_of<Complex>;
  real parts[] = {x.real(), x.imag()};
  if (is_complex(type)) {
    const dtype part = type == dtype::c64 ? dtype::f32 : dtype::f64;
    if (part != dtype_of<real>) settle_real(part, parts, 2);
  } else {
    // A product of infinities or NaNs may give a NaN as imaginary part.
    const bool is_real = parts[1] == 0 || (std::isnan(parts[1]) && !std::isfinite(parts[0]));
    if (!is_real || (type != dtype_of<real> && !settle_real(type, parts, 1))) return false;
    parts[1] = 0;
  }
  x = Complex(parts[0], parts[1]);
  return true;
}

}  // namespace detail

/// Rounds or checks `count` numbers as elements of a type: rounds them for a floating type. False
/// if a number is not of an integer, boolean or real type, or exceeds `max_exact_integer` in a
/// floating executor; always false for qubits, and for complex types if `Real` is real.
template <class Real>
bool settle(dtype type, Real* elements, std::ptrdiff_t count) {
  if (type == dtype_of<Real>) return true;
  if constexpr (is_complex_scalar<Real>) {
    for (std::ptrdiff_t i = 0; i < count; ++i)
      if (!detail::settle_complex(type, elements[i])) return false;
    return true;
  } else if constexpr (std::is_same_v<Real, bool>) {
    return false;
  } else if constexpr (std::is_integral_v<Real>) {
    return detail::settle_integers(type, elements, count);
  } else {
    return detail::settle_real(type, elements, count);
  }
}

/// Converts an element between types as C++ does: to boolean by comparison with zero, from floating
/// to integer by truncation, to narrower integers modulo a power of two, otherwise by rounding to
/// the nearest. Where C++ is undefined the result is a number that `settle` refuses.
inline double converted(dtype from, dtype to, double x) {
  if (to == dtype::boolean) return x != 0 ? 1 : 0;
  if (!is_integer(to)) return rounded(to, x);
  if (!is_integer(from)) return std::trunc(x);
  return detail::with_integer(to, [&](auto zero) {
    return static_cast<double>(static_cast<decltype(zero)>(static_cast<std::int64_t>(x)));
  });
}
/// Converts integers and booleans within an integer executor; nothing if `Integer` cannot hold the
/// result.
template <class Integer>
std::optional<Integer> converted_integer(dtype to, Integer x) {
  if (to == dtype::boolean) return static_cast<Integer>(x != 0);
  if (!is_integer(to)) return std::nullopt;
  if constexpr (std::is_same_v<Integer, bool>)
    return x;
  else
    return detail::with_integer(to, [&](auto zero) -> std::optional<Integer> {
      const auto y = static_cast<decltype(zero)>(x);
      if (!std::in_range<Integer>(y)) return std::nullopt;
      return static_cast<Integer>(y);
    });
}
/// The integer equal to x; nothing if x is not an integer or does not fit the type.
template <class Integer, class Number>
std::optional<Integer> whole_of(Number x) {
  if constexpr (std::is_same_v<Number, bool>) {
    return static_cast<Integer>(x);
  } else if constexpr (std::is_same_v<Integer, bool>) {
    return x == 0 || x == 1 ? std::optional<bool>(x == 1) : std::nullopt;
  } else if constexpr (std::is_integral_v<Number>) {
    return std::in_range<Integer>(x) ? std::optional<Integer>(static_cast<Integer>(x))
                                     : std::nullopt;
  } else {
    // 2^(w-1) is representable in any floating type, the largest integer may not be.
    constexpr auto end = -static_cast<Number>(std::numeric_limits<Integer>::min());
    if (!(x >= -end && x < end && x == std::trunc(x))) return std::nullopt;
    return static_cast<Integer>(x);
  }
}

}  // namespace wf::compute
