// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/place/map.hpp>

namespace wf {

/// A mapping onto a part of an array; the rest of the array idles, and the part has the whole DRAM
/// bandwidth.
struct part_mapping {
  /// The part, as a rectangle of the whole array.
  rectangle part;
  /// The part as an array of its own: `placed` is a mapping onto it.
  pe_array array;
  /// The mapping; its rectangles are relative to the corner of the part.
  mapping placed;
  /// Lower bound, in cycles, on the makespan of mappings onto any part.
  std::int64_t bound = 0;
  /// Status of the search; `proven` if makespan and bound are equal.
  search_status status = search_status::stopped_by_limit;
  /// Number of candidate parts.
  std::uint32_t parts = 0;
  /// Number of parts searched; unless the search was stopped, the others cannot hold a shorter
  /// mapping.
  std::uint32_t searched = 0;

  /// True if the makespan is proven optimal over all parts.
  constexpr bool proven() const { return status == search_status::proven; }
  /// The relative optimality gap: (makespan - bound) / makespan.
  constexpr ratio gap() const { return gap_between(placed.makespan, bound); }
};

/// A part of an array as an array of its own: with the same figures, the DRAM bandwidth included,
/// and the dead PEs inside it. O(dead PEs).
constexpr pe_array part_of(const pe_array& array, const rectangle& part) {
  pe_array out = array;
  out.rows = part.rows;
  out.columns = part.columns;
  out.dead.clear();
  for (std::uint32_t e : array.dead) {
    const auto y = static_cast<std::int32_t>(e) / array.columns;
    const auto x = static_cast<std::int32_t>(e) % array.columns;
    if (part.contains(y, x)) out.dead.push_back(out.index(y - part.row, x - part.column));
  }
  return out;
}

/// Translates constraints to a part, relative to its corner. False if they cannot hold there: an
/// operator is pinned outside of it, or kept inside a rectangle disjoint from it. O(constraints).
constexpr bool constraints_within(const map_constraints& constraints, const rectangle& part,
                                  map_constraints& out) {
  out.rules.clear();
  for (map_constraint c : constraints.rules) {
    if (c.rule != map_rule::order) {
      const auto later = [](std::int32_t a, std::int32_t b) { return a < b ? b : a; };
      const auto sooner = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
      const std::int32_t row = later(c.where.row, part.row);
      const std::int32_t column = later(c.where.column, part.column);
      const rectangle shared = {
          row, column, sooner(c.where.row + c.where.rows, part.row + part.rows) - row,
          sooner(c.where.column + c.where.columns, part.column + part.columns) - column};
      if (c.rule == map_rule::forbid && shared.empty()) continue;
      if (shared.empty() || (c.rule == map_rule::pin && !(shared == c.where))) return false;
      c.where = shared;
      c.where.row -= part.row;
      c.where.column -= part.column;
    }
    out.add(c);
  }
  return true;
}

namespace detail {

/// The search over the parts of one array.
template <class Predictor, class Strategies, class Callback, class Executor>
class part_mapper {
 public:
  constexpr part_mapper(const workload& w, const pe_array& array, const map_options& options,
                        Callback& callback, const Predictor& predictor,
                        const Strategies& strategies, Executor& executor)
      : w_(w),
        array_(array),
        options_(options),
        callback_(callback),
        predictor_(predictor),
        strategies_(strategies),
        executor_(executor) {}

  constexpr result<part_mapping> run() {
    list_parts();
    executor_(parts_.size(), [&](std::size_t i) { bound(parts_[i]); });
    if (parts_[0].failure.code != errc::none) return explained(parts_[0].failure);
    stable_sort(parts_, [](const part& a, const part& b) { return a.bound < b.bound; });
    for (std::size_t first = 0; first < parts_.size() && !stopped_; first += at_once) {
      std::size_t count = parts_.size() - first < at_once ? parts_.size() - first : at_once;
      while (count > 0 && parts_[first + count - 1].bound >= value()) --count;
      if (count == 0) break;
      executor_(count, [&](std::size_t i) { search(parts_[first + i]); });
      for (std::size_t i = 0; i < count; ++i) merge(parts_[first + i]);
      searched_ += static_cast<std::uint32_t>(count);
      if (!tell()) stopped_ = true;
    }
    return answer();
  }

 private:
  /// Number of parts searched per round, with any executor: pruning depends on the best result of
  /// the previous rounds.
  static constexpr std::size_t at_once = 8;

  struct part {
    rectangle where;
    std::int64_t bound = unbounded;  // proven by the preparation, then by the search
    error failure;
    mapping placed;
  };

  constexpr void list_parts() {
    bool has_places = !array_.dead.empty();
    for (const map_constraint& c : options_.constraints.rules)
      has_places = has_places || c.rule != map_rule::order;
    for (std::int32_t r = array_.rows; r >= 1; --r)
      for (std::int32_t c = array_.columns; c >= 1; --c)
        for (std::int32_t y = 0; y + r <= array_.rows; ++y)
          for (std::int32_t x = 0; x + c <= array_.columns; ++x)
            // Parts of one shape are equivalent if no position is special.
            if (has_places || (x == 0 && y == 0)) parts_.push_back({{y, x, r, c}, 0, {}, {}});
  }
  /// Prepares a workload for a part. Errors: those of `prepare`; `mapping_infeasible` if the
  /// constraints cannot hold there.
  constexpr result<prepared_workload> prepared(const part& p, const pe_array& array,
                                               map_constraints& rules) const {
    if (!constraints_within(options_.constraints, p.where, rules))
      return make_error(errc::mapping_infeasible, w_.name, "a constraint speaks of other PEs");
    auto ready = prepare(w_, array, predictor_);
    if (ready && !constrain(*ready, prepared_constraints(rules, *ready), array))
      return make_error(errc::mapping_infeasible, w_.name, "a constraint cannot be kept there");
    return ready;
  }
  constexpr void bound(part& p) const {
    map_constraints rules;
    const pe_array array = part_of(array_, p.where);
    const auto ready = prepared(p, array, rules);
    if (ready) {
      p.bound = ready->bound;
    } else {
      p.failure = ready.error();
      p.bound = unbounded;
    }
  }
  constexpr void search(part& p) const {
    map_options options = options_;
    const pe_array array = part_of(array_, p.where);
    const auto ready = prepared(p, array, options.constraints);
    if (!ready) return;
    const prepared_constraints rules(options.constraints, *ready);
    const auto order = order_of(options.groups, *ready, w_);
    if (!order) {
      p.failure = order.error();
      return;
    }
    const prepared_groups groups(*order, *ready);
    const keep_going on;
    const progress_callback_to<const keep_going> ask(on);
    progress_teller tell(ask);
    search_watch watch;
    const in_turn alone;
    auto m = mapper<Predictor, Strategies>(w_, *ready, rules, groups, array, predictor_,
                                           strategies_, options, tell, watch, alone)
                 .run();
    if (m)
      p.placed = static_cast<mapping&&>(*m);
    else
      p.failure = m.error();
  }
  constexpr std::int64_t value() const {
    return best_ == nullptr ? unbounded : best_->placed.makespan;
  }
  constexpr void merge(part& p) {
    if (p.failure.code == errc::mapping_infeasible) p.bound = unbounded;
    if (p.failure.code != errc::none) return;
    p.bound = larger(p.bound, p.placed.bound);
    if (p.placed.makespan < value()) best_ = &p;
  }
  constexpr std::int64_t least_bound() const {
    std::int64_t least = value();
    for (const part& p : parts_) least = lesser(least, p.bound);
    return least;
  }
  constexpr bool tell() {
    return callback_(search_progress{value(), least_bound(), searched_, parts_.size() - searched_});
  }

  constexpr result<part_mapping> answer() {
    if (best_ == nullptr) {
      for (const part& p : parts_)
        if (p.where == array_.whole()) return no_part(p.failure);
      return no_part({});
    }
    part_mapping out;
    out.part = best_->where;
    out.array = part_of(array_, best_->where);
    out.bound = least_bound();
    out.parts = static_cast<std::uint32_t>(parts_.size());
    out.searched = searched_;
    out.status = out.bound == value() ? search_status::proven
                 : stopped_           ? search_status::stopped_by_caller
                                      : best_->placed.status;
    if (out.status == search_status::proven && out.bound != value())
      out.status = search_status::stopped_by_limit;
    out.placed = static_cast<mapping&&>(best_->placed);
    return out;
  }
  /// The error if the whole array cannot be prepared: that of the preparation, or the conflict of
  /// the constraints.
  constexpr error explained(const error& failure) const {
    if (const auto ready = prepare(w_, array_, predictor_); !ready) return ready.error();
    const auto why = find_conflict(w_, array_, options_.constraints, 500'000, predictor_);
    return why && why->found() ? to_error(*why, w_, options_.constraints) : failure;
  }
  /// The error if no part has a mapping: that of the whole array, since what it cannot hold no part
  /// can.
  constexpr error no_part(const error& of_the_whole) const {
    if (of_the_whole.code != errc::none) return of_the_whole;
    return make_error(errc::search_limit, w_.name, "the search stopped before it had any mapping");
  }

  const workload& w_;
  const pe_array& array_;
  const map_options& options_;
  Callback& callback_;
  const Predictor& predictor_;
  const Strategies& strategies_;
  Executor& executor_;
  table<part> parts_;
  part* best_ = nullptr;
  std::uint32_t searched_ = 0;
  bool stopped_ = false;
};

}  // namespace detail

/// Maps a workload onto the best part of an array: every rectangle of it is a candidate, mapped by
/// `map` as an array of its own with the whole DRAM bandwidth; a part whose bound excludes a
/// shorter mapping is not searched. So a larger array is never worse, however early the searches
/// stop: its parts include those of the smaller one, and each is searched independently of the
/// others. (`map` alone does not guarantee that: it stripes the DRAM over all PEs, and a
/// stopped search may have fared better on fewer.)
///
/// `options.limits` apply to every part. The executor searches parts, concurrently if it has
/// threads: then the predictor and the strategies are called from them; the answer is the same with
/// any executor. The callback is asked between rounds of parts; a round is at most 8 searches.
/// Errors: those of `map` for the whole array.
template <class Callback = keep_going, cost_predictor Predictor = cycle_model,
          class Strategies = all_strategies, task_executor Executor = const in_turn>
constexpr result<part_mapping> map_onto_part(const workload& w, const pe_array& array,
                                             const map_options& options = {},
                                             Callback&& callback = {},
                                             const Predictor& predictor = {},
                                             const Strategies& strategies = {},
                                             Executor&& executor = in_turn{}) {
  if (const auto valid = validate(array); !valid) return valid.error();
  if (const auto valid = validate(w); !valid) return valid.error();
  if (const auto valid = validate(options.constraints, w, array); !valid) return valid.error();
  return detail::part_mapper<Predictor, Strategies, std::remove_reference_t<Callback>,
                             std::remove_reference_t<Executor>>(w, array, options, callback,
                                                                predictor, strategies, executor)
      .run();
}

}  // namespace wf
