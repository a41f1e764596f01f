// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf {

/// Records with stable indices, which are used again: the index released last is the next one.
template <class T>
class pool {
 public:
  /// An index that is not in use. Its record is a default one, or as it was when it was released.
  /// Amortised O(1).
  constexpr std::uint32_t acquire() {
    if (free_.empty()) {
      records_.push_back({});
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  /// Stores a record and returns its index. Amortised O(1).
  constexpr std::uint32_t add(T record) {
    const std::uint32_t index = acquire();
    records_[index] = static_cast<T&&>(record);
    return index;
  }
  /// Gives an index back, which must be in use; its record stays readable until it is used again.
  constexpr void release(std::uint32_t index) { free_.push_back(index); }

  /// The record of an index.
  constexpr T& operator[](std::uint32_t index) { return records_[index]; }
  /// The record of an index that does not change.
  constexpr const T& operator[](std::uint32_t index) const { return records_[index]; }
  /// Number of records in use.
  constexpr std::size_t in_use() const { return records_.size() - free_.size(); }
  /// All records, also those of indices that are not in use.
  constexpr view<T> records() const { return records_; }

 private:
  table<T> records_;
  table<std::uint32_t> free_;
};

}  // namespace wf
