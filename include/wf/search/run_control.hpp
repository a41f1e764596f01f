// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/search/control.hpp>

namespace wf {

/// When a running search reports, when it has to stop before its proof, and why it did: its limits,
/// its callback, and which of the two ended it. Every search loop has one and asks it between two
/// units of work. The loop counts its nodes and steps itself: only it knows what they are.
class run_control {
 public:
  /// A run within limits that are resolved.
  constexpr explicit run_control(const search_limits& limits) : limits_(limits) {}

  /// The limits of the run.
  constexpr const search_limits& limits() const { return limits_; }
  /// True if the run has to end.
  constexpr bool stopped() const { return stopped_; }
  /// The reason why it has to end, the first one if there are several: `stopped_by_limit` or
  /// `stopped_by_caller`. The former if it does not have to.
  constexpr search_status reason() const { return reason_; }

  /// Ends the run for a reason that `reason` names.
  constexpr void stop(search_status why) {
    if (!stopped_) reason_ = why;
    stopped_ = true;
  }
  /// Ends the run if so many nodes, steps or open states reach a limit; false if it has to end.
  constexpr bool is_within(std::uint64_t nodes, std::uint64_t steps, std::uint64_t open = 0) {
    if (!stopped_ && limits_.reached_by(nodes, steps, open)) stop(search_status::stopped_by_limit);
    return !stopped_;
  }

  /// Makes a report due at once, as after a better incumbent.
  constexpr void announce() { announced_ = true; }
  /// True if a report is due after so many nodes: the first one, an announced one, or one an
  /// interval after the last.
  constexpr bool is_due(std::uint64_t nodes) const { return announced_ || nodes >= next_; }
  /// Reports, due or not; false if the run has to end, as it does if the callback returns false.
  template <class Callback>
  constexpr bool report(Callback& callback, const search_progress& now) {
    announced_ = false;
    next_ = now.nodes + limits_.progress_interval;
    if (!callback(now)) stop(search_status::stopped_by_caller);
    return !stopped_;
  }

  /// The question between two nodes: checks the limits, then reports if that is due. `snapshot()`
  /// is the progress, with the same number of nodes. False if the run has to end.
  template <class Callback, class Snapshot>
  constexpr bool go_on(std::uint64_t nodes, std::uint64_t steps, std::uint64_t open,
                       Callback& callback, Snapshot snapshot) {
    if (!is_within(nodes, steps, open)) return false;
    return !is_due(nodes) || report(callback, snapshot());
  }

 private:
  search_limits limits_;
  std::uint64_t next_ = 0;
  search_status reason_ = search_status::stopped_by_limit;
  bool stopped_ = false, announced_ = false;
};

}  // namespace wf
