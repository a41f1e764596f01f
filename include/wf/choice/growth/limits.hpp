// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/cost/metric.hpp>

namespace wf {

/// How many candidates each class keeps while it grows: those whose trees cost least, where a tree
/// pays a shared part at each use. 0: all. What is optimal among the candidates kept may be dearer
/// than what is optimal among all.
struct beam_width {
  /// The most candidates of a class; 0: all. Nodes that edges order are kept besides.
  std::uint32_t width = 0;
  /// What their trees are compared by; no name: the objective of `optimise`.
  metric_spec metric = {};
};

/// How far a choice graph may grow. Time limits are the callback's affair, as in a search.
struct growth_limits {
  /// The most nodes; growth stops before a transform that finds the graph larger.
  std::uint32_t max_nodes = 20000;
  /// How often transforms are asked at most; 0: no limit.
  std::uint64_t max_steps = 0;
  /// The callback is asked every this many steps; 0: 16.
  std::uint64_t progress_interval = 0;
  /// How many candidates each class keeps.
  beam_width beam = {};
};

}  // namespace wf
