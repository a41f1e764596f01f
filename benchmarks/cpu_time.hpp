// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace wf_benchmark {

/// Seconds of a clock.
inline double seconds_of(clockid_t clock) {
  std::timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
/// CPU seconds of this thread.
inline double thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
/// CPU seconds of this process.
inline double process_seconds() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

inline double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  const std::size_t half = of.size() / 2;
  return of.size() % 2 == 1 ? of[half] : (of[half - 1] + of[half]) / 2;
}

}  // namespace wf_benchmark
