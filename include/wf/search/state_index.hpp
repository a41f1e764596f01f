// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// The null state number: "not found" and "empty slot".
inline constexpr std::uint32_t no_state = UINT32_MAX;

/// A hash table from states to their numbers: open addressing, at most half full. It stores hashes
/// and numbers only; the owner keeps the states and decides which are the same.
class state_index {
 public:
  /// Number of stored states.
  constexpr std::size_t size() const { return size_; }

  /// The number of the state with this hash for which `same(number)` holds, or `no_state`.
  /// Expected O(1).
  template <class Same>
  constexpr std::uint32_t find(std::uint64_t hash, Same&& same) const {
    if (slots_.empty()) return no_state;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = spread(hash) & mask;; at = (at + 1) & mask) {
      const slot& s = slots_[at];
      if (s.number == no_state) return no_state;
      if (s.hash == hash && same(s.number)) return s.number;
    }
  }

  /// Adds a state that `find` does not know. Amortised O(1).
  constexpr void insert(std::uint64_t hash, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    place({hash, number});
    ++size_;
  }

  /// Changes the number of a stored state from `from` to `to`. Expected O(1).
  constexpr void renumber(std::uint64_t hash, std::uint32_t from, std::uint32_t to) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = spread(hash) & mask;
    while (slots_[at].number != from) at = (at + 1) & mask;
    slots_[at].number = to;
  }

 private:
  struct slot {
    std::uint64_t hash = 0;
    std::uint32_t number = no_state;
  };

  static constexpr std::size_t spread(std::uint64_t hash) {
    return static_cast<std::size_t>(hash ^ (hash >> 29) ^ (hash >> 47));
  }
  constexpr void place(slot s) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = spread(s.hash) & mask;
    while (slots_[at].number != no_state) at = (at + 1) & mask;
    slots_[at] = s;
  }
  constexpr void grow() {
    table<slot> old;
    old.swap(slots_);
    slots_.resize(old.empty() ? 16 : 2 * old.size());
    for (const slot& s : old)
      if (s.number != no_state) place(s);
  }

  table<slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace wf
