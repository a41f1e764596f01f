// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/mapping.hpp>

namespace wf {

/// The execution of one operator in its stage, the same in every round.
struct stage_operator {
  /// Its operator index in the workload.
  std::uint32_t op = 0;
  /// Number of parts of the first axis.
  std::int64_t first_parts = 1;
  /// Number of parts of the second axis of a sub-batch.
  std::int64_t second_parts = 1;
  /// True if every PE holds the weights of its part for the whole segment; false if the weights are
  /// distributed evenly over the stage's PEs and every PE gathers its part again in each round.
  bool holds_weights = false;
  /// Cycles of one round.
  std::int64_t cycles = 1;
  /// Cycles of the first round, in which held weights pass through the PEs' ports.
  std::int64_t first_cycles = 1;
  /// Bytes in every PE of the stage while it runs, besides those that are there all the time.
  std::int64_t working_bytes = 0;
  /// Bytes of weights read from DRAM once, before the first round.
  std::int64_t weight_bytes = 0;
  /// Bytes read from DRAM in every round.
  std::int64_t fetched_bytes = 0;
  /// Bytes written to DRAM after every round.
  std::int64_t stored_bytes = 0;

  friend constexpr bool operator==(const stage_operator&, const stage_operator&) = default;
};

/// Operators that run one after another on the same PEs, once in every round.
struct pipeline_stage {
  /// Its PEs; stages of a segment are disjoint.
  rectangle where;
  /// The beat of its first round: later than that of every stage whose results it reads. Counted
  /// from 0.
  std::uint32_t depth = 0;
  /// Its operators in execution order: run of `batch_mapping::operators`.
  range operators;
  /// Peak memory use of each of its PEs, in bytes.
  std::int64_t bytes = 0;

  friend constexpr bool operator==(const pipeline_stage&, const pipeline_stage&) = default;
};

/// A pipeline of concurrent stages, through which the batch flows in rounds of one sub-batch each.
struct pipeline_segment {
  /// Its stages: run of `batch_mapping::stages`.
  range stages;
  /// Samples per round.
  std::int64_t sub_batch = 1;
  /// Number of rounds: batch / sub_batch.
  std::int64_t rounds = 1;
  /// Cycles per round in which the links transfer results between stages.
  std::int64_t link_cycles = 0;
  /// Start cycle: the finish of the previous segment.
  std::int64_t start = 0;
  /// Finish cycle, at which its last result is in DRAM.
  std::int64_t finish = 0;

  friend constexpr bool operator==(const pipeline_segment&, const pipeline_segment&) = default;
};

/// A mapping of a workload with a batch onto a PE array: the answer of `map` with `batch_options`.
/// Segments run one after another and exchange results through DRAM. `segment_clock` states the
/// exact rules of time, `segment_planner` those of memory.
struct batch_mapping {
  table<pipeline_segment> segments;  ///< in temporal order
  table<pipeline_stage> stages;      ///< stages of all segments
  table<stage_operator> operators;   ///< operators of all stages, without views
  /// Finish cycle of the last segment.
  std::int64_t makespan = 0;
  /// Lower bound on the makespan of every mapping in this model, in cycles.
  std::int64_t bound = 0;
  /// Status of the search; `proven` if makespan and bound are equal.
  search_status status = search_status::stopped_by_limit;
  /// Counters of the search; nodes are segments planned.
  search_counters counters;

  /// True if the makespan is proven optimal in this model.
  constexpr bool proven() const { return status == search_status::proven; }
  /// The relative optimality gap: (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(makespan, bound); }
  /// Largest peak memory use of any PE, in bytes.
  constexpr std::int64_t most_memory() const {
    std::int64_t most = 0;
    for (const pipeline_stage& s : stages) most = most < s.bytes ? s.bytes : most;
    return most;
  }
  /// Total DRAM traffic in bytes.
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

/// Human-readable text: makespan, bound and gap, then every segment with its rounds, stages and
/// operators. `w` is the mapped workload.
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
