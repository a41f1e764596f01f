// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <utility>

#include <wf/core/container/table.hpp>

namespace wf {

/// A binary min-heap: `Before{}(a, b)` is true if `a` must leave before `b`. For a strict total
/// order the sequence of departures is the same on every platform.
template <class T, class Before>
class binary_heap {
 public:
  /// Number of records.
  constexpr std::size_t size() const { return records_.size(); }
  /// True if the heap has no records.
  constexpr bool empty() const { return records_.empty(); }
  /// The record that leaves next; the heap must not be empty.
  constexpr const T& top() const { return records_[0]; }
  /// The records in no particular order.
  constexpr view<T> records() const { return records_; }
  /// Removes all records.
  constexpr void clear() { records_.clear(); }

  /// Adds a record. O(log size).
  constexpr void push(T record) {
    records_.push_back(std::move(record));
    T* const heap = records_.data();
    std::size_t hole = records_.size() - 1;
    T moving = std::move(heap[hole]);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!Before{}(moving, heap[parent])) break;
      heap[hole] = std::move(heap[parent]);
      hole = parent;
    }
    heap[hole] = std::move(moving);
  }

  /// Removes and returns the record that leaves next; the heap must not be empty. O(log size).
  constexpr T pop() {
    T* const heap = records_.data();
    T out = std::move(heap[0]);
    T moving = std::move(records_.back());
    records_.pop_back();
    const std::size_t size = records_.size();
    if (size == 0) return out;
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && Before{}(heap[child + 1], heap[child])) ++child;
      if (!Before{}(heap[child], moving)) break;
      heap[hole] = std::move(heap[child]);
      hole = child;
    }
    heap[hole] = std::move(moving);
    return out;
  }

 private:
  table<T> records_;
};

}  // namespace wf
