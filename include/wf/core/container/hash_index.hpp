// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

namespace detail {

// Open addressing with linear probing: the first slot at or behind the one of a hash for which
// `ends(slot)` holds. The number of slots is a power of two, and some slot must end the search.
template <class Slot, class Ends>
constexpr std::size_t probe(view<Slot> slots, std::size_t hash, Ends&& ends) {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = hash & mask;
  while (!ends(slots[at])) at = (at + 1) & mask;
  return at;
}

}  // namespace detail

/// An index of numbered entries by their hashes: open addressing, at most half full, 8 bytes a
/// slot.
///
/// It keeps numbers and 32 bits of each hash; the owner keeps the entries and decides which are the
/// same. Of several entries of one hash the first inserted is met first, whatever was inserted
/// between. Hashes may differ in any of their bits.
class hash_index {
 public:
  /// The null number: no entry.
  static constexpr std::uint32_t none = UINT32_MAX;

  /// Number of entries.
  constexpr std::size_t size() const { return size_; }
  /// Makes room for a number of entries, so that inserting them moves nothing. O(entries).
  constexpr void reserve(std::size_t entries) {
    std::size_t slots = slots_.empty() ? 16 : slots_.size();
    while (slots < 2 * entries) slots *= 2;
    if (slots != slots_.size()) resize(slots);
  }
  /// Forgets all entries, but keeps their room. O(slots).
  constexpr void clear() {
    for (std::uint64_t& s : slots_) s = 0;
    size_ = 0;
  }

  /// The number of the first entry with this hash for which `same(number)` holds, or `none`.
  /// Entries of other hashes are asked about, too, one in 2^32. Expected O(1).
  template <class Same>
  constexpr std::uint32_t find(std::uint64_t hash, Same&& same) const {
    if (slots_.empty()) return none;
    const std::uint64_t tag = tag_of(hash);
    const std::size_t at = detail::probe(view<std::uint64_t>(slots_), tag, [&](std::uint64_t s) {
      return s == 0 || (s >> 32 == tag && same(number_in(s)));
    });
    return number_in(slots_[at]);
  }

  /// Adds an entry, whose number is not `none`, behind those of its hash. Amortised O(1).
  constexpr void insert(std::uint64_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) resize(slots_.empty() ? 16 : 2 * slots_.size());
    place(slot_of(tag_of(hash), number));
    ++size_;
  }

  /// Changes the number of an entry from `from` to `to`. Expected O(1).
  constexpr void renumber(std::uint64_t hash, std::uint32_t from, std::uint32_t to) {
    const std::uint64_t tag = tag_of(hash), wanted = slot_of(tag, from);
    const auto is_wanted = [&](std::uint64_t s) { return s == wanted; };
    slots_[detail::probe(view<std::uint64_t>(slots_), tag, is_wanted)] = slot_of(tag, to);
  }

 private:
  // A slot has the tag of a hash in its high half, and the number + 1 in its low half; 0 is free.
  static constexpr std::uint64_t slot_of(std::uint64_t tag, std::uint32_t number) {
    return tag << 32 | (number + 1U);
  }
  static constexpr std::uint32_t number_in(std::uint64_t slot) {
    return static_cast<std::uint32_t>(slot) - 1U;  // `none` in a free slot
  }
  // Folds the halves of a hash, and spreads close hashes: the multiplier is 2^64 / golden ratio.
  static constexpr std::uint64_t tag_of(std::uint64_t hash) {
    return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15ULL >> 32;
  }
  constexpr void place(std::uint64_t s) {
    slots_[detail::probe(view<std::uint64_t>(slots_), s >> 32,
                         [](std::uint64_t other) { return other == 0; })] = s;
  }
  constexpr void resize(std::size_t count) {
    table<std::uint64_t> old(count);
    old.swap(slots_);
    if (size_ == 0) return;
    // From behind a free slot on, entries stand in the order in which a search meets them.
    std::size_t from = 0;
    while (old[from] != 0) ++from;
    for (std::size_t i = 1; i < old.size(); ++i)
      if (const std::uint64_t s = old[(from + i) & (old.size() - 1)]; s != 0) place(s);
  }

  table<std::uint64_t> slots_;
  std::size_t size_ = 0;
};

}  // namespace wf
