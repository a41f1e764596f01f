// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace wf::detail {

/// Word of a bit set: sets of small integers are rows of 64-bit words, whose width the caller
/// knows.
using word = std::uint64_t;

/// Number of words in a row for members below `size`.
constexpr std::uint32_t words_for(std::size_t size) {
  return static_cast<std::uint32_t>((size + 63) / 64);
}
/// True if `member` is in the row.
constexpr bool has_bit(const word* row, std::size_t member) {
  return (row[member >> 6] >> (member & 63)) & 1;
}
/// Inserts `member` into the row.
constexpr void set_bit(word* row, std::size_t member) {
  row[member >> 6] |= word{1} << (member & 63);
}
/// Removes `member` from the row.
constexpr void clear_bit(word* row, std::size_t member) {
  row[member >> 6] &= ~(word{1} << (member & 63));
}
/// True if the rows have a member in common.
constexpr bool overlaps(const word* a, const word* b, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i)
    if (a[i] & b[i]) return true;
  return false;
}
/// Adds the members of `from` to `to`.
constexpr void unite(word* to, const word* from, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) to[i] |= from[i];
}
/// Calls `f(member)` for each member in ascending order.
template <class F>
constexpr void each_bit(const word* row, std::size_t words, F&& f) {
  for (std::size_t i = 0; i < words; ++i)
    for (word rest = row[i]; rest != 0; rest &= rest - 1)
      f(static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(rest)));
}

}  // namespace wf::detail
