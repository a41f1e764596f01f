// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>
#include <ctime>

namespace wf {

/// A point in time or a duration, in nanoseconds.
struct run_time {
  /// Wall-clock time in nanoseconds, from an arbitrary origin.
  std::int64_t wall = 0;
  /// CPU time of the thread, in nanoseconds.
  std::int64_t cpu = 0;

  /// Adds wall and CPU time.
  constexpr run_time& operator+=(run_time more) {
    wall += more.wall;
    cpu += more.cpu;
    return *this;
  }
  /// Subtracts wall and CPU time.
  constexpr run_time& operator-=(run_time less) {
    wall -= less.wall;
    cpu -= less.cpu;
    return *this;
  }
  friend constexpr run_time operator+(run_time a, run_time b) { return a += b; }
  friend constexpr run_time operator-(run_time a, run_time b) { return a -= b; }
  friend constexpr bool operator==(const run_time&, const run_time&) = default;
};

/// A clock of tracers: a callable that returns a `run_time` and never goes backwards.
template <class C>
concept run_clock_type = requires(C& clock) {
  { clock() } -> std::same_as<run_time>;
};

/// The clock of this machine: a steady wall clock (the time of day, if the system has none), and
/// the CPU time of the calling thread (of the process, if the system has no thread clock). Threads
/// that a step starts do not count towards its CPU time.
struct run_clock {
  /// The current wall and CPU time.
  run_time operator()() const { return {wall_time(), cpu_time()}; }

 private:
  // Not <chrono>: with it `report.hpp` takes 1.7 times as long to include.
  static constexpr std::int64_t second = 1'000'000'000;

  static std::int64_t nanoseconds(const std::timespec& t) {
    return std::int64_t{t.tv_sec} * second + std::int64_t{t.tv_nsec};
  }
  static std::int64_t wall_time() {
    std::timespec now{};
#ifdef CLOCK_MONOTONIC
    if (clock_gettime(CLOCK_MONOTONIC, &now) == 0) return nanoseconds(now);
#endif
    (void)std::timespec_get(&now, TIME_UTC);
    return nanoseconds(now);
  }
  static std::int64_t cpu_time() {
#ifdef CLOCK_THREAD_CPUTIME_ID
    std::timespec now{};
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0) return nanoseconds(now);
#endif
    return std::int64_t{std::clock()} * (second / CLOCKS_PER_SEC);
  }
};

}  // namespace wf
