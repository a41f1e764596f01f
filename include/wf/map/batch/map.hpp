// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/bound.hpp>
#include <wf/map/batch/mapper.hpp>
#include <wf/search/run_control.hpp>

namespace wf {

namespace detail {

/// One run of `map`: the search on the whole array, and with `every_part` on its parts.
template <tile_predictor Predictor, batch_strategy Strategies, class Callback, class Executor>
class batch_search {
 public:
  constexpr batch_search(const workload& w, const batch_work& work, const group_order& order,
                         const pe_array& array, const Predictor& predictor,
                         const Strategies& strategies, const batch_options& options,
                         Callback& callback, Executor& executor)
      : w_(w),
        work_(work),
        order_(order),
        array_(array),
        planner_(work, array, predictor),
        predictor_(predictor),
        strategies_(strategies),
        options_(options),
        callback_(callback),
        executor_(executor),
        control_(options.limits.resolved()) {}

  constexpr result<batch_mapping> run() {
    list_parts();
    if (parts_.empty())
      return make_error(errc::mapping_infeasible, w_.name.view(), "every PE of the array is dead");
    bound_ = ceil_div(work_.least_traffic(), array_.dram_bytes_per_cycle);
    error misfit;
    for (std::size_t k = 0; k < parts_.size() && !control_.stopped(); ++k) {
      if (k > 0 && part_bound(k) >= mapping_.makespan && found_) continue;
      const error e = search(k);
      if (k == 0) misfit = e;
    }
    if (!found_) return misfit;
    mapping_.bound = lesser(bound_, mapping_.makespan);
    mapping_.counters = counters_;
    mapping_.status =
        mapping_.bound == mapping_.makespan ? search_status::proven : control_.reason();
    return static_cast<batch_mapping&&>(mapping_);
  }

 private:
  /// Lists the largest usable rectangle, which stands for the whole array; with `every_part` also
  /// one of each shape.
  constexpr void list_parts() {
    const rectangle largest = largest_usable(array_);
    if (!largest.empty()) parts_.push_back(largest);
    if (!options_.every_part) return;
    for (std::int32_t r = 1; r <= array_.rows; ++r)
      for (std::int32_t c = 1; c <= array_.columns; ++c) {
        bool found = array_.dead.empty() && largest == rectangle{0, 0, r, c};
        for (std::int32_t y = 0; !found && y + r <= array_.rows; ++y)
          for (std::int32_t x = 0; !found && x + c <= array_.columns; ++x)
            if (array_.usable({y, x, r, c})) {
              parts_.push_back({y, x, r, c});
              found = true;
            }
      }
    stable_sort(parts_, [](const rectangle& a, const rectangle& b) { return a.area() > b.area(); });
  }
  constexpr std::int64_t alive() const {
    std::int64_t n = 0;
    for (std::int32_t y = 0; y < array_.rows; ++y)
      for (std::int32_t x = 0; x < array_.columns; ++x) n += array_.usable({y, x, 1, 1});
    return n;
  }
  /// Lower bound on the makespan of mappings on a part.
  constexpr std::int64_t part_bound(std::size_t k) const {
    return larger(bound_, ceil_ratio(area_, parts_[k].area()));
  }

  /// Searches a part and keeps its mapping if it is better.
  constexpr error search(std::size_t k) {
    pe_array part = array_;
    rectangle corner;
    // The first part stands for the whole array, with its dead PEs.
    if (k > 0) {
      part.rows = parts_[k].rows;
      part.columns = parts_[k].columns;
      part.dead.clear();
      corner = parts_[k];
    }
    const std::uint64_t before = counters_.nodes;
    const auto told = [&](const search_progress& p) {
      return static_cast<bool>(
          callback_(search_progress{found_ ? lesser(mapping_.makespan, p.incumbent) : p.incumbent,
                                    bound_, before + p.nodes, 0}));
    };
    batch_options options = options_;
    options.limits = control_.limits().left_after(before, steps_);
    batch_mapper<Predictor, Strategies, const decltype(told), Executor> mapper(
        w_, work_, order_, part, predictor_, strategies_, options, told, executor_);
    const bool fits = mapper.start(bound_);
    if (fits && mapper.tell()) {
      if (k == 0) {
        table<std::int64_t> sub_batches;
        for (std::int64_t b = 1; b <= work_.batch; ++b)
          if (work_.batch % b == 0) sub_batches.push_back(b);
        area_ = least_area(planner_, sub_batches, [&] { return mapper.tell(); });
        bound_ = larger(bound_, ceil_ratio(area_, alive()));
      }
      mapper.search(part_bound(k));
    }
    counters_.add(mapper.counters());
    steps_ += mapper.steps();
    if (mapper.status() == search_status::stopped_by_caller) control_.stop(mapper.status());
    control_.is_within(counters_.nodes, steps_);
    if (!fits) return mapper.misfit();
    take(mapper.best(), corner);
    return {};
  }
  /// Replans the segments of a part on the whole array, where a line between PEs may have more
  /// links.
  constexpr void take(table<segment_outline> segments, const rectangle& part) {
    batch_mapping m;
    planned_segment plan;
    for (segment_outline& g : segments) {
      for (stage_outline& s : g.stages) {
        s.where.row += part.row;
        s.where.column += part.column;
      }
      planner_.plan(g.stages, g.sub_batch, plan);
      append(m, plan, work_);
    }
    if (found_ && m.makespan >= mapping_.makespan) return;
    found_ = true;
    mapping_ = static_cast<batch_mapping&&>(m);
  }

  const workload& w_;
  const batch_work& work_;
  const group_order& order_;
  const pe_array& array_;
  segment_planner<Predictor> planner_;
  const Predictor& predictor_;
  const Strategies& strategies_;
  batch_options options_;
  Callback& callback_;
  Executor& executor_;
  table<rectangle> parts_;
  std::int64_t bound_ = 0;
  int128 area_ = 0;
  bool found_ = false;
  batch_mapping mapping_;
  search_counters counters_;
  std::uint64_t steps_ = 0;
  run_control control_;
};

}  // namespace detail

/// Maps a workload with its batch onto an array: consecutive segments of concurrent stages, through
/// which the batch flows in sub-batches. docs/explanation/mapping.md describes the model;
/// `segment_planner` and `segment_clock` state its rules.
///
/// Anytime: a mapping operator by operator comes at once. The callback receives incumbent, bound
/// and gap and may stop the search, which then completes its current mapping. The bound is valid
/// for every mapping of the model. Deterministic with any executor, unless the callback stops it:
/// an executor with threads computes floor plans concurrently and plans segments ahead of the
/// search, and calls the predictor from its threads.
///
/// Errors: those of `validate` for array and workload; `mapping_infeasible` if an operator (or
/// group) fits no segment, naming it, the PEs and the bytes (`parts_that_fit` may help), or if all
/// PEs are dead; `invalid_problem` for groups that wait for each other. Time: O(operators² ·
/// sub-batches) segments planned at most, and the floor plans of `slicing`. Also in constant
/// evaluation for a handful of operators.
template <class Callback = keep_going, tile_predictor Predictor = cycle_model,
          batch_strategy Strategies = all_batch_strategies, task_executor Executor = const in_turn>
constexpr result<batch_mapping> map(const workload& w, const pe_array& array,
                                    const batch_options& options, Callback&& callback = {},
                                    const Predictor& predictor = {},
                                    const Strategies& strategies = {},
                                    Executor&& executor = in_turn{}) {
  if (const auto valid = validate(array); !valid) return valid.error();
  const auto work = batch_work_of(w);
  if (!work) return work.error();
  const auto order = order_of(options.groups, work->graph, w);
  if (!order) return order.error();
  return detail::batch_search<Predictor, Strategies, std::remove_reference_t<Callback>,
                              std::remove_reference_t<Executor>>(
             w, *work, *order, array, predictor, strategies, options, callback, executor)
      .run();
}

}  // namespace wf
