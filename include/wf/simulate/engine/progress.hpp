// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

namespace wf {

/// How far a simulation has come.
struct sim_progress {
  std::int64_t now = 0;        ///< the clock, in ticks
  std::uint64_t finished = 0;  ///< activities that have ended; of a network, events handled
  std::uint64_t of = 0;        ///< all activities; 0 for a network, whose end nobody knows
};

/// An observer of a simulation that is told its progress, and returns false to stop it.
template <class Observer>
concept progress_observer = requires(Observer& observer, const sim_progress& progress) {
  { observer.go_on(progress) } -> std::convertible_to<bool>;
};

namespace sim {

/// Asks an observer, between two ticks, whether to go on: at the first tick, and then whenever
/// `interval` more activities have ended, which takes some milliseconds. So a simulation is asked
/// at the same ticks on every machine. Observers without `go_on` cost nothing.
class progress_clock {
 public:
  /// Activities between two questions.
  static constexpr std::uint64_t interval = 16'384;

  /// False if the observer stops the simulation.
  template <class Observer>
  constexpr bool go_on(Observer& observer, const sim_progress& now) {
    if constexpr (progress_observer<Observer>) {
      if (now.finished < next_) return true;
      next_ = now.finished + interval;
      return observer.go_on(now);
    }
    return true;
  }

 private:
  std::uint64_t next_ = 0;
};

}  // namespace sim

}  // namespace wf
