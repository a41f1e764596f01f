// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <compare>
#include <cstdint>

#include <wf/core/text/text.hpp>

namespace wf {

/// Maximum length of a symbol's name, in characters.
inline constexpr std::size_t max_symbol_length = 10;

/// The name of a symbolic dimension such as `M`, packed into one integer: at most 10 letters,
/// digits and underscores, not starting with a digit, 6 bits each. So a symbol is a structural
/// value, adds one number to a mangled name, means the same in every graph, and is printable. The
/// order is by packed value: stable, not alphabetical.
struct symbol {
  /// 6 bits per character, first character lowest; 0: no symbol.
  std::uint64_t packed = 0;

  /// True unless it is the empty symbol.
  constexpr explicit operator bool() const { return packed != 0; }
  friend constexpr bool operator==(symbol, symbol) = default;
  friend constexpr auto operator<=>(symbol, symbol) = default;
};

namespace detail {
inline constexpr char symbol_alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

constexpr std::uint64_t symbol_code(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint64_t>(c - 'A') + 1;
  if (c >= 'a' && c <= 'z') return static_cast<std::uint64_t>(c - 'a') + 27;
  if (c == '_') return 53;
  if (c >= '0' && c <= '9') return static_cast<std::uint64_t>(c - '0') + 54;
  return 0;
}
}  // namespace detail

/// Packs a name; the empty symbol if the name is empty, longer than 10 characters, begins with a
/// digit, or has a character other than letters, digits and underscore. O(length).
constexpr symbol make_symbol(text_view name) {
  if (name.empty() || name.size() > max_symbol_length) return {};
  if (name[0] >= '0' && name[0] <= '9') return {};
  symbol out;
  for (std::size_t i = name.size(); i-- > 0;) {
    const std::uint64_t code = detail::symbol_code(name[i]);
    if (code == 0) return {};
    out.packed = (out.packed << 6) | code;
  }
  return out;
}

/// The unpacked name; empty for the empty symbol. O(length).
constexpr text to_text(symbol s) {
  text out;
  for (std::uint64_t rest = s.packed; rest != 0; rest >>= 6)
    out << detail::symbol_alphabet[(rest & 63) - 1];
  return out;
}

}  // namespace wf
