// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/mapping.hpp>
#include <wf/map/batch/work.hpp>

namespace wf {

/// A cost predictor that also gives time and memory of one given cut.
template <class M>
concept tile_predictor =
    cost_predictor<M> && requires(const M& m, const operator_load& load, const pe_array& array) {
      {
        m.tile(load, array, std::int32_t{}, std::int32_t{}, std::int64_t{}, std::int64_t{})
      } -> std::same_as<tiling>;
    };

/// A segment on its own: operators are indices into the `batch_work`, the clock starts at 0.
struct planned_segment {
  table<pipeline_stage> stages;     ///< in the order of DRAM service
  table<stage_operator> operators;  ///< operators of all stages
  std::int64_t sub_batch = 1;       ///< samples per round
  std::int64_t rounds = 1;          ///< number of rounds: batch / sub_batch
  std::int64_t link_cycles = 0;     ///< see `pipeline_segment::link_cycles`
  std::int64_t cycles = unbounded;  ///< cycles from start to finish; `unbounded`: not feasible

  /// Operators of a stage, in execution order.
  constexpr view<stage_operator> operators_of(const pipeline_stage& s) const {
    return {operators.data() + s.operators.first, s.operators.count};
  }
};

/// Appends a segment to a mapping, starting at its makespan.
constexpr void append(batch_mapping& m, const planned_segment& g, const batch_work& w) {
  const auto first_stage = static_cast<std::uint32_t>(m.stages.size());
  const auto first_operator = static_cast<std::uint32_t>(m.operators.size());
  const std::int64_t start = m.makespan;
  m.makespan = saturating_add(start, g.cycles);
  m.segments.push_back({{first_stage, static_cast<std::uint32_t>(g.stages.size())},
                        g.sub_batch,
                        g.rounds,
                        g.link_cycles,
                        start,
                        m.makespan});
  for (pipeline_stage s : g.stages) {
    s.operators.first += first_operator;
    m.stages.push_back(s);
  }
  for (stage_operator o : g.operators) {
    o.op = w.graph.operators[o.op].source;
    m.operators.push_back(o);
  }
}

/// Cycles of a segment by the rules of time, with S stages of depths d_s and R rounds:
///
/// - Beats are t = 0 … R - 1 + max d_s. Stage s works in the beats d_s … d_s + R - 1, on one
///   sub-batch per beat: its operators in sequence. A beat begins when its predecessor ends; it
///   ends when all stages are finished, and not before `link_cycles`.
/// - The DRAM serves one job at a time, in this order: loads of beat 0; then for t = 0, 1, …: loads
///   of beat t + 1, stores of beat t; each by stage, then by operator. An operator loads its
///   weights in the stage's first beat, then its fetched operands. Loads of beat t wait for the
///   start of beat t - 1 (when their buffer is free), stores for the end of their operator.
/// - An operator starts when its loads are complete and the result it produced two rounds before
///   has left its buffer.
/// - The segment ends with its last beat and its last store.
///
/// A job takes ⌈bytes / rate⌉ cycles; the rate is the minimum of the DRAM's and that of the ports
/// of the stage's PEs together. Once two successive beats, in which no stage starts or ends, leave
/// the same state, the remaining beats are periodic and are skipped. O(operators · beats until
/// then).
class segment_clock {
 public:
  /// The array must outlive the clock.
  constexpr explicit segment_clock(const pe_array& array) : array_(array) {}

  /// The cycles of a segment.
  constexpr std::int64_t operator()(const planned_segment& g) {
    g_ = &g;
    set_up();
    load(0);
    for (std::int64_t t = 0; t < beats_; ++t) {
      const std::int64_t start = now_;
      if (t + 1 < beats_) {
        dram_ = detail::larger(dram_, start);
        load(t + 1);
      }
      work(t, start);
      store(t);
      t += leap(t);
    }
    return detail::larger(now_, dram_);
  }
  /// Number of elementary steps so far, for limits in constant evaluation.
  constexpr std::uint64_t steps() const { return steps_; }

 private:
  constexpr void set_up() {
    const std::size_t n = g_->operators.size();
    std::uint32_t deepest = 0;
    rates_.clear();
    for (const pipeline_stage& s : g_->stages) {
      deepest = deepest < s.depth ? s.depth : deepest;
      const std::int64_t ports = array_.link_bytes_per_cycle <= INT64_MAX / s.where.area()
                                     ? array_.link_bytes_per_cycle * s.where.area()
                                     : INT64_MAX;
      rates_.push_back(detail::lesser(ports, array_.dram_bytes_per_cycle));
    }
    deepest_ = deepest;
    beats_ = g_->rounds + deepest;
    now_ = dram_ = 0;
    seen_ = -1;
    for (auto* list : {&loaded_[0], &loaded_[1], &stored_[0], &stored_[1], &finish_, &before_[0],
                       &before_[1], &before_[2]}) {
      list->clear();
      list->resize(n);
    }
  }
  constexpr bool active(const pipeline_stage& s, std::int64_t t) const {
    return t >= s.depth && t - s.depth < g_->rounds;
  }
  constexpr void load(std::int64_t t) {
    for (std::size_t k = 0; k < g_->stages.size(); ++k) {
      const pipeline_stage& s = g_->stages[k];
      if (!active(s, t)) continue;
      for (std::uint32_t i = s.operators.first; i < s.operators.first + s.operators.count; ++i) {
        const stage_operator& o = g_->operators[i];
        if (t == s.depth) dram_ += detail::ceil_div(o.weight_bytes, rates_[k]);
        dram_ += detail::ceil_div(o.fetched_bytes, rates_[k]);
        const bool any = o.fetched_bytes > 0 || (t == s.depth && o.weight_bytes > 0);
        loaded_[t % 2][i] = any ? dram_ : 0;
      }
      steps_ += s.operators.count;
    }
  }
  constexpr void work(std::int64_t t, std::int64_t start) {
    std::int64_t end = start + g_->link_cycles;
    for (const pipeline_stage& s : g_->stages) {
      if (!active(s, t)) continue;
      std::int64_t at = start;
      for (std::uint32_t i = s.operators.first; i < s.operators.first + s.operators.count; ++i) {
        const stage_operator& o = g_->operators[i];
        at = detail::larger(at, detail::larger(loaded_[t % 2][i], stored_[t % 2][i]));
        at += t == s.depth ? o.first_cycles : o.cycles;
        finish_[i] = at;
      }
      steps_ += s.operators.count;
      end = detail::larger(end, at);
    }
    now_ = end;
  }
  constexpr void store(std::int64_t t) {
    for (std::size_t k = 0; k < g_->stages.size(); ++k) {
      const pipeline_stage& s = g_->stages[k];
      if (!active(s, t)) continue;
      for (std::uint32_t i = s.operators.first; i < s.operators.first + s.operators.count; ++i) {
        const stage_operator& o = g_->operators[i];
        if (o.stored_bytes == 0) continue;
        dram_ = detail::larger(dram_, finish_[i]) + detail::ceil_div(o.stored_bytes, rates_[k]);
        stored_[t % 2][i] = dram_;
      }
    }
  }
  /// The number of beats that may be skipped after beat t: all stages work in their later rounds,
  /// and all times on which the future depends have moved as far as `now_`, or are in the past.
  constexpr std::int64_t leap(std::int64_t t) {
    const std::int64_t last = g_->rounds - 1;  // last beat in which all stages work
    if (t < static_cast<std::int64_t>(deepest_) + 1 || t + 2 > last) return 0;
    const std::int64_t busy = detail::larger(dram_ - now_, 0);
    bool equal = seen_ == t - 1 && busy == before_dram_;
    const table<std::int64_t>* lists[] = {&loaded_[(t + 1) % 2], &stored_[(t + 1) % 2],
                                          &stored_[t % 2]};
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < lists[k]->size(); ++i) {
        const std::int64_t later = detail::larger((*lists[k])[i] - now_, 0);
        equal = equal && later == before_[k][i];
        before_[k][i] = later;
      }
    steps_ += lists[0]->size();
    const std::int64_t moved = now_ - before_now_;
    seen_ = t;
    before_now_ = now_;
    before_dram_ = busy;
    if (!equal) return 0;
    // The beats up to last - 1 repeat beat t; skipping an even number preserves the double buffers.
    const std::int64_t left_out = (last - 1 - t) / 2 * 2;
    if (left_out <= 0) return 0;
    const std::int64_t ahead = left_out * moved;
    now_ += ahead;
    dram_ += ahead;
    for (auto* list : {&loaded_[0], &loaded_[1], &stored_[0], &stored_[1]})
      for (std::int64_t& x : *list) x += ahead;
    seen_ = -1;
    return left_out;
  }

  const pe_array& array_;
  const planned_segment* g_ = nullptr;
  table<std::int64_t> rates_;
  std::uint32_t deepest_ = 0;
  std::int64_t beats_ = 0;
  std::int64_t now_ = 0;
  std::int64_t dram_ = 0;
  table<std::int64_t> loaded_[2];
  table<std::int64_t> stored_[2];
  table<std::int64_t> finish_;
  table<std::int64_t> before_[3];
  std::int64_t before_now_ = 0;
  std::int64_t before_dram_ = 0;
  std::int64_t seen_ = -1;
  std::uint64_t steps_ = 0;
};

}  // namespace wf
