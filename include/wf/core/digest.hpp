// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <compare>
#include <cstdint>

#include <wf/core/text/hexadecimal.hpp>

namespace wf {

/// A 128-bit digest of some content, the same on every compiler and platform.
struct digest128 {
  std::uint64_t high = 0;  ///< the more significant half
  std::uint64_t low = 0;   ///< the less significant half

  friend constexpr bool operator==(const digest128&, const digest128&) = default;
  /// The order of the 128-bit numbers, as for sorted containers.
  friend constexpr std::strong_ordering operator<=>(const digest128&, const digest128&) = default;
};

/// The digest as 32 hexadecimal digits, most significant first.
constexpr text to_text(const digest128& d) {
  text out;
  detail::append_hexadecimal(out, d.high, 16);
  detail::append_hexadecimal(out, d.low, 16);
  return out;
}

/// A 128-bit digest under construction, for content whose digests must not collide (`hasher` serves
/// tables in memory). Stable across compilers, platforms and runs, cheap in constant evaluation.
/// Not for adversarial input.
///
/// Two lanes of 64 bits. Each lane is a bijection of the word folded in, so that no two words
/// collide in either; `value` mixes the lanes by the finaliser of SplitMix64 (Steele, Lea, Flood:
/// "Fast splittable pseudorandom number generators", 2014).
class hasher128 {
 public:
  /// `tag` separates digests of different kinds of content.
  constexpr explicit hasher128(char tag) { word(static_cast<std::uint64_t>(tag)); }

  /// Folds in one integer.
  constexpr hasher128& word(std::uint64_t w) {
    a_ = (a_ ^ w) * 0x9e3779b97f4a7c15U, a_ ^= a_ >> 32;
    b_ = std::rotl(b_ + w, 31) * 0xd6e8feb86659fd93U, b_ ^= b_ >> 29;
    return *this;
  }
  /// Folds in another digest.
  constexpr hasher128& fold(const digest128& d) { return word(d.high).word(d.low); }
  /// Folds in characters, eight per word, and their number. O(size).
  constexpr hasher128& characters(text_view t) {
    std::uint64_t packed = t.size();
    for (std::size_t i = 0; i < t.size(); ++i) {
      if ((i & 7) == 0) word(packed), packed = 0;
      packed = (packed << 8) | static_cast<unsigned char>(t[i]);
    }
    return word(packed);
  }
  /// The digest of everything folded in so far.
  constexpr digest128 value() const {
    const std::uint64_t a = mix(a_ + std::rotl(b_, 17)), b = mix(b_ ^ a);
    return {a + b, b};
  }

 private:
  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
  }

  std::uint64_t a_ = 0x243f6a8885a308d3U;  // the first digits of pi
  std::uint64_t b_ = 0x13198a2e03707344U;
};

}  // namespace wf
