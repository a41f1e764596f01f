// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

namespace wf {

/// How the growth of a choice graph ended.
enum class growth_status : std::uint8_t {
  saturated,         ///< nothing that the transforms propose is new
  stopped_by_nodes,  ///< `growth_limits::max_nodes` was reached
  stopped_by_steps,  ///< `growth_limits::max_steps` was reached
  stopped_by_caller  ///< the callback said stop
};

/// The name of a status, such as "saturated".
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

/// What a growth did. However it ended, every candidate is right.
struct growth_outcome {
  /// How it ended.
  growth_status status = growth_status::saturated;
  /// How often a transform was asked at a node.
  std::uint64_t steps = 0;
  /// Candidates that turned out equal to others, through values found equal, and are gone.
  std::uint32_t merged = 0;
  /// The most candidates kept of a class; 0: all.
  std::uint32_t beam_width = 0;
  /// Candidates that the beam dropped.
  std::uint32_t dropped = 0;
  friend constexpr bool operator==(const growth_outcome&, const growth_outcome&) = default;
};

}  // namespace wf
