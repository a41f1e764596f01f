// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch_plan.hpp>

namespace wf {

/// How far `map_batch` goes, and what it may use.
struct batch_options {
  /// Limits of the search: nodes are segments planned. Zeros stand for the defaults.
  search_limits limits;
  /// The most operators that a stage runs one after another; 0: any number. With 1, results pass
  /// from operator to operator on chip only between stages that work side by side.
  std::uint32_t stage_operators = 0;
};

namespace detail {

/// No mapping has a smaller makespan: every operator takes at least its least PE cycles, those on
/// the best shape with the best sub-batch if all operands lie in its stage and all weights in its
/// PEs, and no more than all PEs work at a time. It holds for every predictor that is not faster
/// for more bytes.
template <tile_predictor Predictor>
constexpr std::int64_t area_bound(segment_planner<Predictor>& planner,
                                  view<std::int64_t> sub_batches) {
  const batch_work& w = planner.work();
  const pe_array& a = planner.array();
  std::int64_t alive = a.elements();
  for (std::uint32_t e = 0; e < a.elements(); ++e)
    for (std::uint32_t d : a.dead)
      if (d == e) {
        --alive;
        break;
      }
  int128 area = 0;
  table<operator_load> loads;
  table<std::int64_t> least;
  for (std::uint32_t v = 0; v < w.size(); ++v) {
    operator_load one = planner.load_of(v, 1, [](std::uint32_t) { return true; });
    one.weight_bytes = 0;
    std::size_t k = 0;
    while (k < loads.size() && !(loads[k] == one)) ++k;
    if (k == loads.size()) {
      loads.push_back(one);
      least.push_back(INT64_MAX);
      for (std::int64_t b : sub_batches) {
        operator_load load = planner.load_of(v, b, [](std::uint32_t) { return true; });
        load.weight_bytes = 0;
        for (std::int32_t r = 1; r <= a.rows; ++r)
          for (std::int32_t c = 1; c <= a.columns; ++c) {
            const view<tiling> all = planner.tilings(load, r, c);
            if (all.empty()) continue;
            const int128 cycles = static_cast<int128>(all[0].cycles + planner.spread_cycles(r, c)) *
                                  (w.batch / b) * r * c;
            if (cycles < least[k]) least[k] = static_cast<std::int64_t>(cycles);
          }
      }
    }
    if (least[k] < INT64_MAX) area += least[k];
  }
  return ceil_ratio(area, alive > 0 ? alive : 1);
}

/// One run of `map_batch`.
template <tile_predictor Predictor, class Callback>
class batch_mapper {
 public:
  constexpr batch_mapper(const workload& w, const batch_work& work, const pe_array& array,
                         const Predictor& predictor, const batch_options& options,
                         Callback& callback)
      : w_(w),
        work_(work),
        array_(array),
        planner_(work, array, predictor),
        options_(options),
        callback_(callback) {
    options_.limits = options_.limits.resolved();
    for (std::int64_t b = 1; b <= work.batch; ++b)
      if (work.batch % b == 0) sub_batches_.push_back(b);
  }

  constexpr result<batch_mapping> run() {
    region_ = array_.whole();
    bound_ = ceil_div(work_.least_traffic(), array_.dram_bytes_per_cycle);
    singles();
    if (tell()) {
      bound_ = larger(bound_, area_bound(planner_, sub_batches_));
      if (tell()) segmentation();
    }
    return answer();
  }

 private:
  /// A segment of a plan that is being made: operators first … last - 1.
  struct piece {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    planned_segment plan;
  };

  constexpr bool tell() {
    if (stopped_) return false;
    if (!callback_(search_progress{value_, bound_, counters_.nodes, 0})) {
      stopped_ = true;
      status_ = search_status::stopped_by_caller;
    } else if (counters_.nodes >= options_.limits.max_nodes ||
               planner_.steps() >= options_.limits.max_steps) {
      stopped_ = true;
    }
    return !stopped_;
  }

  constexpr bool plan(std::uint32_t first, std::uint32_t last, std::int64_t b,
                      planned_segment& out) {
    ++counters_.nodes;
    table<stage_outline> stages(1);
    stages[0].where = region_;
    for (std::uint32_t v = first; v < last; ++v) stages[0].operators.push_back(v);
    return planner_.plan(stages, b, out);
  }

  /// The first incumbent: every operator a segment of its own.
  constexpr void singles() {
    table<piece> pieces;
    std::int64_t sum = 0;
    for (std::uint32_t v = 0; v < work_.size(); ++v) {
      piece best{v, v + 1, {}};
      for (std::size_t k = sub_batches_.size(); k-- > 0;) {
        planned_segment g;
        if (!plan(v, v + 1, sub_batches_[k], g)) continue;
        if (g.cycles < best.plan.cycles) best.plan = static_cast<planned_segment&&>(g);
        break;
      }
      if (best.plan.cycles == unbounded) return;
      sum = saturating_add(sum, best.plan.cycles);
      pieces.push_back(static_cast<piece&&>(best));
    }
    take(pieces, sum);
  }

  constexpr void take(const table<piece>& pieces, std::int64_t value) {
    if (value >= value_) return;
    value_ = value;
    pieces_ = pieces;
    ++counters_.incumbents;
  }

  /// Dynamic programming over where segments end.
  constexpr void segmentation() {
    const std::uint32_t n = work_.size();
    table<std::int64_t> least(n + 1, unbounded);
    table<piece> by(n + 1);
    least[0] = 0;
    for (std::uint32_t i = 0; i < n && !stopped_; ++i) {
      if (least[i] == unbounded) continue;
      for (std::int64_t b : sub_batches_) {
        std::uint32_t misses = 0;
        for (std::uint32_t j = i + 1; j <= n; ++j) {
          planned_segment g;
          if (!plan(i, j, b, g)) {
            if (++misses > 24) break;
            continue;
          }
          const std::int64_t sum = saturating_add(least[i], g.cycles);
          if (sum < least[j]) {
            least[j] = sum;
            by[j] = {i, j, static_cast<planned_segment&&>(g)};
          }
        }
        if (!tell()) break;
      }
    }
    if (least[n] == unbounded) return;
    table<piece> reversed;
    for (std::uint32_t j = n; j > 0; j = by[j].first) reversed.push_back(by[j]);
    table<piece> pieces;
    for (std::size_t k = reversed.size(); k-- > 0;) pieces.push_back(reversed[k]);
    take(pieces, least[n]);
  }

  constexpr result<batch_mapping> answer() {
    if (value_ == unbounded)
      return make_error(errc::mapping_infeasible, w_.name.view(), "no operator sequence fits");
    batch_mapping m;
    for (const piece& p : pieces_) append(m, p.plan, work_);
    m.bound = lesser(bound_, value_);
    m.counters = counters_;
    m.status = m.bound == value_ ? search_status::proven : status_;
    return m;
  }

  const workload& w_;
  const batch_work& work_;
  const pe_array& array_;
  segment_planner<Predictor> planner_;
  batch_options options_;
  Callback& callback_;
  table<std::int64_t> sub_batches_;
  rectangle region_;
  table<piece> pieces_;
  std::int64_t value_ = unbounded;
  std::int64_t bound_ = 0;
  search_counters counters_;
  search_status status_ = search_status::stopped_by_limit;
  bool stopped_ = false;
};

}  // namespace detail

/// Maps a workload with its batch onto an array: segments of operators, through which the batch
/// flows in sub-batches.
template <class Callback = keep_going, tile_predictor Predictor = cycle_model>
constexpr result<batch_mapping> map_batch(const workload& w, const pe_array& array,
                                          const batch_options& options = {},
                                          Callback&& callback = {},
                                          const Predictor& predictor = {}) {
  if (const auto valid = validate(array); !valid) return valid.error();
  const auto work = batch_work_of(w);
  if (!work) return work.error();
  return detail::batch_mapper<Predictor, std::remove_reference_t<Callback>>(
             w, *work, array, predictor, options, callback)
      .run();
}

}  // namespace wf
