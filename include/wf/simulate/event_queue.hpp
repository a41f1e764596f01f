// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/heap.hpp>

namespace wf {

/// An event with its time stamp.
template <class Event>
struct timed_event {
  /// Time in the simulation's unit: cycles or nanoseconds.
  std::int64_t time = 0;
  /// Insertion number in its queue; events of equal time leave in this order.
  std::uint64_t number = 0;
  Event event{};  ///< the payload
};

/// The event queue of a discrete-event simulation: events leave in the order of time, those of
/// equal time in the order of insertion, so a run is deterministic on every platform. Time is an
/// integer.
template <class Event>
class event_queue {
 public:
  /// True if no event is pending.
  constexpr bool empty() const { return heap_.empty(); }
  /// Number of pending events.
  constexpr std::size_t size() const { return heap_.size(); }
  /// The simulation clock: the time of the last event popped; 0 before the first.
  constexpr std::int64_t now() const { return now_; }
  /// Number of events popped so far.
  constexpr std::uint64_t processed() const { return processed_; }

  /// Inserts an event; a time before `now()` is raised to `now()`. O(log size).
  constexpr void push(std::int64_t time, Event event) {
    heap_.push({time < now_ ? now_ : time, count_++, static_cast<Event&&>(event)});
  }
  /// Removes and returns the earliest event and sets the clock to its time. Precondition: not
  /// empty. O(log size).
  constexpr timed_event<Event> pop() {
    timed_event<Event> next = heap_.pop();
    now_ = next.time;
    ++processed_;
    return next;
  }

 private:
  struct sooner {
    constexpr bool operator()(const timed_event<Event>& a, const timed_event<Event>& b) const {
      return a.time != b.time ? a.time < b.time : a.number < b.number;
    }
  };
  binary_heap<timed_event<Event>, sooner> heap_;
  std::int64_t now_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t processed_ = 0;
};

}  // namespace wf
