// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/table.hpp>

namespace wf {

/// A transposition table in bounded memory: maps descriptions of states, which are sequences of
/// words, to values. Descriptions are stored and compared in full, so a hash collision never
/// confuses two of them. There are two generations; when the memory is used up, the older one is
/// forgotten.
class seen_states {
 public:
  /// An empty table that uses at most `bytes` of memory.
  constexpr explicit seen_states(std::uint64_t bytes) : most_bytes_(bytes / 2) {}

  /// The value of a description, or null if unknown; valid until the next `insert`. Expected
  /// O(words).
  constexpr std::int64_t* find(std::uint64_t hash, view<std::uint32_t> words) {
    if (std::int64_t* value = young_.find(hash, words)) return value;
    return old_.find(hash, words);
  }
  /// Adds a description that `find` does not know; one that exceeds half of the memory is dropped.
  /// Amortised O(words).
  constexpr void insert(std::uint64_t hash, view<std::uint32_t> words, std::int64_t value) {
    if (young_.bytes_with(words.size()) > most_bytes_) {
      old_ = generation();
      std::swap(young_, old_);
      if (young_.bytes_with(words.size()) > most_bytes_) return;
    }
    young_.insert(hash, words, value);
  }
  /// Forgets all descriptions.
  constexpr void clear() {
    young_ = generation();
    old_ = generation();
  }
  /// Number of stored descriptions.
  constexpr std::size_t size() const { return young_.size() + old_.size(); }
  /// The memory in use, in bytes.
  constexpr std::uint64_t bytes() const { return young_.bytes() + old_.bytes(); }

 private:
  struct slot {
    std::uint64_t hash = 0;
    std::int64_t value = 0;
    std::uint32_t chunk = 0;
    std::uint32_t first = 0;  // position of the description in the chunk, after its word count; 0:
                              // empty slot
  };

  // One generation: a hash table over descriptions in chunks, which never move.
  class generation {
   public:
    constexpr generation() = default;
    constexpr generation(generation&&) = default;
    constexpr generation& operator=(generation&& other) {
      slots_.swap(other.slots_);
      chunks_.swap(other.chunks_);
      std::swap(size_, other.size_);
      std::swap(room_, other.room_);
      std::swap(capacity_, other.capacity_);
      return *this;
    }

    constexpr std::size_t size() const { return size_; }
    constexpr std::uint64_t bytes() const {
      return sizeof(slot) * slots_.size() + sizeof(std::uint32_t) * room_;
    }
    // The bytes after one more insertion; growing slots need the old and the new table for a while.
    constexpr std::uint64_t bytes_with(std::size_t words) const {
      const std::uint64_t chunk = fits(words) ? 0 : next_capacity(words);
      return bytes() + sizeof(std::uint32_t) * chunk +
             (is_full() ? sizeof(slot) * next_slots() : 0);
    }
    constexpr std::int64_t* find(std::uint64_t hash, view<std::uint32_t> words) {
      if (slots_.empty()) return nullptr;
      const std::size_t at = detail::probe(view<slot>(slots_), hash, [&](const slot& s) {
        return s.first == 0 || (s.hash == hash && is_same(s, words));
      });
      return slots_[at].first != 0 ? &slots_[at].value : nullptr;
    }
    constexpr void insert(std::uint64_t hash, view<std::uint32_t> words, std::int64_t value) {
      if (is_full()) grow();
      if (!fits(words.size())) {
        capacity_ = next_capacity(words.size());
        room_ += capacity_;
        chunks_.push_back({});
        chunks_.back().reserve(capacity_);
      }
      table<std::uint32_t>& chunk = chunks_.back();
      chunk.push_back(static_cast<std::uint32_t>(words.size()));
      place({hash, value, static_cast<std::uint32_t>(chunks_.size() - 1),
             static_cast<std::uint32_t>(chunk.size())});
      chunk.append(words);
      ++size_;
    }

   private:
    constexpr bool is_full() const { return 2 * (size_ + 1) > slots_.size(); }
    constexpr std::size_t next_slots() const { return slots_.empty() ? 16 : 2 * slots_.size(); }
    constexpr bool fits(std::size_t words) const {
      return !chunks_.empty() && chunks_.back().size() + words < capacity_;
    }
    constexpr std::size_t next_capacity(std::size_t words) const {
      const std::size_t usual = capacity_ == 0 ? 256 : capacity_ < 65536 ? 2 * capacity_ : 65536;
      return words < usual ? usual : words + 1;
    }
    constexpr bool is_same(const slot& s, view<std::uint32_t> words) const {
      const std::uint32_t* const kept = chunks_[s.chunk].data() + s.first;
      if (kept[-1] != words.size()) return false;
      for (std::size_t i = 0; i < words.size(); ++i)
        if (kept[i] != words[i]) return false;
      return true;
    }
    constexpr void place(const slot& s) {
      const auto is_free = [](const slot& other) { return other.first == 0; };
      slots_[detail::probe(view<slot>(slots_), s.hash, is_free)] = s;
    }
    constexpr void grow() {
      table<slot> old(next_slots());
      old.swap(slots_);
      for (const slot& s : old)
        if (s.first != 0) place(s);
    }

    table<slot> slots_;
    table<table<std::uint32_t>> chunks_;
    std::size_t size_ = 0;
    std::uint64_t room_ = 0;    // capacity of all chunks in words
    std::size_t capacity_ = 0;  // capacity of the last chunk in words
  };

  std::uint64_t most_bytes_;
  generation young_, old_;
};

}  // namespace wf
