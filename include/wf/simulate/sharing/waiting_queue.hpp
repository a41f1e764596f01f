// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/engine.hpp>

namespace wf::sim {

/// A request in a queue.
struct waiting_request {
  request what;              ///< the request
  std::uint64_t number = 0;  ///< the order of arrival

  /// True if `a` is served before `b`: it has the larger priority, or an equal one and came before.
  friend constexpr bool operator<(const waiting_request& a, const waiting_request& b) {
    return a.what.priority != b.what.priority ? a.what.priority > b.what.priority
                                              : a.number < b.number;
  }
};

/// Requests by falling priority, those of equal priority in the order of arrival. Requests of the
/// priority of the first one are a plain queue, O(1); others are in a heap, O(log size).
class waiting_queue {
 public:
  /// True if nothing waits.
  constexpr bool empty() const { return first_ == equal_.size() && others_.empty(); }
  /// Number of requests that wait.
  constexpr std::size_t size() const { return equal_.size() - first_ + others_.size(); }
  /// Adds a request that came after all others.
  constexpr void push(const waiting_request& w) {
    if (first_ == equal_.size()) {
      equal_.clear();
      first_ = 0;
    }
    if (equal_.empty() || equal_[first_].what.priority == w.what.priority)
      equal_.push_back(w);
    else
      others_.push(w);
  }
  /// The request to be served next. Precondition: not empty.
  constexpr const waiting_request& front() const {
    return is_other_first() ? others_.top() : equal_[first_];
  }
  /// Removes and returns the request to be served next. Precondition: not empty.
  constexpr waiting_request pop() {
    if (is_other_first()) return others_.pop();
    const waiting_request next = equal_[first_++];
    // Half of the storage is past: keep the rest only, so that a queue that never empties stays as
    // small as what waits.
    if (first_ >= 64 && 2 * first_ >= equal_.size()) {
      const std::size_t rest = equal_.size() - first_;
      for (std::size_t i = 0; i < rest; ++i) equal_[i] = equal_[first_ + i];
      while (equal_.size() > rest) equal_.pop_back();
      first_ = 0;
    }
    return next;
  }

 private:
  constexpr bool is_other_first() const {
    return first_ == equal_.size() || (!others_.empty() && others_.top() < equal_[first_]);
  }

  table<waiting_request> equal_;
  std::size_t first_ = 0;
  binary_heap<waiting_request> others_;
};

}  // namespace wf::sim
