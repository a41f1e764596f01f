// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/heap.hpp>

namespace wf {

/// Something that happens at a time.
template <class Event>
struct timed_event {
  /// When, in cycles or nanoseconds.
  std::int64_t time = 0;
  /// The how-manieth event of its queue it is.
  std::uint64_t number = 0;
  Event event{};  ///< what happens
};

/// The future of a discrete-event simulation: events leave by time, those of equal time in the
/// order in which they came, so a run is the same everywhere. Time is an integer.
template <class Event>
class event_queue {
 public:
  /// True if nothing is to come.
  constexpr bool empty() const { return heap_.empty(); }
  /// The number of events to come.
  constexpr std::size_t size() const { return heap_.size(); }
  /// The time of the last event that left; 0 before.
  constexpr std::int64_t now() const { return now_; }
  /// The number of events that have left.
  constexpr std::uint64_t processed() const { return processed_; }

  /// Adds an event; a time before `now()` means now. O(log size).
  constexpr void push(std::int64_t time, Event event) {
    heap_.push({time < now_ ? now_ : time, count_++, static_cast<Event&&>(event)});
  }
  /// Removes and returns the next event, which there must be, and moves the clock to it. O(log
  /// size).
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
