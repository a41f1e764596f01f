// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/indexed_heap.hpp>

namespace wf::sim {

/// The time after every other.
inline constexpr std::int64_t never = INT64_MAX;

/// The order of completions: by time; at equal times, the activity that started first.
struct completion {
  std::int64_t time = never;  ///< in ticks
  /// Number of activities that the engine started before this one.
  std::uint64_t number = 0;

  friend constexpr bool operator<(const completion& a, const completion& b) {
    return a.time != b.time ? a.time < b.time : a.number < b.number;
  }
  friend constexpr bool operator==(const completion&, const completion&) = default;
};

/// The pending completions of numbered timers, at most one each. O(log size) a change; a timer that
/// is cleared leaves its place to the next one that is set, so that both are one change.
class timer_queue {
 public:
  constexpr timer_queue() = default;
  /// Timers 0 to `timers` - 1, none of them set.
  constexpr explicit timer_queue(std::size_t timers) : places_(timers, heap::absent) {}

  /// True if no timer is set.
  constexpr bool empty() const { return heap_.size() == (vacant_ == none ? 0 : 1); }
  /// Sets a timer, or sets it anew.
  constexpr void set(std::uint32_t timer, const completion& c) {
    if (vacant_ != none && (timer == vacant_ || places_[timer] == heap::absent)) {
      if (timer != vacant_) heap_.rename(places_.data(), vacant_, timer);
      vacant_ = none;
    }
    heap_.set(places_.data(), timer, c);
  }
  /// Clears a timer, if it is set.
  constexpr void clear(std::uint32_t timer) {
    if (timer == vacant_ || places_[timer] == heap::absent) return;
    remove_vacant();
    vacant_ = timer;
  }
  /// The time of the first completion. Precondition: there is one.
  constexpr std::int64_t time() const {
    return heap_.top() == vacant_ ? heap_.second().time : heap_.key().time;
  }
  /// The timer of the first completion. Precondition: there is one.
  constexpr std::uint32_t top() {
    remove_vacant();
    return heap_.top();
  }

 private:
  using heap = indexed_heap<completion>;
  static constexpr std::uint32_t none = UINT32_MAX;

  constexpr void remove_vacant() {
    if (vacant_ == none) return;
    heap_.remove(places_.data(), vacant_);
    vacant_ = none;
  }

  heap heap_;
  table<std::uint32_t> places_;
  std::uint32_t vacant_ = none;  // a timer in the heap that is cleared
};

}  // namespace wf::sim
