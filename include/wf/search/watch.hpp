// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/callable.hpp>

namespace wf {

/// Lets a long computation be stopped: it reports its elementary steps, and every so many of them a
/// callable is asked whether to go on. Once that says no, it is not asked again and the computation
/// has to come to its end. Counted in steps and not in time, so that what is done between two
/// questions is the same everywhere. Not for several threads at a time.
class search_watch {
 public:
  /// So many steps pass between two questions, or as many as are reported at once: with steps of a
  /// few nanoseconds a millisecond.
  static constexpr std::uint64_t interval = 200'000;

  /// A watch that never stops.
  constexpr search_watch() = default;
  /// A watch that asks `ask`, which must outlive it.
  constexpr explicit search_watch(const callable<bool>& ask) : ask_(&ask) {}

  /// Reports steps; false if the computation has to stop.
  constexpr bool go_on(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ - asked_ < interval || stopped_ || ask_ == nullptr) return !stopped_;
    asked_ = steps_;
    stopped_ = !(*ask_)();
    return !stopped_;
  }
  /// True if it has to stop.
  constexpr bool stopped() const { return stopped_; }
  /// All steps that were reported.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  const callable<bool>* ask_ = nullptr;
  std::uint64_t steps_ = 0, asked_ = 0;
  bool stopped_ = false;
};

namespace detail {

/// Reports steps to a watch, if there is one; false if the computation has to stop.
constexpr bool go_on(search_watch* watch, std::uint64_t steps) {
  return watch == nullptr || watch->go_on(steps);
}

}  // namespace detail
}  // namespace wf
