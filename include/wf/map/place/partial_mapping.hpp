// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/array/pe_array.hpp>
#include <wf/map/place/prepared_workload.hpp>

namespace wf {

/// The place and finish time of an operator in a partial mapping.
struct spot {
  /// The PEs it runs on; empty while it is not placed.
  rectangle where;
  /// Its tiling: index into `prepared_workload::tilings`.
  std::uint32_t how = 0;
  /// The prepared operator whose result it overwrites, or `overwrites_nothing`.
  std::uint32_t over = overwrites_nothing;
  /// Finish cycle.
  std::int64_t finish = 0;

  friend constexpr bool operator==(const spot&, const spot&) = default;
};

/// A state of the search: some operators placed, in the order of their starts. A regular value.
struct partial_mapping {
  /// Spots by prepared operator.
  table<spot> spots;
  /// The cycle from which each PE is free, by `pe_array::index`.
  table<std::int64_t> free;
  /// The placed operators in the order of their starts.
  table<std::uint32_t> sequence;
  /// Start cycle of the operator placed last: no later one starts before.
  std::int64_t now = 0;
  /// Cycle at which all placed operators are finished.
  std::int64_t makespan = 0;
  /// Lower bound on the makespan of every completion, in cycles.
  std::int64_t bound = 0;

  /// True if the operator is placed.
  constexpr bool has(std::uint32_t op) const { return spots[op].where.rows != 0; }
};

/// The tilings of an operator on a rectangle in a state: runs of `prepared_workload::tilings`. A
/// tiling in place is never worse than the same one apart, unless it has to wait for other readers
/// of the overwritten result; dominated tilings are left out.
struct tiling_choice {
  range in_place;  ///< tilings that overwrite an operand
  range apart;     ///< tilings with a result buffer of their own
};

}  // namespace wf
