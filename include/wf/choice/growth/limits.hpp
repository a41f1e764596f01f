// SPDX-License-Identifier: BSL-1.0
#pragma once

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

}  // namespace wf
