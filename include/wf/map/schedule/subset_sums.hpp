// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace wf::detail {

/// The sums of the subsets of some numbers, as a bit set below 64 · `most_words`. An addition costs
/// O(words). Source: the dynamic programme of Bellman for subset sums.
class reachable_sums {
 public:
  /// Largest size of the set in words.
  static constexpr std::size_t most_words = 64;
  /// Starts anew with the empty set, for sums below 64 · words.
  constexpr void clear(std::size_t words) {
    words_ = words;
    for (std::size_t i = 0; i < words; ++i) bits_[i] = 0;
    bits_[0] = 1;
  }
  /// Adds a number, which is not 0 and below the limit of sums.
  constexpr void add(std::size_t units) {
    const std::size_t far = units / 64, near = units % 64;
    for (std::size_t i = words_; i-- > far;) {
      std::uint64_t moved = bits_[i - far] << near;
      if (near != 0 && i > far) moved |= bits_[i - far - 1] >> (64 - near);
      bits_[i] |= moved;
    }
  }
  /// The largest reachable sum of at most `units`.
  constexpr std::size_t below(std::size_t units) const {
    std::size_t i = units / 64;
    std::uint64_t word = bits_[i] & ~std::uint64_t{0} >> (63 - units % 64);
    while (word == 0) word = bits_[--i];
    return 64 * i + 63 - static_cast<std::size_t>(std::countl_zero(word));
  }

 private:
  std::uint64_t bits_[most_words]{};
  std::size_t words_ = 1;
};

}  // namespace wf::detail
