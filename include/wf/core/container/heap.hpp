// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>

#include <wf/core/container/table.hpp>

namespace wf {

namespace detail {

struct ascending {
  template <class T>
  constexpr bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};

}  // namespace detail

/// A binary min-heap: `Before{}(a, b)` is true if `a` must leave before `b`; by default, if it is
/// less. For a strict total order the sequence of departures is the same on every platform.
template <class T, class Before = detail::ascending>
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
  /// Makes room for a number of records.
  constexpr void reserve(std::size_t count) { records_.reserve(count); }

  /// Adds a record. O(log size).
  constexpr void push(T record) {
    records_.push_back(static_cast<T&&>(record));
    T* const heap = records_.data();
    std::size_t hole = records_.size() - 1;
    T moving = static_cast<T&&>(heap[hole]);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!Before{}(moving, heap[parent])) break;
      heap[hole] = static_cast<T&&>(heap[parent]);
      hole = parent;
    }
    heap[hole] = static_cast<T&&>(moving);
  }

  /// Removes and returns the record that leaves next; the heap must not be empty. O(log size).
  constexpr T pop() {
    T* const heap = records_.data();
    T out = static_cast<T&&>(heap[0]);
    T moving = static_cast<T&&>(records_.back());
    records_.pop_back();
    const std::size_t size = records_.size();
    if (size == 0) return out;
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && Before{}(heap[child + 1], heap[child])) ++child;
      if (!Before{}(heap[child], moving)) break;
      heap[hole] = static_cast<T&&>(heap[child]);
      hole = child;
    }
    heap[hole] = static_cast<T&&>(moving);
    return out;
  }

 private:
  table<T> records_;
};

}  // namespace wf
