// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/text/hexadecimal.hpp>
#include <wf/ir/type/dtype.hpp>

namespace wf {

// Elements as text of fixed length, which reads back exactly: the bits of the storage type in base
// 16, the most significant digit first; a complex number as its two parts.

/// Calls `use(T())` with the storage type `T` of one element, or of one part of a complex one: f16
/// and bf16 are stored as f32, booleans as a byte. `use(0.0)` for types without elements.
template <class Use>
constexpr auto with_held_type(dtype type, Use use) {
  switch (type) {
    case dtype::boolean:
    case dtype::u8:
      return use(std::uint8_t());
    case dtype::i8:
      return use(std::int8_t());
    case dtype::i16:
      return use(std::int16_t());
    case dtype::u16:
      return use(std::uint16_t());
    case dtype::i32:
      return use(std::int32_t());
    case dtype::u32:
      return use(std::uint32_t());
    case dtype::i64:
      return use(std::int64_t());
    case dtype::u64:
      return use(std::uint64_t());
    case dtype::f16:
    case dtype::bf16:
    case dtype::f32:
    case dtype::c64:
      return use(float());
    default:
      return use(double());
  }
}

/// Number of characters of one element: 16 for f64, 8 for f32, 32 for c128; 0 for types without
/// elements.
constexpr std::size_t characters_of_element(dtype type) {
  if (!is_number(type) && type != dtype::boolean) return 0;
  const bool is_short = type == dtype::f16 || type == dtype::bf16;  // stored as f32
  return 2 * static_cast<std::size_t>(size_of(is_short ? dtype::f32 : type));
}

namespace detail {

template <class Held>
using bits_of = std::conditional_t<
    sizeof(Held) == 8, std::uint64_t,
    std::conditional_t<sizeof(Held) == 4, std::uint32_t,
                       std::conditional_t<sizeof(Held) == 2, std::uint16_t, std::uint8_t>>>;

// Lower case only, so that equal elements have equal texts.
constexpr bool is_element_digit(char c) {
  return hexadecimal_digit(c) >= 0 && !(c >= 'A' && c <= 'F');
}

}  // namespace detail

/// Appends the digits of one storage value: an element or a part of a complex one.
template <class Held>
constexpr void append_element(text& out, Held x) {
  detail::append_hexadecimal(out, std::bit_cast<detail::bits_of<Held>>(x), 2 * sizeof(Held));
}

/// Reads one storage value from `2 * sizeof(Held)` characters; invalid digits count as 0.
template <class Held>
constexpr Held element_from(const char* characters) {
  using bits = detail::bits_of<Held>;
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < 2 * sizeof(Held); ++i) {
    const int digit = detail::hexadecimal_digit(characters[i]);
    all = all << 4 | static_cast<std::uint64_t>(digit < 0 ? 0 : digit);
  }
  return std::bit_cast<Held>(static_cast<bits>(all));
}

/// Reads an element as a number, real or complex: each part is converted to the number's type, and
/// a real element has the imaginary part 0.
template <class Number>
constexpr Number element_as(dtype type, const char* characters) {
  return with_held_type(type, [&](auto held) {
    using kept = decltype(held);
    const kept first = element_from<kept>(characters);
    if constexpr (requires { typename Number::value_type; }) {
      using part = typename Number::value_type;
      const kept second =
          is_complex(type) ? element_from<kept>(characters + 2 * sizeof(kept)) : kept();
      return Number(static_cast<part>(first), static_cast<part>(second));
    } else {
      return static_cast<Number>(first);
    }
  });
}

/// True if a text holds exactly `count` elements of a type. O(length).
constexpr bool holds_elements(text_view characters, dtype type, std::int64_t count) {
  const std::size_t each = characters_of_element(type);
  if (each == 0 || count < 0 || characters.size() / each != static_cast<std::uint64_t>(count) ||
      characters.size() % each != 0)
    return false;
  for (std::size_t i = 0; i < characters.size(); ++i)
    if (!detail::is_element_digit(characters[i])) return false;
  return true;
}

}  // namespace wf
