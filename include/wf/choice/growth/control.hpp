// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <concepts>
#include <cstdint>

#include <wf/cost/metric.hpp>

namespace wf {

/// Limit on the candidates of each class during growth: those with the cheapest trees are kept,
/// where a tree pays for a shared part at each use. The optimum among kept candidates may be worse
/// than the optimum among all.
struct beam_width {
  /// Maximum number of candidates per class; 0: no limit. Nodes ordered by edges are kept in
  /// addition.
  std::uint32_t width = 0;
  /// The metric that compares trees; without a name: the objective of `optimise`.
  metric_spec metric = {};
};

/// Limits on the growth of a choice graph. Time limits are up to the callback, as in a search.
struct growth_limits {
  /// Maximum number of nodes; growth stops before the next transform once it is reached.
  std::uint32_t max_nodes = 20000;
  /// Maximum number of transform applications; 0: no limit.
  std::uint64_t max_steps = 0;
  /// Number of transform applications between two callbacks; 0: 16.
  std::uint64_t progress_interval = 0;
  /// Limit on the candidates per class.
  beam_width beam = {};
};

/// Progress of a growth, as passed to the callback.
struct growth_progress {
  /// Number of transform applications so far.
  std::uint64_t steps = 0;
  /// Number of nodes so far.
  std::uint64_t nodes = 0;
  /// Number of nodes currently queued for transforms.
  std::uint64_t waiting = 0;
};

/// A callable that receives the progress and returns true to continue the growth.
template <class F>
concept growth_callback = requires(F& f, const growth_progress& progress) {
  { f(progress) } -> std::convertible_to<bool>;
};

/// The callback that never stops a growth.
struct keep_growing {
  /// Always true.
  constexpr bool operator()(const growth_progress&) const { return true; }
};

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
