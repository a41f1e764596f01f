// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/place/groups.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// Options of `map` for a workload with a batch: samples flow through segments of operators.
struct batch_options {
  /// Limits of the search; nodes are planned segments. Zeros stand for the defaults.
  search_limits limits;
  /// False: no operator reads a result of its own stage, so results pass on chip only between
  /// concurrent stages, and through DRAM otherwise.
  bool stages_keep_results = true;
  /// Groups of operators that share a stage; empty: every operator is its own group.
  operator_groups groups;
  /// Maximum number of groups in a segment of concurrent stages; 1: no such segments. Large
  /// workloads and arrays use fewer: groups · (groups of a segment)² · PEs stays below
  /// `side_by_side_work`.
  std::uint32_t side_by_side = 128;
  /// Limit on the work of floor planning: see `side_by_side`.
  std::uint64_t side_by_side_work = 25'000'000;
  /// Maximum number of segments planned by the strategies to improve the result.
  std::uint64_t improvements = 20'000;
  /// True: parts of the array are tried on their own, one for each shape, largest first, without
  /// those whose bound excludes an improvement. Then an array is never worse than a part of it,
  /// unless a limit stops the search; it takes up to as many times as long as there are shapes.
  bool every_part = false;
};

}  // namespace wf
