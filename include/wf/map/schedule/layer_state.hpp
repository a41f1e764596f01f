// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/bits.hpp>

namespace wf::detail {

// Layout of a state in a table of words: hash, priority, origin (parent and task), time and number
// of running tasks, next state of the same row, the row of bits of started tasks, and the running
// tasks (finish · 2^12 + task) in ascending order.
struct layer_state {
  static constexpr std::size_t hash = 0, priority = 1, origin = 2, time = 3, next = 4, row = 5;
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr unsigned task_bits = 12;
  static constexpr word task_mask = (word{1} << task_bits) - 1;
  static constexpr word dropped = INT64_MAX;  // priority of a dominated state

  static constexpr std::int64_t finish_of(word run) {
    return static_cast<std::int64_t>(run >> task_bits);
  }
  static constexpr std::uint32_t task_of(word run) {
    return static_cast<std::uint32_t>(run & task_mask);
  }
  static constexpr word run_of(std::int64_t finish, std::uint32_t task) {
    return static_cast<word>(finish) << task_bits | task;
  }
  static constexpr std::int64_t time_of(const word* s) {
    return static_cast<std::int64_t>(s[time] >> task_bits);
  }
  static constexpr std::uint32_t running(const word* s) {
    return static_cast<std::uint32_t>(s[time] & task_mask);
  }
};

/// The sort key of the states of a layer: priority, then a hash of the state as a pseudorandom but
/// deterministic tie-breaker.
struct layer_key {
  std::int64_t priority = 0;
  word tie = 0;

  friend constexpr bool operator==(const layer_key&, const layer_key&) = default;
  friend constexpr bool operator<(const layer_key& a, const layer_key& b) {
    return a.priority != b.priority ? a.priority < b.priority : a.tie < b.tie;
  }
};

/// The key interval [low, high) of the states of a layer that a pass visits.
struct layer_window {
  layer_key low{INT64_MIN, 0}, high{INT64_MAX, 0};

  constexpr bool is_cut() const { return high.priority != INT64_MAX; }
};

}  // namespace wf::detail
