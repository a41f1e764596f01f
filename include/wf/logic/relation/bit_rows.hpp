// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>
#include <wf/core/container/table.hpp>

namespace wf::logic::detail {

/// A matrix of bits whose rows begin with a word of 64.
class bit_rows {
 public:
  constexpr bit_rows() = default;
  constexpr bit_rows(std::size_t rows, std::size_t columns)
      : rows_(rows),
        columns_(columns),
        width_(wf::detail::words_for(columns)),
        words_(rows * width_) {}

  constexpr std::size_t rows() const { return rows_; }
  constexpr std::size_t columns() const { return columns_; }
  /// Number of words in a row.
  constexpr std::size_t width() const { return width_; }
  constexpr bool empty() const { return words_.empty(); }
  constexpr std::uint64_t* row(std::size_t r) { return words_.data() + r * width_; }
  constexpr const std::uint64_t* row(std::size_t r) const { return words_.data() + r * width_; }

  constexpr bool test(std::size_t r, std::size_t c) const { return wf::detail::has_bit(row(r), c); }
  /// Sets a bit; true if it was not set before.
  constexpr bool set(std::size_t r, std::size_t c) {
    const bool fresh = !test(r, c);
    wf::detail::set_bit(row(r), c);
    return fresh;
  }
  /// Number of bits that are set.
  constexpr std::size_t count() const {
    std::size_t n = 0;
    for (const std::uint64_t w : words_)
      if (w != 0) n += static_cast<std::size_t>(std::popcount(w));
    return n;
  }

 private:
  std::size_t rows_ = 0, columns_ = 0, width_ = 0;
  table<std::uint64_t> words_;
};

/// Exchanges bit j of word i and bit i of word j, for 64 words. Source: Warren 2002, 7-3.
constexpr void transpose_block(std::uint64_t* words) {
  std::uint64_t mask = 0x00000000ffffffff;
  for (unsigned gap = 32; gap != 0; gap >>= 1, mask ^= mask << gap)
    for (unsigned i = 0; i < 64; i = (i + gap + 1) & ~gap) {
      const std::uint64_t change = (words[i] >> gap ^ words[i + gap]) & mask;
      words[i] ^= change << gap;
      words[i + gap] ^= change;
    }
}
/// The matrix whose rows are the columns of another one. O(rows · columns · log 64 / 64).
constexpr bit_rows transposed(const bit_rows& from) {
  bit_rows to(from.columns(), from.rows());
  std::uint64_t block[64] = {};
  for (std::size_t r = 0; r < from.rows(); r += 64)
    for (std::size_t w = 0; w < from.width(); ++w) {
      std::uint64_t any = 0;
      for (std::size_t i = 0; i < 64; ++i) {
        block[i] = r + i < from.rows() ? from.row(r + i)[w] : 0;
        any |= block[i];
      }
      if (any == 0) continue;
      transpose_block(block);
      for (std::size_t i = 0; i < 64 && 64 * w + i < from.columns(); ++i)
        to.row(64 * w + i)[r / 64] = block[i];
    }
  return to;
}

}  // namespace wf::logic::detail
