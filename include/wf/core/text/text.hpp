// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/view.hpp>

namespace wf {

/// An owning string that also works in constant evaluation; a regular value. Messages, text forms
/// and reports are built with it: `text() << "needs " << 3 << " operands"`.
class text {
 public:
  constexpr text() = default;
  /// A copy of the characters.
  constexpr text(text_view characters) { *this << characters; }
  /// A copy of a null-terminated string.
  constexpr text(const char* terminated) : text(text_view(terminated)) {}

  /// The characters, not null-terminated.
  constexpr const char* data() const { return characters_.data(); }
  /// Number of characters.
  constexpr std::size_t size() const { return characters_.size(); }
  /// True if there are no characters.
  constexpr bool empty() const { return characters_.empty(); }
  /// The character at `index`, which must be less than `size()`.
  constexpr char operator[](std::size_t index) const { return characters_[index]; }
  /// A view, valid until the text changes.
  constexpr text_view view() const { return {characters_.data(), characters_.size()}; }
  /// Removes all characters.
  constexpr void clear() { characters_.clear(); }

  /// Appends characters.
  constexpr text& operator<<(text_view more) {
    characters_.append(wf::view<char>(more.data(), more.size()));
    return *this;
  }
  /// Appends a null-terminated string.
  constexpr text& operator<<(const char* terminated) { return *this << text_view(terminated); }
  /// Appends one character.
  constexpr text& operator<<(char c) {
    characters_.push_back(c);
    return *this;
  }
  /// Appends a decimal integer of at most 128 bits.
  template <class Integer>
    requires((std::integral<Integer> && !std::same_as<Integer, bool> &&
              !std::same_as<Integer, char>) ||
             std::same_as<Integer, int128> || std::same_as<Integer, uint128>)
  constexpr text& operator<<(Integer number) {
    uint128 rest = static_cast<uint128>(number);
    if (number < Integer{0}) {
      characters_.push_back('-');
      rest = uint128{0} - rest;
    }
    char digits[40]{};
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + static_cast<int>(rest % 10));
      rest /= 10;
    } while (rest != 0);
    while (count != 0) characters_.push_back(digits[--count]);
    return *this;
  }
  /// Deleted: otherwise a truth value or floating-point number would be appended as a character.
  template <class Other>
    requires(std::same_as<Other, bool> || std::floating_point<Other>)
  text& operator<<(Other) = delete;
  /// Appends a number with thousands separated by commas: 1234567 becomes "1,234,567".
  constexpr text& grouped(std::int64_t number) {
    text plain;
    plain << number;
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
      if (i > sign && (plain.size() - i) % 3 == 0) *this << ',';
      *this << plain[i];
    }
    return *this;
  }

  /// A copy as `std::string` (or any type built from pointer and size).
  template <class T>
    requires(!std::same_as<T, text_view>) && (!std::same_as<T, text>) &&
            requires(const char* d, std::size_t n) { T(d, n); }
  constexpr explicit operator T() const {
    return T(data(), size());
  }

  friend constexpr bool operator==(const text& a, const text& b) { return a.view() == b.view(); }
  /// Writes the characters to a stream.
  template <character_stream Stream>
  friend Stream& operator<<(Stream& stream, const text& t) {
    return stream << t.view();
  }

 private:
  table<char> characters_;
};

}  // namespace wf
