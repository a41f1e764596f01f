// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch_slicing.hpp>
#include <wf/map/segment_cache.hpp>

namespace wf {

/// How far `map_batch` goes, and what it may use.
struct batch_options {
  /// Limits of the search: nodes are segments planned. Zeros stand for the defaults.
  search_limits limits;
  /// False: no operator reads a result of its own stage, so that results pass on chip only between
  /// stages that work side by side, and through DRAM otherwise.
  bool stages_keep_results = true;
  /// Operators that share a stage; empty: each may have its own.
  operator_groups groups;
  /// The most groups of a segment of stages side by side; 1: none are tried. Large workloads and
  /// arrays try fewer: groups · groups² of a segment · PEs stay below `side_by_side_work`.
  std::uint32_t side_by_side = 128;
  /// See `side_by_side`.
  std::uint64_t side_by_side_work = 25'000'000;
};

namespace detail {

/// No mapping has a smaller makespan: every operator takes at least its least PE cycles, those on
/// the best shape with the best sub-batch if all operands lie in its stage and all weights in its
/// PEs, and no more than all PEs work at a time. It holds for every predictor that is not faster
/// for more bytes.
/// Where `go_on()` is false, the operators left count for nothing.
template <tile_predictor Predictor, class GoOn>
constexpr std::int64_t area_bound(segment_planner<Predictor>& planner,
                                  view<std::int64_t> sub_batches, GoOn&& go_on) {
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
      if (!go_on()) break;
      loads.push_back(one);
      least.push_back(INT64_MAX);
      for (std::int64_t b : sub_batches) {
        operator_load load = planner.load_of(v, b, [](std::uint32_t) { return true; });
        load.weight_bytes = 0;
        for (std::int32_t r = 1; r <= a.rows; ++r)
          for (std::int32_t c = 1; c <= a.columns; ++c) {
            planner.tilings(load, r, c, [&](const tiling& t) {
              const int128 cycles = static_cast<int128>(t.cycles + planner.spread_cycles(r, c)) *
                                    (w.batch / b) * r * c;
              if (cycles < least[k]) least[k] = static_cast<std::int64_t>(cycles);
            });
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
  constexpr batch_mapper(const workload& w, const batch_work& work, const group_order& order,
                         const pe_array& array, const Predictor& predictor,
                         const batch_options& options, Callback& callback)
      : w_(w),
        work_(work),
        order_(order),
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
    if (!singles()) return misfit();
    if (tell()) {
      bound_ = larger(bound_, area_bound(planner_, sub_batches_, [&] { return tell(); }));
      const group_order given = order_, levelled = by_level(given);
      const bool is_new = !(levelled.operators == given.operators);
      for (const bool side_by_side : {false, true})
        for (const group_order* order : {&given, &levelled}) {
          if (!tell() || (order == &levelled && !is_new)) continue;
          order_ = *order;
          plans_.clear();
          if (!side_by_side || slice()) segmentation();
        }
    }
    return answer();
  }

 private:
  /// A segment that is decided, but for its cuts.
  struct decided {
    table<stage_outline> stages;
    std::int64_t sub_batch = 1;
  };
  /// The best last segment of the groups before a place, and the cycles up to there.
  struct ending {
    std::int64_t cycles = unbounded;
    std::uint32_t first = 0;
    std::uint32_t sub_batch = 0;  // index into the sub-batches
    bool side_by_side = false;
  };

  constexpr bool tell() {
    if (stopped_) return false;
    if (!callback_(search_progress{value_, bound_, counters_.nodes, 0})) {
      stopped_ = true;
      status_ = search_status::stopped_by_caller;
    } else if (value_ <= bound_ || counters_.nodes >= options_.limits.max_nodes ||
               planner_.steps() >= options_.limits.max_steps) {
      stopped_ = true;
    }
    return !stopped_;
  }

  /// One stage for the groups first … last - 1 of the order.
  constexpr void one_stage(std::uint32_t first, std::uint32_t last, table<stage_outline>& out) {
    out.resize(1);
    out[0].where = region_;
    out[0].operators.clear();
    for (std::uint32_t k = order_.begin_of(first); k < order_.ends[last - 1]; ++k)
      out[0].operators.push_back(order_.operators[k]);
  }
  constexpr std::int64_t cycles_of(const table<stage_outline>& stages, std::int64_t b) {
    ++counters_.nodes;
    return planner_.plan(stages, b, scratch_) ? scratch_.cycles : unbounded;
  }

  /// The first incumbent: every group a segment of its own. False if one fits nowhere.
  constexpr bool singles() {
    table<decided> all(order_.size());
    table<std::int64_t> cycles(order_.size(), unbounded);
    std::int64_t sum = 0;
    for (std::uint32_t g = 0; g < order_.size(); ++g) {
      one_stage(g, g + 1, all[g].stages);
      for (std::size_t k = sub_batches_.size(); k-- > 0;) {
        const std::int64_t x = cycles_of(all[g].stages, sub_batches_[k]);
        if (x >= cycles[g]) continue;
        cycles[g] = x;
        all[g].sub_batch = sub_batches_[k];
      }
      if (cycles[g] == unbounded) {
        misfit_ = order_.operators[order_.begin_of(g)];
        return false;
      }
      sum = saturating_add(sum, cycles[g]);
    }
    take(all, sum);
    return true;
  }

  constexpr void take(table<decided>& segments, std::int64_t value) {
    if (value >= value_) return;
    value_ = value;
    best_.swap(segments);
    ++counters_.incumbents;
  }

  /// True if no operator of the groups first … last - 1 reads the result of another one.
  constexpr bool independent(std::uint32_t first, std::uint32_t last) const {
    for (std::uint32_t k = order_.begin_of(first); k < order_.ends[last - 1]; ++k)
      for (const prepared_operand& o : work_.graph.operands_of(order_.operators[k]))
        for (std::uint32_t j = order_.begin_of(first); j < k; ++j)
          if (order_.operators[j] == o.producer) return false;
    return true;
  }

  /// Floor plans for each sub-batch; false if there are none, or the search has to stop.
  constexpr bool slice() {
    const auto shapes = static_cast<std::uint64_t>(region_.area());
    longest_ = options_.side_by_side;
    while (longest_ > 1 &&
           std::uint64_t{longest_} * longest_ > options_.side_by_side_work / order_.size() / shapes)
      --longest_;
    if (longest_ < 2 || region_.area() < 2) return false;
    for (std::int64_t b : sub_batches_) {
      plans_.push_back(
          slicing<Predictor>(planner_, order_, region_, b, longest_, options_.stages_keep_results));
      do {
        if (!tell()) return false;
      } while (plans_.back().extend());
    }
    return true;
  }

  /// Dynamic programming over where segments of the order end. A run whose like was planned before
  /// costs what that one cost.
  constexpr void segmentation() {
    const std::uint32_t n = order_.size();
    endings_ = table<ending>(n + 1);
    endings_[0].cycles = 0;
    run_signatures signatures(work_, order_.operators);
    table<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < n && !stopped_; ++i) {
      if (endings_[i].cycles == unbounded) continue;
      keys.clear();
      signatures.start(order_.begin_of(i));
      for (std::uint32_t k = 0; k < sub_batches_.size() && tell(); ++k) {
        whole_stages(i, k, signatures, keys);
        if (k < plans_.size() && !stopped_) sliced_stages(i, k, signatures, keys);
      }
    }
    finish();
  }
  /// The signature of the groups i … j - 1, without what distinguishes ways to run them.
  constexpr std::uint64_t key_of(std::uint32_t i, std::uint32_t j, run_signatures& signatures,
                                 table<std::uint64_t>& keys) const {
    while (keys.size() < j - i) {
      const auto g = i + static_cast<std::uint32_t>(keys.size());
      std::uint64_t key = 0;
      for (std::uint32_t k = order_.begin_of(g); k < order_.ends[g]; ++k) key = signatures.extend();
      keys.push_back(key ^ std::uint64_t{order_.ends[g] - order_.begin_of(i)} << 48);
    }
    return keys[j - i - 1];
  }
  constexpr void offer(std::uint32_t i, std::uint32_t j, std::uint32_t k, bool side_by_side,
                       std::int64_t cycles) {
    const std::int64_t sum = saturating_add(endings_[i].cycles, cycles);
    if (sum < endings_[j].cycles) endings_[j] = {sum, i, k, side_by_side};
  }
  constexpr void whole_stages(std::uint32_t i, std::uint32_t k, run_signatures& signatures,
                              table<std::uint64_t>& keys) {
    std::uint32_t misses = 0;
    for (std::uint32_t j = i + 1; j <= order_.size() && misses <= most_misses; ++j) {
      if (!options_.stages_keep_results && !independent(i, j)) break;
      const std::uint64_t key = key_of(i, j, signatures, keys) * 257 + 2 * k;
      std::int64_t cycles = unbounded;
      if (const std::int64_t* known = cache_.find(key)) {
        cycles = *known;
        ++counters_.duplicates;
      } else {
        if (!tell()) return;
        one_stage(i, j, outline_);
        cycles = cycles_of(outline_, sub_batches_[k]);
        cache_.add(key, cycles);
      }
      misses = cycles == unbounded ? misses + 1 : 0;
      offer(i, j, k, false, cycles);
    }
  }
  constexpr void sliced_stages(std::uint32_t i, std::uint32_t k, run_signatures& signatures,
                               table<std::uint64_t>& keys) {
    const std::int64_t b = sub_batches_[k];
    for (std::uint32_t j = i + 2; j <= order_.size() && j - i <= longest_; ++j) {
      const std::int64_t slowest = plans_[k].value(i, j - i);
      if (slowest == unbounded) continue;
      if (saturating_add(endings_[i].cycles, slowest * (work_.batch / b)) >= endings_[j].cycles)
        continue;
      const std::uint64_t key = key_of(i, j, signatures, keys) * 257 + 2 * k + 1;
      std::int64_t cycles = unbounded;
      if (const std::int64_t* known = cache_.find(key)) {
        cycles = *known;
        ++counters_.duplicates;
      } else {
        if (!tell()) return;
        plans_[k].outline(i, j - i, outline_);
        if (outline_.size() > 1) cycles = cycles_of(outline_, b);
        cache_.add(key, cycles);
      }
      offer(i, j, k, true, cycles);
    }
  }

  /// Takes the best way to the end; where the search was stopped on the way, every group that is
  /// left is a segment of its own.
  constexpr void finish() {
    const std::uint32_t n = order_.size();
    table<decided> segments;
    std::uint32_t end = n;
    while (endings_[end].cycles == unbounded) --end;
    for (std::uint32_t j = end; j > 0; j = endings_[j].first) {
      const ending& e = endings_[j];
      decided d;
      d.sub_batch = sub_batches_[e.sub_batch];
      if (e.side_by_side)
        plans_[e.sub_batch].outline(e.first, j - e.first, d.stages);
      else
        one_stage(e.first, j, d.stages);
      segments.push_back(static_cast<decided&&>(d));
    }
    for (std::size_t k = 0; 2 * k + 1 < segments.size(); ++k) {
      decided& other = segments[segments.size() - 1 - k];
      const decided kept = other;
      other = segments[k];
      segments[k] = kept;
    }
    std::int64_t value = 0;
    for (const decided& d : segments)
      value = saturating_add(value, cycles_of(d.stages, d.sub_batch));
    for (std::uint32_t g = end; g < n; ++g) {
      decided d;
      one_stage(g, g + 1, d.stages);
      std::int64_t least = unbounded;
      for (std::int64_t b : sub_batches_) {
        const std::int64_t x = cycles_of(d.stages, b);
        if (x < least) {
          least = x;
          d.sub_batch = b;
        }
      }
      value = saturating_add(value, least);
      segments.push_back(static_cast<decided&&>(d));
    }
    take(segments, value);
  }

  constexpr result<batch_mapping> answer() {
    batch_mapping m;
    for (const decided& d : best_) {
      planner_.plan(d.stages, d.sub_batch, scratch_);
      append(m, scratch_, work_);
    }
    m.bound = lesser(bound_, m.makespan);
    m.counters = counters_;
    m.status = m.bound == m.makespan ? search_status::proven : status_;
    return m;
  }

  /// Why the group that `singles` could not place fits nowhere.
  constexpr error misfit() const {
    const text& label = w_.operators[work_.graph.operators[misfit_].source].label;
    return make_error(errc::mapping_infeasible, label.view(),
                      text() << "needs at least " << planner_.least_shortage()
                             << " bytes in each of " << region_.area() << " PEs ("
                             << to_text(region_).view() << "), a PE has " << array_.memory_bytes
                             << ": see parts_that_fit");
  }

  /// Longer runs need more memory, but for results that come to be read inside: after so many that
  /// do not fit, none is expected to.
  static constexpr std::uint32_t most_misses = 24;

  const workload& w_;
  const batch_work& work_;
  group_order order_;
  const pe_array& array_;
  segment_planner<Predictor> planner_;
  batch_options options_;
  Callback& callback_;
  table<std::int64_t> sub_batches_;
  std::uint32_t misfit_ = 0;
  rectangle region_;
  table<slicing<Predictor>> plans_;
  std::uint32_t longest_ = 0;
  table<ending> endings_;
  segment_cache cache_;
  table<stage_outline> outline_;
  planned_segment scratch_;
  table<decided> best_;
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
  const auto order = order_of(options.groups, *work, w);
  if (!order) return order.error();
  return detail::batch_mapper<Predictor, std::remove_reference_t<Callback>>(
             w, *work, *order, array, predictor, options, callback)
      .run();
}

}  // namespace wf
