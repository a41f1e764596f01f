// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// A set of indices below a bound that gives out the smallest one first: a tree of words of 64
/// bits, in which a bit stands for a word below it that is not empty. O(bound) bits.
class index_queue {
 public:
  constexpr index_queue() = default;
  /// The empty set of indices below `bound`.
  constexpr explicit index_queue(std::size_t bound) {
    do {
      bound = (bound + 63) / 64;
      levels_.push_back(table<std::uint64_t>(bound));
    } while (bound > 1);
  }

  /// True if there is no index.
  constexpr bool empty() const { return size_ == 0; }
  /// Number of indices.
  constexpr std::size_t size() const { return size_; }
  /// Adds an index that is not there. O(log bound / 6).
  constexpr void add(std::uint32_t index) {
    ++size_;
    std::size_t at = index;
    for (table<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[at / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (at % 64);
      if (!was_empty) return;
      at /= 64;
    }
  }
  /// Removes the smallest index, which must exist, and returns it. O(log bound / 6).
  constexpr std::uint32_t take() {
    --size_;
    std::size_t at = 0;
    for (std::size_t k = levels_.size(); k-- > 0;)
      at = 64 * at + static_cast<std::size_t>(std::countr_zero(levels_[k][at]));
    std::size_t left = at;
    for (table<std::uint64_t>& level : levels_) {
      std::uint64_t& word = level[left / 64];
      word &= ~(std::uint64_t{1} << (left % 64));
      if (word != 0) break;
      left /= 64;
    }
    return static_cast<std::uint32_t>(at);
  }

 private:
  table<table<std::uint64_t>> levels_;  // the lowest first; the highest has one word
  std::size_t size_ = 0;
};

}  // namespace wf
