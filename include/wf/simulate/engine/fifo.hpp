// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/container/table.hpp>

namespace wf {

/// A queue: records leave in the order in which they came. Storage is that of a table, at most
/// twice what the queue holds (and 64 records).
template <class T>
class fifo {
 public:
  /// True if the queue has no record.
  constexpr bool empty() const { return first_ == records_.size(); }
  /// Number of records.
  constexpr std::size_t size() const { return records_.size() - first_; }
  /// The record that leaves next; the queue must not be empty.
  constexpr const T& front() const { return records_[first_]; }
  /// The record that came last; the queue must not be empty.
  constexpr const T& back() const { return records_.back(); }
  /// The i-th record from the front.
  constexpr const T& operator[](std::size_t i) const { return records_[first_ + i]; }

  /// Adds a record. Amortised O(1).
  constexpr void push(T record) {
    if (empty()) {
      records_.clear();
      first_ = 0;
    }
    records_.push_back(static_cast<T&&>(record));
  }
  /// Removes and returns the front; the queue must not be empty. Amortised O(1).
  constexpr T pop() {
    T out = static_cast<T&&>(records_[first_++]);
    if (first_ >= 64 && 2 * first_ >= records_.size()) {
      const std::size_t rest = size();
      for (std::size_t i = 0; i < rest; ++i) records_[i] = static_cast<T&&>(records_[first_ + i]);
      while (records_.size() > rest) records_.pop_back();
      first_ = 0;
    }
    return out;
  }

 private:
  table<T> records_;
  std::size_t first_ = 0;
};

}  // namespace wf
