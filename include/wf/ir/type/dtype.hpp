// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <wf/core/text/view.hpp>

namespace wf {

/// The element type of a value. Digests contain the numbers: new types are appended at the end.
enum class dtype : std::uint8_t {
  unknown,  ///< not known yet
  boolean,  ///< one byte, 0 or 1
  i8,       ///< signed integer of 8 bits
  i16,      ///< signed integer of 16 bits
  i32,      ///< signed integer of 32 bits
  i64,      ///< signed integer of 64 bits
  f16,      ///< IEEE half precision
  bf16,     ///< bfloat16
  f32,      ///< IEEE single precision
  f64,      ///< IEEE double precision
  c64,      ///< complex of two f32
  c128,     ///< complex of two f64
  qubit,    ///< one quantum bit; occupies no classical memory
  u8,       ///< unsigned integer of 8 bits
  u16,      ///< unsigned integer of 16 bits
  u32,      ///< unsigned integer of 32 bits
  u64,      ///< unsigned integer of 64 bits
  peer,     ///< the identity of a machine that a workflow's nodes may run on
  trigger,  ///< no value: that it arrives is all it says
};

/// Number of dtypes, `unknown` included.
inline constexpr std::size_t dtype_count = 19;

namespace detail {
struct dtype_row {
  text_view name;
  std::int64_t bytes;
};
inline constexpr dtype_row dtype_rows[dtype_count] = {
    {"unknown", 0}, {"bool", 1}, {"i8", 1},  {"i16", 2},  {"i32", 4},    {"i64", 8},   {"f16", 2},
    {"bf16", 2},    {"f32", 4},  {"f64", 8}, {"c64", 8},  {"c128", 16},  {"qubit", 0}, {"u8", 1},
    {"u16", 2},     {"u32", 4},  {"u64", 8}, {"peer", 8}, {"trigger", 0}};
}  // namespace detail

/// The name of a dtype, as in the text form: "f64".
constexpr text_view name_of(dtype d) { return detail::dtype_rows[static_cast<int>(d)].name; }

/// Bytes of one element; 0 for `qubit`, `trigger` and `unknown`.
constexpr std::int64_t size_of(dtype d) { return detail::dtype_rows[static_cast<int>(d)].bytes; }

/// The dtype with a name, or `unknown` if there is none.
constexpr dtype dtype_named(text_view name) {
  for (std::size_t i = 0; i < dtype_count; ++i)
    if (detail::dtype_rows[i].name == name) return static_cast<dtype>(i);
  return dtype::unknown;
}

/// True for f16, bf16, f32 and f64.
constexpr bool is_floating(dtype d) { return d >= dtype::f16 && d <= dtype::f64; }
/// True for signed and unsigned integers.
constexpr bool is_integer(dtype d) {
  return (d >= dtype::i8 && d <= dtype::i64) || (d >= dtype::u8 && d <= dtype::u64);
}
/// True for u8 to u64.
constexpr bool is_unsigned(dtype d) { return d >= dtype::u8 && d <= dtype::u64; }
/// True for c64 and c128.
constexpr bool is_complex(dtype d) { return d == dtype::c64 || d == dtype::c128; }
/// True for types whose division leaves no remainder: floating and complex ones.
constexpr bool is_field(dtype d) { return is_floating(d) || is_complex(d); }
/// True for arithmetic types: integers, floating and complex numbers.
constexpr bool is_number(dtype d) { return is_floating(d) || is_integer(d) || is_complex(d); }
/// Number of magnitude bits of an integer type: 31 of i32, 32 of u32; 0 for others.
constexpr int magnitude_bits(dtype d) {
  return is_integer(d) ? static_cast<int>(8 * size_of(d)) - (is_unsigned(d) ? 0 : 1) : 0;
}

namespace detail {
template <class T>
struct dtype_of_type {
  static constexpr dtype value = dtype::unknown;
};
template <>
struct dtype_of_type<bool> {
  static constexpr dtype value = dtype::boolean;
};
// Every integer type of up to 8 bytes, "long" and "long long" alike; character types are excluded.
template <class T>
concept plain_integer =
    std::integral<T> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t> &&
    !std::same_as<T, bool> && sizeof(T) <= 8 && std::same_as<T, std::remove_cv_t<T>>;
template <plain_integer T>
struct dtype_of_type<T> {
  static constexpr bool has_sign = std::signed_integral<T>;
  static constexpr dtype value = sizeof(T) == 1   ? (has_sign ? dtype::i8 : dtype::u8)
                                 : sizeof(T) == 2 ? (has_sign ? dtype::i16 : dtype::u16)
                                 : sizeof(T) == 4 ? (has_sign ? dtype::i32 : dtype::u32)
                                                  : (has_sign ? dtype::i64 : dtype::u64);
};
template <>
struct dtype_of_type<float> {
  static constexpr dtype value = dtype::f32;
};
template <>
struct dtype_of_type<double> {
  static constexpr dtype value = dtype::f64;
};
// Complex numbers, recognised by their members: <complex> is a large header.
template <class T>
concept pair_of_parts = requires(const T& x) {
  typename T::value_type;
  { x.real() } -> std::same_as<typename T::value_type>;
  { x.imag() } -> std::same_as<typename T::value_type>;
} && sizeof(T) == 2 * sizeof(typename T::value_type);
template <pair_of_parts T>
struct dtype_of_type<T> {
  static constexpr dtype part = dtype_of_type<typename T::value_type>::value;
  static constexpr dtype value = part == dtype::f32   ? dtype::c64
                                 : part == dtype::f64 ? dtype::c128
                                                      : dtype::unknown;
};
}  // namespace detail

/// A quantum bit as an element type: `s.input<"q", wf::qubit, 5>()`.
struct qubit {};
template <>
struct detail::dtype_of_type<qubit> {
  static constexpr dtype value = dtype::qubit;
};

/// A machine as an element type; a list of machines is a vector of them.
struct peer {
  std::uint64_t id = 0;  ///< unique in a deployment
  friend constexpr bool operator==(peer, peer) = default;
};
template <>
struct detail::dtype_of_type<peer> {
  static constexpr dtype value = dtype::peer;
};
/// A signal as an element type.
struct trigger {
  friend constexpr bool operator==(trigger, trigger) = default;
};
template <>
struct detail::dtype_of_type<trigger> {
  static constexpr dtype value = dtype::trigger;
};

/// The dtype of a C++ element type, e.g. `dtype_of<double> == dtype::f64`, c128 for
/// `std::complex<double>`; an integer type maps by size and sign; `unknown` for others.
template <class T>
inline constexpr dtype dtype_of = detail::dtype_of_type<T>::value;

}  // namespace wf
