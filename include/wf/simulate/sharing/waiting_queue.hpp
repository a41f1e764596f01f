// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/engine/engine.hpp>
#include <wf/simulate/engine/fifo.hpp>

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
  constexpr bool empty() const { return equal_.empty() && others_.empty(); }
  /// Number of requests that wait.
  constexpr std::size_t size() const { return equal_.size() + others_.size(); }
  /// Adds a request that came after all others.
  constexpr void push(const waiting_request& w) {
    if (equal_.empty() || equal_.front().what.priority == w.what.priority)
      equal_.push(w);
    else
      others_.push(w);
  }
  /// The request to be served next. Precondition: not empty.
  constexpr const waiting_request& front() const {
    return is_other_first() ? others_.top() : equal_.front();
  }
  /// Removes and returns the request to be served next. Precondition: not empty.
  constexpr waiting_request pop() { return is_other_first() ? others_.pop() : equal_.pop(); }

 private:
  constexpr bool is_other_first() const {
    return equal_.empty() || (!others_.empty() && others_.top() < equal_.front());
  }

  fifo<waiting_request> equal_;
  binary_heap<waiting_request> others_;
};

}  // namespace wf::sim
