// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/cost_model.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// Where and when one operator runs.
struct placement {
  /// Its PEs; empty for a view.
  rectangle where;
  /// How it is cut, its cycles and its working bytes per PE.
  tiling how;
  /// Cycle at which it starts.
  std::int64_t start = 0;
  /// Cycle at which it is finished: start + how.cycles (a view: start).
  std::int64_t finish = 0;
  /// Bytes of its result in each of its PEs, from `start` until the last reader is finished.
  std::int64_t result_bytes = 0;
  /// The operator over whose result its own is written (see `overwriting`): that one's bytes are
  /// its own from `start` on. `overwrites_nothing`: none.
  std::uint32_t overwrites = overwrites_nothing;

  friend constexpr bool operator==(const placement&, const placement&) = default;
};

/// A workload on a PE array: the answer of the mapper. Invariant: operators start in the order of
/// `sequence`, each at the earliest cycle that is not before the start of the one before it, at
/// which its operands have arrived, its PEs are free and its bytes fit beside the live results.
struct mapping {
  /// The placement of every operator of the workload, by its index.
  table<placement> operators;
  /// The operators that occupy PEs, in the order of their starts.
  table<std::uint32_t> sequence;
  /// The cycle at which all is finished.
  std::int64_t makespan = 0;
  /// Rows of the array.
  std::int32_t rows = 0;
  /// Columns of the array.
  std::int32_t columns = 0;
  /// For every PE the cycles in which it runs an operator.
  table<std::int64_t> busy;
  /// For every PE the most bytes that lie in it at a time.
  table<std::int64_t> high_water;
  /// No mapping of this model has a smaller makespan.
  std::int64_t bound = 0;
  /// How the search ended; `proven` if makespan and bound meet.
  search_status status = search_status::stopped_by_limit;
  /// What the search did.
  search_counters counters;

  /// True if no mapping of this model is shorter.
  constexpr bool proven() const { return status == search_status::proven; }
  /// (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(makespan, bound); }
  /// The part of the time in which a PE runs an operator.
  constexpr ratio utilisation(std::int32_t row, std::int32_t column) const {
    return {busy[static_cast<std::size_t>(row * columns + column)], makespan};
  }
  /// The part of all PEs' time in which operators run.
  constexpr ratio utilisation() const {
    std::int64_t sum = 0;
    for (std::int64_t b : busy) sum += b;
    return {sum, makespan * static_cast<std::int64_t>(busy.size())};
  }
  /// The most bytes in any PE at a time.
  constexpr std::int64_t most_memory() const {
    std::int64_t most = 0;
    for (std::int64_t bytes : high_water) most = most < bytes ? bytes : most;
    return most;
  }
  friend constexpr bool operator==(const mapping&, const mapping&) = default;
};

/// One line of a schedule.
struct schedule_entry {
  /// Index of the operator.
  std::uint32_t op = 0;
  std::int64_t start = 0;   ///< its first cycle
  std::int64_t finish = 0;  ///< the cycle after its last

  friend constexpr bool operator==(const schedule_entry&, const schedule_entry&) = default;
};

/// The order in time: what runs when, by start, then by place in the mapping's sequence.
struct schedule {
  table<schedule_entry> entries;  ///< in the order of the starts
  std::int64_t makespan = 0;      ///< the cycle after the last of all

  friend constexpr bool operator==(const schedule&, const schedule&) = default;
};

/// The schedule of a mapping, views left out. O(operators).
constexpr schedule schedule_of(const mapping& m) {
  schedule out;
  out.makespan = m.makespan;
  out.entries.reserve(m.sequence.size());
  for (std::uint32_t op : m.sequence)
    out.entries.push_back({op, m.operators[op].start, m.operators[op].finish});
  return out;
}

namespace detail {

/// A fraction as a percentage with two decimals, rounded down: "12.34 %".
constexpr text percent(ratio r) {
  if (r.denominator == 0) return text("unknown");
  const auto parts =
      static_cast<std::int64_t>(static_cast<int128>(r.numerator) * 10000 / r.denominator);
  return text() << parts / 100 << '.' << parts / 10 % 10 << parts % 10 << " %";
}

}  // namespace detail

/// The mapping as lines for reading: makespan, bound, gap and utilisation, then one line an
/// operator in the order of starts: "  0..784 conv1 8x8@(0,0) cut 8x8". `w` is the workload it
/// maps.
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
