// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/callable.hpp>

namespace wf {

/// Makes a long computation stoppable: the computation reports its elementary steps, and after a
/// fixed number of them the watch asks a callable whether to go on. Once the callable has returned
/// false it is not asked again, and the computation has to end. The watch counts steps, not time,
/// so the work between two questions is the same on every machine. Not thread-safe.
class search_watch {
 public:
  /// Steps between two questions, or more if more are reported at once: about a millisecond if a
  /// step takes a few nanoseconds.
  static constexpr std::uint64_t interval = 200'000;

  /// A watch that never stops the computation.
  constexpr search_watch() = default;
  /// A watch that asks `ask`, which must outlive it.
  constexpr explicit search_watch(const callable<bool>& ask) : ask_(&ask) {}

  /// Reports `steps` more steps; false if the computation has to stop.
  constexpr bool go_on(std::uint64_t steps) {
    steps_ += steps;
    if (steps_ - asked_ < interval || stopped_ || ask_ == nullptr) return !stopped_;
    asked_ = steps_;
    stopped_ = !(*ask_)();
    return !stopped_;
  }
  /// True if the computation has to stop.
  constexpr bool stopped() const { return stopped_; }
  /// The number of all reported steps.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  const callable<bool>* ask_ = nullptr;
  std::uint64_t steps_ = 0, asked_ = 0;
  bool stopped_ = false;
};

namespace detail {

/// Reports steps to a watch that may be null; false if the computation has to stop.
constexpr bool go_on(search_watch* watch, std::uint64_t steps) {
  return watch == nullptr || watch->go_on(steps);
}

}  // namespace detail
}  // namespace wf
