// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/mapping.hpp>

namespace wf {

/// How one operator runs in its stage, in every round alike.
struct stage_operator {
  /// Its index in the workload.
  std::uint32_t op = 0;
  /// Into how many parts the first axis is cut.
  std::int64_t first_parts = 1;
  /// Into how many parts the second axis of a sub-batch is cut.
  std::int64_t second_parts = 1;
  /// True if every PE holds the weights of its part for the whole segment; false if the weights lie
  /// spread evenly over the stage's PEs and every PE gathers its part anew in each round.
  bool holds_weights = false;
  /// Cycles of one round.
  std::int64_t cycles = 1;
  /// Cycles of the first round, in which held weights pass the PEs' ports.
  std::int64_t first_cycles = 1;
  /// Bytes in every PE of the stage while it runs, beside what lies there anyway.
  std::int64_t working_bytes = 0;
  /// Bytes of weights that the DRAM moves once, before the first round.
  std::int64_t weight_bytes = 0;
  /// Bytes that the DRAM brings for every round.
  std::int64_t fetched_bytes = 0;
  /// Bytes that the DRAM takes after every round.
  std::int64_t stored_bytes = 0;

  friend constexpr bool operator==(const stage_operator&, const stage_operator&) = default;
};

/// Operators that run one after another on the same PEs, once in every round.
struct pipeline_stage {
  /// Its PEs; stages of a segment share none.
  rectangle where;
  /// The beat of its first round: later than that of every stage whose results it reads.
  std::uint32_t depth = 0;
  /// Its operators in the order of their runs: run of `batch_mapping::operators`.
  range operators;
  /// The most bytes in each of its PEs at a time.
  std::int64_t bytes = 0;

  friend constexpr bool operator==(const pipeline_stage&, const pipeline_stage&) = default;
};

/// Stages side by side through which the batch flows in rounds, a sub-batch each.
struct pipeline_segment {
  /// Its stages: run of `batch_mapping::stages`.
  range stages;
  /// Samples of a round.
  std::int64_t sub_batch = 1;
  /// Rounds: batch / sub_batch.
  std::int64_t rounds = 1;
  /// Cycles in which the links move what the stages hand each other in a round.
  std::int64_t link_cycles = 0;
  /// The cycle at which the segment begins: the end of the one before.
  std::int64_t start = 0;
  /// The cycle at which its last result lies in DRAM.
  std::int64_t finish = 0;

  friend constexpr bool operator==(const pipeline_segment&, const pipeline_segment&) = default;
};

/// A workload with a batch on a PE array: the answer of `map_batch`. Segments run one after another
/// and exchange results through DRAM. The exact rules of time and memory stand at `segment_rules`.
struct batch_mapping {
  table<pipeline_segment> segments;  ///< in the order of time
  table<pipeline_stage> stages;      ///< those of all segments
  table<stage_operator> operators;   ///< those of all stages; views are left out
  /// The cycle at which all is finished.
  std::int64_t makespan = 0;
  /// No mapping of this model is shorter.
  std::int64_t bound = 0;
  /// How the search ended; `proven` if makespan and bound meet.
  search_status status = search_status::stopped_by_limit;
  /// What the search did.
  search_counters counters;

  /// True if no mapping of this model is shorter.
  constexpr bool proven() const { return status == search_status::proven; }
  /// (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(makespan, bound); }
  /// The most bytes in any PE at a time.
  constexpr std::int64_t most_memory() const {
    std::int64_t most = 0;
    for (const pipeline_stage& s : stages) most = most < s.bytes ? s.bytes : most;
    return most;
  }
  /// Bytes that the DRAM moves in all.
  constexpr std::int64_t dram_bytes() const {
    std::int64_t sum = 0;
    for (const pipeline_segment& g : segments)
      for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s)
        for (std::uint32_t k = 0; k < stages[s].operators.count; ++k) {
          const stage_operator& o = operators[stages[s].operators.first + k];
          sum += o.weight_bytes + (o.fetched_bytes + o.stored_bytes) * g.rounds;
        }
    return sum;
  }
  friend constexpr bool operator==(const batch_mapping&, const batch_mapping&) = default;
};

/// The mapping as lines for reading: makespan, bound and gap; then every segment with its rounds,
/// stages and operators. `w` is the workload it maps.
constexpr text to_text(const batch_mapping& m, const workload& w) {
  text out;
  out << "batch mapping '" << w.name.view() << "': makespan " << m.makespan << ", bound " << m.bound
      << ", gap " << detail::percent(m.gap()).view() << ", " << to_text(m.status) << ", "
      << m.dram_bytes() << " bytes of DRAM traffic, at most " << m.most_memory()
      << " bytes in a PE\n";
  for (const pipeline_segment& g : m.segments) {
    out << "  " << g.start << ".." << g.finish << ' ' << g.rounds << " rounds of " << g.sub_batch
        << '\n';
    for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s) {
      out << "    " << to_text(m.stages[s].where).view() << " from beat " << m.stages[s].depth
          << ':';
      for (std::uint32_t k = 0; k < m.stages[s].operators.count; ++k) {
        const stage_operator& o = m.operators[m.stages[s].operators.first + k];
        out << ' ' << w.operators[o.op].label.view() << ' ' << o.first_parts << 'x'
            << o.second_parts;
      }
      out << '\n';
    }
  }
  return out;
}

}  // namespace wf
