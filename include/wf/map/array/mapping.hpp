// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/cost_model.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// The placement of one operator in space and time. Times are in cycles.
struct placement {
  /// The PEs it runs on; empty for a view.
  rectangle where;
  /// Its tiling: the cut, the cycles and the working bytes per PE.
  tiling how;
  /// Start cycle.
  std::int64_t start = 0;
  /// Finish cycle: start + how.cycles (a view: start).
  std::int64_t finish = 0;
  /// Bytes of its result in each of its PEs, live from `start` until the last reader finishes.
  std::int64_t result_bytes = 0;
  /// The operator whose result it overwrites (see `overwriting`): it owns that buffer from `start`
  /// on. `overwrites_nothing`: none.
  std::uint32_t overwrites = overwrites_nothing;

  friend constexpr bool operator==(const placement&, const placement&) = default;
};

/// A mapping of a workload onto a PE array: the answer of the mapper. Invariant: operators start in
/// the order of `sequence`, each at the earliest cycle, not before the start of its predecessor, at
/// which its operands have arrived, its PEs are free and its bytes fit beside the live results.
struct mapping {
  /// Placements, by operator index of the workload.
  table<placement> operators;
  /// The operators that occupy PEs (all but views), in the order of their starts.
  table<std::uint32_t> sequence;
  /// Cycle at which the last operator finishes.
  std::int64_t makespan = 0;
  /// Rows of the PE array.
  std::int32_t rows = 0;
  /// Columns of the PE array.
  std::int32_t columns = 0;
  /// Busy cycles of each PE, by `pe_array::index`.
  table<std::int64_t> busy;
  /// Peak memory use of each PE in bytes, by `pe_array::index`.
  table<std::int64_t> high_water;
  /// Lower bound, in cycles, on the makespan of every mapping in this model.
  std::int64_t bound = 0;
  /// Status of the search; `proven` if makespan and bound are equal.
  search_status status = search_status::stopped_by_limit;
  /// Counters of the search: nodes, generated and pruned states, incumbents.
  search_counters counters;

  /// True if the makespan is proven optimal in this model.
  constexpr bool proven() const { return status == search_status::proven; }
  /// The relative optimality gap: (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(makespan, bound); }
  /// Utilisation of one PE: busy cycles / makespan.
  constexpr ratio utilisation(std::int32_t row, std::int32_t column) const {
    return {busy[static_cast<std::size_t>(row * columns + column)], makespan};
  }
  /// Mean utilisation over all PEs, dead ones included.
  constexpr ratio utilisation() const {
    std::int64_t sum = 0;
    for (std::int64_t b : busy) sum += b;
    return {sum, makespan * static_cast<std::int64_t>(busy.size())};
  }
  /// Largest peak memory use of any PE, in bytes.
  constexpr std::int64_t most_memory() const {
    std::int64_t most = 0;
    for (std::int64_t bytes : high_water) most = most < bytes ? bytes : most;
    return most;
  }
  friend constexpr bool operator==(const mapping&, const mapping&) = default;
};

/// One entry of a schedule. Times are in cycles.
struct schedule_entry {
  /// Operator index in the workload.
  std::uint32_t op = 0;
  std::int64_t start = 0;   ///< start cycle
  std::int64_t finish = 0;  ///< finish cycle, exclusive

  friend constexpr bool operator==(const schedule_entry&, const schedule_entry&) = default;
};

/// Operators in temporal order: by start, ties by position in the mapping's sequence.
struct mapping_schedule {
  table<schedule_entry> entries;  ///< ordered by start
  std::int64_t makespan = 0;      ///< cycles until the last operator finishes

  friend constexpr bool operator==(const mapping_schedule&, const mapping_schedule&) = default;
};

/// The schedule of a mapping, without views. O(operators).
constexpr mapping_schedule schedule_of(const mapping& m) {
  mapping_schedule out;
  out.makespan = m.makespan;
  out.entries.reserve(m.sequence.size());
  for (std::uint32_t op : m.sequence)
    out.entries.push_back({op, m.operators[op].start, m.operators[op].finish});
  return out;
}

namespace detail {

/// A fraction as a percentage with two decimals, rounded towards zero: "12.34 %"; "unknown" if the
/// denominator is 0.
constexpr text percent(ratio r) {
  if (r.denominator == 0) return text("unknown");
  const auto parts =
      static_cast<std::int64_t>(static_cast<int128>(r.numerator) * 10000 / r.denominator);
  return text() << parts / 100 << '.' << parts / 10 % 10 << parts % 10 << " %";
}

}  // namespace detail

/// Human-readable text: makespan, bound, gap and utilisation, then one line per operator in the
/// order of starts: "  0..784 conv1 8x8@(0,0) cut 8x8". `w` is the mapped workload.
constexpr text to_text(const mapping& m, const workload& w) {
  text out;
  out << "mapping '" << w.name.view() << "' on " << m.rows << 'x' << m.columns << " PEs: makespan "
      << m.makespan << ", bound " << m.bound << ", gap " << detail::percent(m.gap()).view() << ", "
      << to_text(m.status) << ", utilisation " << detail::percent(m.utilisation()).view()
      << ", at most " << m.most_memory() << " bytes in a PE\n";
  for (std::uint32_t op : m.sequence) {
    const placement& p = m.operators[op];
    out << "  " << p.start << ".." << p.finish << ' ' << w.operators[op].label.view() << ' '
        << to_text(p.where).view() << " cut " << p.how.first_parts << 'x' << p.how.second_parts
        << '\n';
  }
  return out;
}

}  // namespace wf
