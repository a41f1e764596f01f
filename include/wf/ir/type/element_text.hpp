// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <wf/core/text/hexadecimal.hpp>
#include <wf/ir/type/dtype.hpp>

namespace wf {

// Elements as text of a fixed length each, which reads back to the last bit: the digits of what
// holds an element, in base 16, the most significant first; of a complex number its two parts.

/// What holds one element of a type, or one part of a complex one: f16 and bf16 are held in f32,
/// booleans in a byte. `use(T())` for that type `T`; `use(0.0)` for what has no elements.
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

/// The characters of one element: 16 of f64, 8 of f32, 32 of c128; 0 of what has no elements.
constexpr std::size_t characters_of_element(dtype type) {
  if (!is_number(type) && type != dtype::boolean) return 0;
  const bool is_short = type == dtype::f16 || type == dtype::bf16;  // held in f32
  return 2 * static_cast<std::size_t>(size_of(is_short ? dtype::f32 : type));
}

namespace detail {

template <class Held>
using bits_of = std::conditional_t<
    sizeof(Held) == 8, std::uint64_t,
    std::conditional_t<sizeof(Held) == 4, std::uint32_t,
                       std::conditional_t<sizeof(Held) == 2, std::uint16_t, std::uint8_t>>>;

// Elements have small letters, so that equal ones are equal texts.
constexpr bool is_element_digit(char c) {
  return hexadecimal_digit(c) >= 0 && !(c >= 'A' && c <= 'F');
}

}  // namespace detail

/// Appends what holds an element, or a part of one.
template <class Held>
constexpr void append_element(text& out, Held x) {
  detail::append_hexadecimal(out, std::bit_cast<detail::bits_of<Held>>(x), 2 * sizeof(Held));
}

/// Reads it again, from its first character on; what is no digit counts as 0.
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

/// Reads an element of a type as a number, real or complex, of whatever type: each part is
/// converted to that of the number's, and what is real has no imaginary part.
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

/// True if a text is that of so many elements of a type. O(length).
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
