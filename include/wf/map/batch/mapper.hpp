// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/batch/options.hpp>
#include <wf/map/batch/proposal_check.hpp>
#include <wf/map/batch/segment_cache.hpp>
#include <wf/map/batch/segment_lookahead.hpp>
#include <wf/map/batch/slicing.hpp>
#include <wf/map/batch/stage_shapes.hpp>
#include <wf/map/batch/strategy.hpp>
#include <wf/search/run_control.hpp>

namespace wf {

namespace detail {

/// The search on one array, perhaps a part of the whole. Dead PEs leave regions without any: the
/// largest is used alone, or together with others that a chain of stages passes through.
template <tile_predictor Predictor, batch_strategy Strategies, class Callback,
          class Executor = const in_turn>
class batch_mapper {
 public:
  constexpr batch_mapper(const workload& w, const batch_work& work, const group_order& order,
                         const pe_array& array, const Predictor& predictor,
                         const Strategies& strategies, const batch_options& options,
                         Callback& callback, Executor& executor)
      : w_(w),
        work_(work),
        order_(order),
        array_(array),
        planner_(work, array, predictor),
        strategies_(strategies),
        options_(options),
        callback_(callback),
        ahead_(work, array, predictor, executor),
        shapes_(work, array, usable_regions(array)),
        region_(shapes_.regions()[0]),
        check_(work, array, options.stages_keep_results),
        control_(options.limits) {
    for (std::int64_t b = 1; b <= work.batch; ++b)
      if (work.batch % b == 0) sub_batches_.push_back(b);
  }

  /// Finds the first incumbent, with each group in its own segment; false if one fits nowhere, see
  /// `misfit`.
  constexpr bool start(std::int64_t bound) {
    bound_ = bound;
    return singles();
  }
  /// Runs the rest of the search: segmentations, then improvements.
  constexpr void search(std::int64_t bound) {
    bound_ = bound;
    const group_order given = order_, levelled = by_level(given);
    const bool is_new = !(levelled.operators == given.operators);
    for (const bool side_by_side : {false, true})
      for (const group_order* order : {&given, &levelled}) {
        if (!tell() || (order == &levelled && !is_new)) continue;
        order_ = *order;
        plans_.clear();
        if (!side_by_side || slice()) segmentation();
      }
    improve();
  }
  /// Calls the callback and checks the limits; false if the search has to stop.
  constexpr bool tell() {
    if (control_.stopped()) return false;
    if (!control_.report(callback_, {value_, bound_, counters_.nodes, 0})) return false;
    if (value_ <= bound_) control_.stop(search_status::stopped_by_limit);
    return control_.is_within(counters_.nodes, steps());
  }
  /// Makespan of the best mapping, in cycles.
  constexpr std::int64_t value() const { return value_; }
  /// The segments of the best mapping.
  constexpr const table<segment_outline>& best() const { return best_; }
  /// Counters of the search; nodes are segments planned.
  constexpr const search_counters& counters() const { return counters_; }
  /// The reason why it ended: a limit or the caller.
  constexpr search_status status() const { return control_.reason(); }
  /// Elementary steps of the planner, including those of segments planned ahead.
  constexpr std::uint64_t steps() const { return planner_.steps() + steps_ahead_; }
  /// The error for the group that `start` could not place: `mapping_infeasible`.
  constexpr error misfit() const {
    const text& label = w_.operators[work_.graph.operators[misfit_].source].label;
    return make_error(errc::mapping_infeasible, label.view(),
                      text() << "needs at least " << planner_.least_shortage()
                             << " bytes in each of " << region_.area() << " PEs, a PE has "
                             << array_.memory_bytes << ": see parts_that_fit");
  }

 private:
  /// The best last segment of a prefix of the groups, and the cycles of the prefix.
  struct ending {
    std::int64_t cycles = unbounded;
    std::uint32_t first = 0;
    std::uint32_t sub_batch = 0;  // index into the sub-batches
    bool side_by_side = false;
    std::uint32_t regions = 1;
  };

  constexpr std::int64_t cycles_of(const table<stage_outline>& stages, std::int64_t b) {
    ++counters_.nodes;
    return planner_.plan(stages, b, scratch_) ? scratch_.cycles : unbounded;
  }
  /// The cycles of a segment that may have been planned ahead under a key.
  constexpr std::int64_t cycles_of(std::uint64_t key, const table<stage_outline>& stages,
                                   std::int64_t b) {
    if constexpr (lookahead::works)
      if (const auto* known = ahead_.find(key)) {
        ++counters_.nodes;
        steps_ahead_ += known->steps;
        return known->cycles;
      }
    return cycles_of(stages, b);
  }
  /// Finds or plans the cycles of the run that ends at `j`; false if the search has to stop.
  /// `key(j)` is the key of a run; `outline(j, stages)` fills its stages, or returns false if there
  /// are none. The next runs up to `last` are planned ahead.
  template <class Key, class Outline>
  constexpr bool find_run(std::uint32_t j, std::uint32_t last, std::int64_t b, Key&& key,
                          Outline&& outline, std::int64_t& cycles) {
    const std::uint64_t own = key(j);
    if (const std::int64_t* known = cache_.find(own)) {
      cycles = *known;
      ++counters_.duplicates;
      return true;
    }
    if (!tell()) return false;
    look_ahead(j, last, b, key, outline);
    cycles = outline(j, outline_) ? cycles_of(own, outline_, b) : unbounded;
    cache_.add(own, cycles);
    return true;
  }
  constexpr void forget_what_is_ahead() {
    ahead_until_ = 0;
    if constexpr (lookahead::works) ahead_.clear();
  }
  /// Plans the runs that end at `from` and soon after ahead, except those planned before; does
  /// nothing if `from` is among the last ones planned ahead.
  template <class Key, class Outline>
  constexpr void look_ahead(std::uint32_t from, std::uint32_t last, std::int64_t b, Key&& key,
                            Outline&& outline) {
    if constexpr (lookahead::works) {
      if (from < ahead_until_) return;
      ahead_until_ = from + at_once;
      ahead_.clear();
      for (std::uint32_t j = from; j <= last && j < ahead_until_; ++j)
        if (const std::uint64_t k = key(j); cache_.find(k) == nullptr && outline(j, ahead_outline_))
          ahead_.add(k, ahead_outline_, b);
      ahead_.run();
    }
  }

  /// The first incumbent: each group in its own segment. False if one fits nowhere.
  constexpr bool singles() {
    table<segment_outline> all(order_.size());
    table<std::int64_t> cycles(order_.size(), unbounded);
    std::int64_t sum = 0;
    for (std::uint32_t g = 0; g < order_.size(); ++g) {
      shapes_.whole(order_, g, g + 1, all[g].stages);
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

  constexpr void take(table<segment_outline>& segments, std::int64_t value) {
    if (value >= value_) return;
    value_ = value;
    best_.swap(segments);
    ++counters_.incumbents;
  }

  /// Computes floor plans for each sub-batch; false if there are none, or the search has to stop.
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
      if constexpr (!lookahead::works) do {
          if (!tell()) return false;
        } while (plans_.back().extend());
    }
    return slice_at_once();
  }
  /// Extends all floor plans concurrently, if there are threads; false if the search has to stop.
  constexpr bool slice_at_once() {
    if constexpr (lookahead::works) {
      table<char> goes_on(plans_.size(), char{1});
      for (bool any = true; any;) {
        if (!tell()) return false;
        ahead_.each(plans_.size(), [&](std::size_t k) {
          for (int i = 0; i < 4 && goes_on[k] != 0; ++i) goes_on[k] = plans_[k].extend() ? 1 : 0;
        });
        any = false;
        for (const char c : goes_on) any = any || c != 0;
      }
    }
    return true;
  }

  /// Dynamic programming over the ends of segments in the order. A run takes the cycles of an equal
  /// run planned before.
  constexpr void segmentation() {
    const std::uint32_t n = order_.size();
    endings_ = table<ending>(n + 1);
    endings_[0].cycles = 0;
    run_signatures signatures(work_, order_.operators);
    table<std::uint64_t> keys;
    for (std::uint32_t i = 0; i < n && !control_.stopped(); ++i) {
      if (endings_[i].cycles == unbounded) continue;
      keys.clear();
      signatures.start(order_.begin_of(i));
      for (std::uint32_t k = 0; k < sub_batches_.size() && tell(); ++k) {
        whole_stages(i, k, signatures, keys);
        if (k < plans_.size() && !control_.stopped()) sliced_stages(i, k, signatures, keys);
        for (std::uint32_t count = 2; count <= shapes_.regions().size() && !control_.stopped();
             ++count)
          chained_stages(i, k, count, signatures, keys);
      }
    }
    finish();
  }
  /// The signature of the groups i … j - 1, independent of the way they run.
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
                       std::int64_t cycles, std::uint32_t regions = 1) {
    const std::int64_t sum = saturating_add(endings_[i].cycles, cycles);
    if (sum < endings_[j].cycles) endings_[j] = {sum, i, k, side_by_side, regions};
  }
  constexpr void whole_stages(std::uint32_t i, std::uint32_t k, run_signatures& signatures,
                              table<std::uint64_t>& keys) {
    std::uint32_t misses = 0;
    forget_what_is_ahead();
    const auto key = [&](std::uint32_t j) { return key_of(i, j, signatures, keys) * 257 + 2 * k; };
    const auto outline = [&](std::uint32_t j, table<stage_outline>& out) {
      if (!options_.stages_keep_results && !shapes_.are_independent(order_, i, j)) return false;
      shapes_.whole(order_, i, j, out);
      return true;
    };
    for (std::uint32_t j = i + 1; j <= order_.size() && misses <= most_misses; ++j) {
      if (!options_.stages_keep_results && !shapes_.are_independent(order_, i, j)) break;
      std::int64_t cycles = unbounded;
      if (!find_run(j, order_.size(), sub_batches_[k], key, outline, cycles)) return;
      misses = cycles == unbounded ? misses + 1 : 0;
      offer(i, j, k, false, cycles);
    }
  }
  constexpr void chained_stages(std::uint32_t i, std::uint32_t k, std::uint32_t count,
                                run_signatures& signatures, table<std::uint64_t>& keys) {
    if (!options_.stages_keep_results) return;
    std::uint32_t misses = 0;
    forget_what_is_ahead();
    const auto key = [&](std::uint32_t j) {
      return (key_of(i, j, signatures, keys) * 257 + 2 * k) * 31 + count;
    };
    const auto outline = [&](std::uint32_t j, table<stage_outline>& out) {
      return shapes_.chain(order_, i, j, count, out);
    };
    for (std::uint32_t j = i + count; j <= order_.size() && misses <= most_misses; ++j) {
      std::int64_t cycles = unbounded;
      if (!find_run(j, order_.size(), sub_batches_[k], key, outline, cycles)) return;
      misses = cycles == unbounded ? misses + 1 : 0;
      offer(i, j, k, false, cycles, count);
    }
  }
  constexpr void sliced_stages(std::uint32_t i, std::uint32_t k, run_signatures& signatures,
                               table<std::uint64_t>& keys) {
    const std::int64_t b = sub_batches_[k];
    forget_what_is_ahead();
    const auto key = [&](std::uint32_t j) {
      return key_of(i, j, signatures, keys) * 257 + 2 * k + 1;
    };
    const auto promises = [&](std::uint32_t j) {
      const std::int64_t slowest = plans_[k].value(i, j - i);
      return slowest != unbounded &&
             saturating_add(endings_[i].cycles, slowest * (work_.batch / b)) < endings_[j].cycles;
    };
    const auto outline = [&](std::uint32_t j, table<stage_outline>& out) {
      if (!promises(j)) return false;
      plans_[k].outline(i, j - i, out);
      return out.size() > 1;
    };
    const std::uint32_t last = order_.size() - i < longest_ ? order_.size() : i + longest_;
    for (std::uint32_t j = i + 2; j <= last; ++j) {
      if (!promises(j)) continue;
      std::int64_t cycles = unbounded;
      if (!find_run(j, last, b, key, outline, cycles)) return;
      offer(i, j, k, true, cycles);
    }
  }

  /// Assembles the best segmentation; if the search was stopped before its end, each remaining
  /// group is its own segment.
  constexpr void finish() {
    const std::uint32_t n = order_.size();
    table<segment_outline> segments;
    std::uint32_t end = n;
    while (endings_[end].cycles == unbounded) --end;
    for (std::uint32_t j = end; j > 0; j = endings_[j].first) {
      const ending& e = endings_[j];
      segment_outline d;
      d.sub_batch = sub_batches_[e.sub_batch];
      if (e.side_by_side)
        plans_[e.sub_batch].outline(e.first, j - e.first, d.stages);
      else if (e.regions > 1)
        shapes_.chain(order_, e.first, j, e.regions, d.stages);
      else
        shapes_.whole(order_, e.first, j, d.stages);
      segments.push_back(static_cast<segment_outline&&>(d));
    }
    for (std::size_t k = 0; 2 * k + 1 < segments.size(); ++k) {
      segment_outline& other = segments[segments.size() - 1 - k];
      const segment_outline kept = other;
      other = segments[k];
      segments[k] = kept;
    }
    std::int64_t value = 0;
    for (const segment_outline& d : segments)
      value = saturating_add(value, cycles_of(d.stages, d.sub_batch));
    for (std::uint32_t g = end; g < n; ++g) {
      segment_outline d;
      shapes_.whole(order_, g, g + 1, d.stages);
      std::int64_t least = unbounded;
      for (std::int64_t b : sub_batches_) {
        const std::int64_t x = cycles_of(d.stages, b);
        if (x < least) {
          least = x;
          d.sub_batch = b;
        }
      }
      value = saturating_add(value, least);
      segments.push_back(static_cast<segment_outline&&>(d));
    }
    take(segments, value);
  }

  /// Local search: applies the best proposal of the strategies for a segment, as long as proposals
  /// reduce the cycles.
  constexpr void improve() {
    table<std::int64_t> cycles;
    for (const segment_outline& g : best_) cycles.push_back(cycles_of(g.stages, g.sub_batch));
    const batch_space space{sub_batches_, region_};
    const std::uint64_t last = counters_.nodes + options_.improvements;
    std::size_t since = 0;  // segments examined since the last change
    for (std::size_t s = 0; since < best_.size() && tell() && counters_.nodes < last;) {
      if (s >= best_.size()) s = 0;
      table<segment_outline> best;
      table<std::int64_t> best_cycles, each;
      std::int64_t gain = 0;
      std::size_t replaced = 0;
      const bool has_next = s + 1 < best_.size();
      look_at_proposals(space, s, has_next);
      std::uint64_t number = 0;
      strategies_.apply(space, best_[s], has_next ? &best_[s + 1] : nullptr,
                        [&](const table<segment_outline>& proposed) {
                          const std::uint64_t key = proposal_key(number++);
                          if (counters_.nodes >= last || !tell()) return;
                          const std::size_t count = check_.replaced_by(proposed, best_, s, order_);
                          if (count == 0) return;
                          std::int64_t before = cycles[s], after = 0;
                          if (count == 2) before += cycles[s + 1];
                          each.clear();
                          for (const segment_outline& g : proposed) {
                            if (after >= before - gain) return;
                            each.push_back(cycles_of(key + each.size(), g.stages, g.sub_batch));
                            after = saturating_add(after, each.back());
                          }
                          if (after >= before - gain) return;
                          gain = before - after;
                          best = proposed;
                          best_cycles = each;
                          replaced = count;
                        });
      if (gain == 0) {
        ++since;
        ++s;
        continue;
      }
      replace(best_, s, replaced, best);
      replace(cycles, s, replaced, best_cycles);
      value_ -= gain;
      ++counters_.incumbents;
      since = 0;
      s = s == 0 ? 0 : s - 1;
    }
  }
  // The key of a proposal's first segment; the keys of the others follow.
  static constexpr std::uint64_t proposal_key(std::uint64_t number) { return number << 32; }
  /// Plans all allowed proposals for a segment ahead.
  constexpr void look_at_proposals(const batch_space& space, std::size_t s, bool has_next) {
    if constexpr (lookahead::works) {
      ahead_.clear();
      std::uint64_t number = 0;
      strategies_.apply(space, best_[s], has_next ? &best_[s + 1] : nullptr,
                        [&](const table<segment_outline>& proposed) {
                          std::uint64_t key = proposal_key(number++);
                          if (check_.replaced_by(proposed, best_, s, order_) == 0) return;
                          for (const segment_outline& g : proposed)
                            ahead_.add(key++, g.stages, g.sub_batch);
                        });
      ahead_.run();
    }
  }
  template <class T>
  static constexpr void replace(table<T>& list, std::size_t at, std::size_t count,
                                const table<T>& by) {
    table<T> out;
    for (std::size_t k = 0; k < at; ++k) out.push_back(list[k]);
    for (const T& x : by) out.push_back(x);
    for (std::size_t k = at + count; k < list.size(); ++k) out.push_back(list[k]);
    list.swap(out);
  }
  /// Number of successive infeasible runs after which longer ones are not tried: they need more
  /// memory, except where results come to be read inside.
  static constexpr std::uint32_t most_misses = 24;
  /// Number of runs planned ahead at once.
  static constexpr std::uint32_t at_once = 32;
  using lookahead = segment_lookahead<Predictor, Executor>;

  const workload& w_;
  const batch_work& work_;
  group_order order_;
  const pe_array& array_;
  segment_planner<Predictor> planner_;
  const Strategies& strategies_;
  batch_options options_;
  Callback& callback_;
  lookahead ahead_;
  table<stage_outline> ahead_outline_;
  std::uint32_t ahead_until_ = 0;  // runs that end before it were planned ahead
  std::uint64_t steps_ahead_ = 0;
  table<std::int64_t> sub_batches_;
  std::uint32_t misfit_ = 0;
  stage_shapes shapes_;
  rectangle region_;  // the largest usable one
  proposal_check check_;
  table<slicing<Predictor>> plans_;
  std::uint32_t longest_ = 0;
  table<ending> endings_;
  segment_cache cache_;
  table<stage_outline> outline_;
  planned_segment scratch_;
  table<segment_outline> best_;
  std::int64_t value_ = unbounded;
  std::int64_t bound_ = 0;
  search_counters counters_;
  run_control control_;
};

}  // namespace detail

}  // namespace wf
