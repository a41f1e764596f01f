// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wf {

/// Termination status of the growth of a choice graph.
enum class growth_status : std::uint8_t {
  saturated,         ///< the transforms propose nothing new
  stopped_by_nodes,  ///< `growth_limits::max_nodes` was reached
  stopped_by_steps,  ///< `growth_limits::max_steps` was reached
  stopped_by_caller  ///< the callback returned false
};

/// The status in words, such as "saturated" or "stopped by the caller".
constexpr const char* to_text(growth_status s) {
  switch (s) {
    case growth_status::saturated:
      return "saturated";
    case growth_status::stopped_by_nodes:
      return "stopped by the limit on nodes";
    case growth_status::stopped_by_steps:
      return "stopped by the limit on steps";
    case growth_status::stopped_by_caller:
      return "stopped by the caller";
  }
  return "unknown";
}

/// Statistics of a growth. All candidates are correct, whatever the status.
struct growth_outcome {
  /// Reason for termination.
  growth_status status = growth_status::saturated;
  /// Number of transform applications.
  std::uint64_t steps = 0;
  /// Number of candidates removed because they became equal to others.
  std::uint32_t merged = 0;
  /// Maximum number of candidates kept per class; 0: all.
  std::uint32_t beam_width = 0;
  /// Number of candidates that the beam dropped.
  std::uint32_t dropped = 0;
  friend constexpr bool operator==(const growth_outcome&, const growth_outcome&) = default;
};

}  // namespace wf
