// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/batch/rules.hpp>
#include <wf/map/batch/tiling_cache.hpp>

namespace wf {

/// A stage to be planned: its PEs and its operators, as indices into the `batch_work`.
struct stage_outline {
  rectangle where;                 ///< PEs of the stage
  table<std::uint32_t> operators;  ///< in execution order

  friend constexpr bool operator==(const stage_outline&, const stage_outline&) = default;
};

/// Plans segments by the rules of memory and time: given stages and a sub-batch, it determines
/// fetched, stored and forwarded data, picks the fastest tilings that fit, and times the segment.
///
/// Costs of an operator on the PEs of its stage, with R rounds of b samples each:
/// - Operands produced in the same stage and round are already there; all others (of other stages,
///   of earlier segments, of no operator) arrive through the ports. Cycles of a round: the larger
///   of the predictor's tiling, without DRAM, and of its `transfer` from any other stage; plus
///   (rows - 1 + columns - 1) · hop_latency for the farthest PE.
/// - A result that is an output or is read in a later segment is stored in DRAM; a stage fetches a
///   result of an earlier segment once per round, with the first operator that reads it.
///
/// Permanent bytes in every PE of a stage of n PEs:
/// - weights: ⌈W/p⌉ if every PE holds its part, else ⌈W/n⌉;
/// - two buffers (one if there is one round) of ⌈x/n⌉ for everything fetched;
/// - buffers of ⌈y/n⌉ for a result: two if it is stored, δ + 1 if a stage reads it δ beats later,
///   the maximum if both, never more than R.
///
/// While an operator runs, its working bytes are added, and ⌈y/n⌉ for every other result from the
/// start of its operator to the end of its last reader in the stage. If that reader may overwrite
/// it (see `overwriting`) and its own result stays in the stage, too, it is in place: the two share
/// a buffer, and it needs no copy.
///
/// Links between stages: every forwarded byte crosses each line between two rows or columns at most
/// once, and traffic is spread evenly over the links there; `link_cycles` is the time of the
/// busiest line.
template <tile_predictor Predictor>
class segment_planner {
 public:
  /// Keeps references to all arguments.
  constexpr segment_planner(const batch_work& w, const pe_array& array, const Predictor& predictor)
      : w_(w),
        array_(array),
        free_(array),
        predictor_(predictor),
        cache_(free_, predictor),
        clock_(array),
        stage_of_(w.size(), outside),
        position_(w.size()),
        needed_(w.size()),
        first_(w.size()),
        last_(w.size()),
        times_(w.size()),
        ways_(w.size()) {
    free_.dram_bytes_per_cycle = std::int64_t{1} << 40;
  }

  /// Plans a segment of the given stages, whose operands all come from earlier segments or from the
  /// segment itself; false if it does not fit, or stages read each other's results in a cycle.
  /// O(operators · tilings + the clock's time).
  constexpr bool plan(const table<stage_outline>& stages, std::int64_t sub_batch,
                      planned_segment& out) {
    out.stages.clear();
    out.operators.clear();
    out.sub_batch = sub_batch;
    out.rounds = w_.batch / sub_batch;
    out.link_cycles = 0;
    out.cycles = unbounded;
    enter(stages);
    const bool fits = set_depths(stages, out) && fill(stages, out);
    if (fits) {
      shortage_ = 0;
      out.link_cycles = busiest_line(stages, sub_batch);
      out.cycles = clock_(out);
    }
    leave(stages);
    return fits;
  }

  /// The load of an operator for a sub-batch. Operands with `is_here(producer)` count as produced
  /// in its stage, all others as fetched.
  template <class IsHere>
  constexpr operator_load load_of(std::uint32_t v, std::int64_t sub_batch, IsHere&& is_here) const {
    operator_load l = w_.samples[v];
    l.macs *= sub_batch;
    l.elementwise *= sub_batch;
    l.output_bytes *= sub_batch;
    l.scratch_bytes *= sub_batch;
    l.second_axis *= sub_batch;
    l.stored_bytes = 0;
    for (int k = 0; k < 3; ++k) {
      l.made_bytes[k] = 0;
      l.fetched_bytes[k] *= sub_batch;
    }
    for (const prepared_operand& o : w_.graph.operands_of(v))
      (is_here(o.producer) ? l.made_bytes : l.fetched_bytes)[static_cast<int>(o.split)] +=
          o.bytes * sub_batch;
    return l;
  }
  /// Calls `emit(tiling)` for the tilings of a load, with unlimited DRAM bandwidth.
  template <class Emit>
  constexpr void tilings(const operator_load& load, std::int32_t rows, std::int32_t columns,
                         Emit&& emit) const {
    predictor_.tilings(load, free_, rows, columns, emit);
  }
  /// Latency to the farthest PE of a rectangle, in cycles.
  constexpr std::int64_t spread_cycles(std::int32_t rows, std::int32_t columns) const {
    return saturating_multiply(std::int64_t{rows} - 1 + columns - 1, array_.hop_latency);
  }
  /// The workload to be planned, with its batch.
  constexpr const batch_work& work() const { return w_; }
  /// The array it is planned for.
  constexpr const pe_array& array() const { return array_; }
  /// The least bytes per PE needed by a stage that did not fit, since the last segment that did; 0:
  /// none.
  constexpr std::int64_t least_shortage() const { return shortage_; }
  /// Number of elementary steps so far, for limits in constant evaluation.
  constexpr std::uint64_t steps() const { return steps_ + clock_.steps(); }

 private:
  static constexpr std::uint32_t outside = UINT32_MAX;

  static constexpr std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
    std::int64_t out = 0;
    return checked_multiply(a, b, out) ? out : INT64_MAX / 4;
  }

  constexpr void enter(const table<stage_outline>& stages) {
    outlines_ = &stages;
    for (std::uint32_t s = 0; s < stages.size(); ++s)
      for (std::uint32_t k = 0; k < stages[s].operators.size(); ++k) {
        stage_of_[stages[s].operators[k]] = s;
        position_[stages[s].operators[k]] = k;
      }
  }
  constexpr void leave(const table<stage_outline>& stages) {
    for (const stage_outline& s : stages)
      for (std::uint32_t v : s.operators) stage_of_[v] = outside;
  }

  /// Sets the depth of each stage: the longest path from a stage without operands from others.
  /// False if there is a cycle, or an operator reads a later one of its own stage.
  constexpr bool set_depths(const table<stage_outline>& stages, planned_segment& out) {
    for (const stage_outline& s : stages) {
      pipeline_stage p;
      p.where = s.where;
      out.stages.push_back(p);
    }
    bool changed = true;
    for (std::size_t pass = 0; changed; ++pass) {
      if (pass > stages.size()) return false;
      changed = false;
      for (std::uint32_t s = 0; s < stages.size(); ++s)
        for (std::uint32_t v : stages[s].operators)
          for (const prepared_operand& o : w_.graph.operands_of(v)) {
            const std::uint32_t from = stage_of_[o.producer];
            if (from == outside) continue;
            if (from == s) {
              if (position_[o.producer] >= position_[v]) return false;
              continue;
            }
            if (out.stages[s].depth > out.stages[from].depth) continue;
            out.stages[s].depth = out.stages[from].depth + 1;
            changed = true;
          }
    }
    return true;
  }

  constexpr bool fill(const table<stage_outline>& stages, planned_segment& out) {
    for (std::uint32_t s = 0; s < stages.size(); ++s) {
      out.stages[s].operators.first = static_cast<std::uint32_t>(out.operators.size());
      out.stages[s].operators.count = static_cast<std::uint32_t>(stages[s].operators.size());
      if (!fill_stage(stages[s], s, out)) return false;
    }
    return true;
  }

  constexpr bool fill_stage(const stage_outline& stage, std::uint32_t s, planned_segment& out) {
    const std::int64_t n = stage.where.area(), b = out.sub_batch;
    const std::size_t base = out.operators.size();
    std::int64_t always = 0;
    live_.clear();
    live_.resize(stage.operators.size() + 1);
    collect_fetches(stage);
    for (std::uint32_t k = 0; k < stage.operators.size(); ++k) {
      const std::uint32_t v = stage.operators[k];
      stage_operator o;
      o.op = v;
      o.weight_bytes = w_.samples[v].weight_bytes;
      always = saturating_add(always, detail::ceil_div(o.weight_bytes, n));
      fetches(v, k, b, [&](std::int64_t bytes) {
        o.fetched_bytes += bytes;
        always = saturating_add(always, detail::lesser(2, out.rounds) * detail::ceil_div(bytes, n));
      });
      keep_result(v, s, k, n, out, o, always);
      out.operators.push_back(o);
    }
    for (std::uint32_t v : stage.operators)
      for (const prepared_operand& o : w_.graph.operands_of(v)) needed_[o.producer] = 0;
    for (std::size_t k = 1; k < live_.size(); ++k) live_[k] += live_[k - 1];
    steps_ += 2 * stage.operators.size();
    if (always > array_.memory_bytes) {
      note_shortage(always);
      return false;
    }
    return choose_tilings(stage, s, base, always, out);
  }

  /// Determines the bytes that the stage fetches of each earlier result, and the first operator
  /// that reads it.
  constexpr void collect_fetches(const stage_outline& stage) {
    for (std::uint32_t k = 0; k < stage.operators.size(); ++k)
      for (const prepared_operand& o : w_.graph.operands_of(stage.operators[k])) {
        if (stage_of_[o.producer] != outside) continue;
        if (needed_[o.producer] == 0) first_[o.producer] = k;
        needed_[o.producer] = detail::larger(needed_[o.producer], o.bytes);
      }
  }
  template <class Emit>
  constexpr void fetches(std::uint32_t v, std::uint32_t k, std::int64_t b, Emit&& emit) {
    const operator_load& l = w_.samples[v];
    const std::int64_t external = l.fetched_bytes[0] + l.fetched_bytes[1] + l.fetched_bytes[2];
    if (external > 0) emit(external * b);
    const view<prepared_operand> operands = w_.graph.operands_of(v);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::uint32_t p = operands[i].producer;
      if (stage_of_[p] != outside || first_[p] != k || needed_[p] == 0) continue;
      bool again = false;
      for (std::size_t j = 0; j < i; ++j) again = again || operands[j].producer == p;
      if (!again) emit(needed_[p] * b);
    }
  }
  /// Sets the buffers or the live range of a result, and its stored bytes.
  constexpr void keep_result(std::uint32_t v, std::uint32_t s, std::uint32_t k, std::int64_t n,
                             const planned_segment& out, stage_operator& o, std::int64_t& always) {
    const std::int64_t y = w_.samples[v].output_bytes * out.sub_batch;
    bool stored = w_.samples[v].stored_bytes > 0;
    std::int64_t buffers = 0;
    std::uint32_t last = k;
    for (std::uint32_t r : w_.graph.readers_of(v)) {
      const std::uint32_t at = stage_of_[r];
      if (at == outside)
        stored = true;
      else if (at == s)
        last = last < position_[r] ? position_[r] : last;
      else
        buffers =
            detail::larger(buffers, std::int64_t{out.stages[at].depth} - out.stages[s].depth + 1);
    }
    if (stored) {
      o.stored_bytes = y;
      buffers = detail::larger(buffers, 2);
    }
    const std::int64_t each = detail::ceil_div(y, n);
    buffers = detail::lesser(buffers, out.rounds);
    times_[v] = 0;
    last_[v] = outside;
    if (buffers > 0) {
      always = saturating_add(always, buffers * each);
      return;
    }
    live_[k] += each;
    live_[last + 1] -= each;
    last_[v] = last;
    for (std::uint32_t u : w_.graph.overwritable_by(v)) {
      if (times_[v] != 0 || stage_of_[u] != s || last_[u] != k) continue;
      live_[k] -= each;
      live_[k + 1] += each;
      for (const prepared_operand& x : w_.graph.operands_of(v)) times_[v] += x.producer == u;
    }
  }

  /// Picks the fastest tilings that fit beside the permanent bytes and live results; then lets PEs
  /// hold weights where that is faster, by falling gain per byte.
  constexpr bool choose_tilings(const stage_outline& stage, std::uint32_t s, std::size_t base,
                                std::int64_t always, planned_segment& out) {
    const rectangle& r = stage.where;
    std::int64_t fullest = 0;
    for (std::uint32_t k = 0; k < stage.operators.size(); ++k) {
      const std::uint32_t v = stage.operators[k];
      const ways& known = ways_of(v, s, r, out.sub_batch);
      const std::int64_t room = array_.memory_bytes - always - live_[k];
      stage_operator& o = out.operators[base + k];
      bool found = false;
      std::int64_t smallest = INT64_MAX;
      for (const tiling& t : cache_.at(known.with)) {
        ++steps_;
        smallest = detail::lesser(smallest, t.working_bytes);
        if (t.working_bytes > room) continue;
        take(o, v, s, r, t, t.cycles, out.sub_batch);
        found = true;
        break;
      }
      if (!found && o.weight_bytes > 0) {
        // Held weights are not duplicated while the operator runs.
        for (const tiling& t : cache_.at(known.without)) {
          ++steps_;
          const std::int64_t more = detail::ceil_div(o.weight_bytes, t.first_parts) -
                                    detail::ceil_div(o.weight_bytes, r.area());
          smallest = detail::lesser(smallest, t.working_bytes + more);
          if (t.working_bytes + more > room) continue;
          hold(o, v, s, r, t, out.sub_batch);
          always += more;
          found = true;
          break;
        }
      }
      if (!found) {
        note_shortage(saturating_add(always + live_[k], smallest));
        return false;
      }
      fullest = detail::larger(fullest, o.working_bytes + live_[k]);
    }
    if (always > array_.memory_bytes - fullest) {
      note_shortage(saturating_add(always, fullest));
      return false;
    }
    always += hold_weights(stage, s, base, array_.memory_bytes - always - fullest, out);
    fullest = 0;
    for (std::uint32_t k = 0; k < stage.operators.size(); ++k)
      fullest = detail::larger(fullest, out.operators[base + k].working_bytes + live_[k]);
    out.stages[s].bytes = always + fullest;
    return true;
  }
  /// The tilings of an operator with and without weights, as last requested.
  struct ways {
    std::int64_t sub_batch = 0;
    std::int32_t rows = 0;
    std::int32_t columns = 0;
    std::uint64_t here = 0;   // bit k: operand k is produced in the stage
    std::uint32_t times = 0;  // operands that are the overwritten result; 0: not in place
    range with;
    range without;
  };
  constexpr const ways& ways_of(std::uint32_t v, std::uint32_t s, const rectangle& r,
                                std::int64_t b) {
    const view<prepared_operand> operands = w_.graph.operands_of(v);
    std::uint64_t here = 0;
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (stage_of_[operands[k].producer] == s) here |= std::uint64_t{1} << (k % 64);
    ways& known = ways_[v];
    if (known.sub_batch == b && known.rows == r.rows && known.columns == r.columns &&
        known.here == here && known.times == times_[v] && operands.size() <= 64)
      return known;
    operator_load l = load_of(v, b, [&](std::uint32_t p) { return stage_of_[p] == s; });
    known = {b, r.rows, r.columns, here, times_[v], {}, {}};
    known.with = cache_.find(l, r.rows, r.columns, times_[v]);
    l.weight_bytes = 0;
    known.without = cache_.find(l, r.rows, r.columns, times_[v]);
    return known;
  }
  constexpr void note_shortage(std::int64_t bytes) {
    shortage_ = shortage_ == 0 ? bytes : detail::lesser(shortage_, bytes);
  }
  constexpr void take(stage_operator& o, std::uint32_t v, std::uint32_t s, const rectangle& r,
                      const tiling& t, std::int64_t first, std::int64_t b) const {
    o.first_parts = t.first_parts;
    o.second_parts = t.second_parts;
    o.working_bytes = t.working_bytes;
    std::int64_t arriving = 0;
    for (const prepared_operand& x : w_.graph.operands_of(v)) {
      const std::uint32_t from = stage_of_[x.producer];
      if (from == s || from == outside) continue;
      arriving = detail::larger(
          arriving, predictor_.transfer(array_, (*outlines_)[from].where, r, x.bytes * b));
    }
    const std::int64_t spread = spread_cycles(r.rows, r.columns);
    o.cycles = saturating_add(detail::larger(t.cycles, arriving), spread);
    o.first_cycles = saturating_add(detail::larger(first, arriving), spread);
  }

  /// Applies a cut with held weights; in the first round they still pass through the ports.
  constexpr void hold(stage_operator& o, std::uint32_t v, std::uint32_t s, const rectangle& r,
                      const tiling& t, std::int64_t b) const {
    const operator_load load = load_of(v, b, [&](std::uint32_t p) { return stage_of_[p] == s; });
    const tiling first =
        predictor_.tile(load, free_, r.rows, r.columns, t.first_parts, t.second_parts);
    take(o, v, s, r, t, first.cycles, b);
    o.holds_weights = true;
  }

  struct held {
    std::uint32_t k = 0;
    tiling how;
    std::int64_t paid = 0;  // bytes, additional working bytes included
    std::int64_t gain = 0;  // cycles per round
  };
  /// Lets PEs hold weights within `spare` bytes; returns the permanent bytes added.
  constexpr std::int64_t hold_weights(const stage_outline& stage, std::uint32_t s, std::size_t base,
                                      std::int64_t spare, planned_segment& out) {
    const rectangle& r = stage.where;
    table<held> wishes;
    for (std::uint32_t k = 0; k < stage.operators.size(); ++k) {
      const std::uint32_t v = stage.operators[k];
      const std::int64_t weights = w_.samples[v].weight_bytes;
      if (weights == 0 || out.operators[base + k].holds_weights) continue;
      const ways& known = ways_of(v, s, r, out.sub_batch);
      const stage_operator& o = out.operators[base + k];
      const std::int64_t now = o.cycles - spread_cycles(r.rows, r.columns);
      held best;
      for (const tiling& t : cache_.at(known.without)) {
        ++steps_;
        if (t.cycles >= now) break;
        const std::int64_t more =
            detail::ceil_div(weights, t.first_parts) - detail::ceil_div(weights, r.area());
        // Additional working bytes reduce the spare memory, so they are charged, too.
        const std::int64_t paid = more + detail::larger(0, t.working_bytes - o.working_bytes);
        if (paid > spare) continue;
        const std::int64_t gain = now - t.cycles;
        if (best.gain == 0 || is_better(gain, paid, best)) best = {k, t, paid, gain};
      }
      if (best.gain != 0) wishes.push_back(best);
    }
    detail::stable_sort(wishes,
                        [](const held& a, const held& b) { return is_better(a.gain, a.paid, b); });
    std::int64_t added = 0;
    for (const held& x : wishes) {
      if (x.paid > spare) continue;
      spare -= x.paid;
      stage_operator& o = out.operators[base + x.k];
      hold(o, stage.operators[x.k], s, r, x.how, out.sub_batch);
      added += detail::ceil_div(o.weight_bytes, o.first_parts) -
               detail::ceil_div(o.weight_bytes, r.area());
    }
    return added;
  }
  /// True if the gain per byte is larger.
  static constexpr bool is_better(std::int64_t gain, std::int64_t paid, const held& than) {
    return static_cast<int128>(gain) * (than.paid + 1) >
           static_cast<int128>(than.gain) * (paid + 1);
  }

  constexpr std::int64_t busiest_line(const table<stage_outline>& stages, std::int64_t b) const {
    if (stages.size() < 2) return 0;
    std::int64_t busiest = 0;
    for (int side = 0; side < 2; ++side) {
      const std::int32_t lines = (side == 0 ? array_.rows : array_.columns) - 1;
      const std::int32_t width = side == 0 ? array_.columns : array_.rows;
      for (std::int32_t line = 1; line <= lines; ++line) {
        std::int64_t up = 0, down = 0;
        for (std::uint32_t s = 0; s < stages.size(); ++s)
          for (std::uint32_t v : stages[s].operators)
            for (const prepared_operand& o : w_.graph.operands_of(v)) {
              const std::uint32_t from = stage_of_[o.producer];
              if (from == outside || from == s) continue;
              const part a = cut(stages[from].where, side, line);
              const part z = cut(stages[s].where, side, line);
              const std::int64_t x = o.bytes * b, whole = a.before + a.after;
              if (z.after > 0) down += detail::ceil_ratio(static_cast<int128>(x) * a.before, whole);
              if (z.before > 0) up += detail::ceil_ratio(static_cast<int128>(x) * a.after, whole);
            }
        const int128 rate = static_cast<int128>(width) * array_.link_bytes_per_cycle;
        busiest = detail::larger(busiest, detail::ceil_ratio(detail::larger(up, down), rate));
      }
    }
    return busiest;
  }
  struct part {
    std::int64_t before = 0;
    std::int64_t after = 0;
  };
  static constexpr part cut(const rectangle& r, int side, std::int32_t line) {
    const std::int32_t first = side == 0 ? r.row : r.column;
    const std::int32_t count = side == 0 ? r.rows : r.columns;
    const std::int64_t before = detail::larger(0, detail::lesser(count, line - first));
    return {before, count - before};
  }

  const batch_work& w_;
  const pe_array& array_;
  pe_array free_;
  const Predictor& predictor_;
  detail::tiling_cache<Predictor> cache_;
  segment_clock clock_;
  const table<stage_outline>* outlines_ = nullptr;
  table<std::uint32_t> stage_of_;
  table<std::uint32_t> position_;
  table<std::int64_t> needed_;
  table<std::uint32_t> first_;
  table<std::uint32_t> last_;   // position of the last reader, for a result that stays in its stage
  table<std::uint32_t> times_;  // operands that are the result overwritten in place
  table<std::int64_t> live_;
  table<ways> ways_;
  std::int64_t shortage_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace wf
