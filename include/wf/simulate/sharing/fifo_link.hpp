// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>

namespace wf {

/// The time interval of one transfer over links, in the simulation's unit.
struct transit {
  /// Time at which it acquired the links.
  std::int64_t begin = 0;
  /// Arrival time of the last byte.
  std::int64_t end = 0;

  friend constexpr bool operator==(const transit&, const transit&) = default;
};

/// A directed link with first-come-first-served service and store-and-forward transfer: a message
/// occupies it for ⌈bytes / bandwidth⌉ and arrives `latency` later.
struct fifo_link {
  /// Bytes per unit of time; 0: unlimited, a message takes the latency alone.
  std::int64_t bandwidth = 0;
  std::int64_t latency = 0;  ///< time from the last byte sent to its arrival
  /// Time from which on the link is free.
  std::int64_t free_from = 0;

  /// Sends a message that is available at `now`, and moves `free_from`. Saturates at the largest
  /// time.
  constexpr transit send(std::int64_t now, std::int64_t bytes) {
    const std::int64_t begin = now < free_from ? free_from : now;
    const std::int64_t held = bandwidth == 0 ? 0 : detail::ceil_div(bytes, bandwidth);
    free_from = saturating_add(begin, held);
    return {begin, saturating_add(free_from, latency)};
  }
};

}  // namespace wf
