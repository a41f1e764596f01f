// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch_slicing.hpp>

namespace wf {

/// How far `map_batch` goes, and what it may use.
struct batch_options {
  /// Limits of the search: nodes are segments planned. Zeros stand for the defaults.
  search_limits limits;
  /// False: no operator reads a result of its own stage, so that results pass on chip only between
  /// stages that work side by side, and through DRAM otherwise.
  bool stages_keep_results = true;
  /// The most operators of a segment of stages side by side; 1: none are tried. Large workloads
  /// try fewer: operators · operators² of a segment stay below `side_by_side_work`.
  std::uint32_t side_by_side = 128;
  /// See `side_by_side`.
  std::uint64_t side_by_side_work = 400'000;
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
    region_ = largest_usable(array_);
    if (region_.empty())
      return make_error(errc::mapping_infeasible, w_.name.view(), "every PE of the array is dead");
    bound_ = ceil_div(work_.least_traffic(), array_.dram_bytes_per_cycle);
    for (std::uint32_t v = 0; v < work_.size(); ++v) order_.push_back(v);
    singles();
    if (tell()) {
      bound_ = larger(bound_, area_bound(planner_, sub_batches_));
      if (tell()) segmentation();
      if (tell() && level_order()) segmentation();
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

  /// One stage for the operators first … last - 1 of the order.
  constexpr bool plan(std::uint32_t first, std::uint32_t last, std::int64_t b,
                      planned_segment& out) {
    ++counters_.nodes;
    one_.resize(1);
    one_[0].where = region_;
    one_[0].operators.clear();
    for (std::uint32_t k = first; k < last; ++k) one_[0].operators.push_back(order_[k]);
    return planner_.plan(one_, b, out);
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
      }
      if (best.plan.cycles == unbounded) {
        misfit_ = v;
        return;
      }
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

  /// Orders the operators by dependency level; false if they are so already.
  constexpr bool level_order() {
    table<std::uint32_t> level(work_.size());
    for (std::uint32_t v = 0; v < work_.size(); ++v)
      for (const prepared_operand& o : work_.graph.operands_of(v))
        if (level[v] <= level[o.producer]) level[v] = level[o.producer] + 1;
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return level[a] < level[b]; };
    bool is_new = false;
    for (std::uint32_t k = 1; k < order_.size(); ++k)
      is_new = is_new || earlier(order_[k], order_[k - 1]);
    stable_sort(order_, earlier);
    return is_new;
  }

  /// True if no operator first … last - 1 of the order reads the result of another one.
  constexpr bool independent(std::uint32_t first, std::uint32_t last) const {
    for (std::uint32_t k = first; k < last; ++k)
      for (const prepared_operand& o : work_.graph.operands_of(order_[k]))
        for (std::uint32_t j = first; j < k; ++j)
          if (order_[j] == o.producer) return false;
    return true;
  }

  /// Dynamic programming over where segments of the order end.
  constexpr void segmentation() {
    const std::uint32_t n = work_.size();
    table<std::int64_t> least(n + 1, unbounded);
    table<piece> by(n + 1);
    least[0] = 0;
    const auto offer = [&](std::uint32_t i, std::uint32_t j, planned_segment& g) {
      const std::int64_t sum = saturating_add(least[i], g.cycles);
      if (sum >= least[j]) return;
      least[j] = sum;
      by[j] = {i, j, static_cast<planned_segment&&>(g)};
    };
    table<slicing<Predictor>> plans;
    std::uint32_t longest = options_.side_by_side;
    while (std::uint64_t{longest} * longest > options_.side_by_side_work / n) --longest;
    if (longest > 1 && region_.area() > 1)
      for (std::int64_t b : sub_batches_) {
        plans.push_back(slicing<Predictor>(planner_, order_, region_, b, longest,
                                           options_.stages_keep_results));
        do {
          if (!tell()) return;
        } while (plans.back().extend());
      }
    table<stage_outline> stages;
    for (std::uint32_t i = 0; i < n && !stopped_; ++i) {
      if (least[i] == unbounded) continue;
      for (std::size_t k = 0; k < sub_batches_.size(); ++k) {
        const std::int64_t b = sub_batches_[k];
        std::uint32_t misses = 0;
        for (std::uint32_t j = i + 1; j <= n && misses <= 24; ++j) {
          if ((j - i) % 16 == 0 && !tell()) break;
          if (!options_.stages_keep_results && !independent(i, j)) break;
          planned_segment g;
          if (plan(i, j, b, g))
            offer(i, j, g);
          else
            ++misses;
        }
        for (std::uint32_t j = i + 2; !plans.empty() && j <= n; ++j) {
          const std::int64_t slowest = plans[k].value(i, j - i);
          if (slowest == unbounded) {
            if (j - i >= longest) break;
            continue;
          }
          if (saturating_add(least[i], slowest * (work_.batch / b)) >= least[j]) continue;
          plans[k].outline(i, j - i, stages);
          if (stages.size() < 2) continue;
          ++counters_.nodes;
          planned_segment g;
          if (planner_.plan(stages, b, g)) offer(i, j, g);
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
    if (value_ == unbounded) return misfit();
    batch_mapping m;
    for (const piece& p : pieces_) append(m, p.plan, work_);
    m.bound = lesser(bound_, value_);
    m.counters = counters_;
    m.status = m.bound == value_ ? search_status::proven : status_;
    return m;
  }

  /// Why the operator that `singles` could not place fits nowhere.
  constexpr error misfit() const {
    const text& label = w_.operators[work_.graph.operators[misfit_].source].label;
    return make_error(errc::mapping_infeasible, label.view(),
                      text() << "needs at least " << planner_.least_shortage()
                             << " bytes in each of " << region_.area() << " PEs ("
                             << to_text(region_).view() << "), a PE has " << array_.memory_bytes
                             << ": see parts_that_fit");
  }

  const workload& w_;
  const batch_work& work_;
  const pe_array& array_;
  segment_planner<Predictor> planner_;
  batch_options options_;
  Callback& callback_;
  table<std::int64_t> sub_batches_;
  std::uint32_t misfit_ = 0;
  rectangle region_;
  table<std::uint32_t> order_;
  table<stage_outline> one_;
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
