// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/heap.hpp>

namespace wf {

/// A binary min-heap of keys of numbered members, whose keys may change: `Before{}(a, b)` is true
/// if the member with key `a` leaves before that with key `b`. The caller keeps the place of each
/// member, so that many heaps over the same members share one array. A member is in at most one
/// heap of an array; its entry is `absent` if it is in none.
template <class Key, class Before = detail::ascending>
class indexed_heap {
 public:
  /// The entry of a member that is in no heap.
  static constexpr std::uint32_t absent = UINT32_MAX;

  /// True if the heap has no member.
  constexpr bool empty() const { return records_.empty(); }
  /// Number of members.
  constexpr std::size_t size() const { return records_.size(); }
  /// The member that leaves first; the heap must not be empty.
  constexpr std::uint32_t top() const { return records_[0].member; }
  /// The key of `top()`.
  constexpr const Key& key() const { return records_[0].key; }
  /// The least key but that of `top()`; the heap must have two members.
  constexpr const Key& second() const {
    const bool right = records_.size() > 2 && Before{}(records_[2].key, records_[1].key);
    return records_[right ? 2 : 1].key;
  }
  /// The i-th member, in no particular order.
  constexpr std::uint32_t member(std::size_t i) const { return records_[i].member; }

  /// Inserts a member, or changes its key. O(log size).
  constexpr void set(std::uint32_t* places, std::uint32_t member, const Key& key) {
    std::size_t hole = places[member];
    if (hole == absent) {
      hole = records_.size();
      records_.push_back({});
    } else if (Before{}(records_[hole].key, key)) {
      return sink(places, hole, {key, member});
    }
    rise(places, hole, {key, member});
  }
  /// Gives the place and the key of a member to another one, which is in no heap. O(1).
  constexpr void rename(std::uint32_t* places, std::uint32_t from, std::uint32_t to) {
    records_[places[from]].member = to;
    places[to] = places[from];
    places[from] = absent;
  }
  /// Removes a member if it is there. O(log size).
  constexpr void remove(std::uint32_t* places, std::uint32_t member) {
    const std::size_t hole = places[member];
    if (hole == absent) return;
    places[member] = absent;
    const record moved = records_.back();
    records_.pop_back();
    if (hole == records_.size()) return;
    if (Before{}(moved.key, records_[hole].key))
      rise(places, hole, moved);
    else
      sink(places, hole, moved);
  }

 private:
  struct record {
    Key key{};
    std::uint32_t member = 0;
  };

  constexpr void rise(std::uint32_t* places, std::size_t hole, const record& moved) {
    record* const heap = records_.data();
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!Before{}(moved.key, heap[parent].key)) break;
      heap[hole] = heap[parent];
      places[heap[hole].member] = static_cast<std::uint32_t>(hole);
      hole = parent;
    }
    heap[hole] = moved;
    places[moved.member] = static_cast<std::uint32_t>(hole);
  }
  constexpr void sink(std::uint32_t* places, std::size_t hole, const record& moved) {
    record* const heap = records_.data();
    const std::size_t size = records_.size();
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && Before{}(heap[child + 1].key, heap[child].key)) ++child;
      if (!Before{}(heap[child].key, moved.key)) break;
      heap[hole] = heap[child];
      places[heap[hole].member] = static_cast<std::uint32_t>(hole);
      hole = child;
    }
    heap[hole] = moved;
    places[moved.member] = static_cast<std::uint32_t>(hole);
  }

  table<record> records_;
};

}  // namespace wf
