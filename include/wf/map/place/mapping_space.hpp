// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/constraints.hpp>
#include <wf/map/array/prepare.hpp>
#include <wf/map/place/groups.hpp>
#include <wf/map/place/live_results.hpp>
#include <wf/map/place/partial_mapping.hpp>
#include <wf/search/control.hpp>

namespace wf {

/// The placement rules on one array: which operators are ready, when one can start, and the state
/// that follows.
///
/// `look(state)` fixes the state to which the other members refer. The search places operators one
/// after the other, each at the earliest cycle, not before the start of the last one, at which its
/// operands have arrived, its PEs are free after all earlier placements, and its bytes fit. This
/// loses no optimum: take any feasible schedule and place its operators in the order of their
/// starts. By induction none starts later than there, since at that cycle no more operators run and
/// no more results are live than there, and between two starts memory is only freed. Being in place
/// is a decision, too (encoded in the tiling): the operator then starts when the other readers of
/// the overwritten result are finished, which by induction is no later than there. Of several
/// results that it may overwrite it takes the one whose other readers finish first; they have the
/// same bytes in the same PEs, so nothing else depends on it. User constraints remove rectangles
/// and add precedences; neither affects the argument. Nor do groups: the first operator of a group
/// is ready when everything is placed that any member waits for, the others follow on its PEs, and
/// until the last one is placed these PEs are reserved for the group.
template <cost_predictor Predictor>
class mapping_space {
 public:
  /// The space keeps references to its arguments. Null `rules`: no constraints. Null `watch`:
  /// nothing stops it. Null `groups`: every operator is its own group.
  constexpr mapping_space(const prepared_workload& w, const pe_array& array,
                          const Predictor& predictor, const prepared_constraints* rules = nullptr,
                          search_watch* watch = nullptr, const prepared_groups* groups = nullptr)
      : w_(w),
        array_(array),
        predictor_(predictor),
        watch_(watch),
        rules_(rules != nullptr && !rules->empty() ? rules : nullptr),
        groups_(groups != nullptr && !groups->empty() ? groups : nullptr) {
    if (rules_ != nullptr) suggestions_ = rules_->suggestions(array);
  }

  /// The workload whose operators are placed.
  constexpr const prepared_workload& work() const { return w_; }
  /// The array on which operators are placed.
  constexpr const pe_array& array() const { return array_; }
  /// The predictor of cycles for operators and transfers.
  constexpr const Predictor& predictor() const { return predictor_; }
  /// Number of elementary steps so far, for limits in constant evaluation.
  constexpr std::uint64_t steps() const { return steps_ + live_.steps(); }
  /// Reports the steps since the last call, plus `more`, to the watch. False if the caller has to
  /// stop; then no operator is ready any more.
  constexpr bool go_on(std::uint64_t more = 0) {
    if (watch_ == nullptr) return true;
    const std::uint64_t done = steps() - reported_;
    reported_ = steps();
    if (watch_->go_on(done + more)) return true;
    ready_.clear();
    return false;
  }
  /// Adds the steps of another space and the least shortage it met.
  constexpr void add(std::uint64_t steps, const shortage& met) {
    steps_ += steps;
    if (met.op != UINT32_MAX) live_.note(met);
  }
  /// True if the watch has stopped the search.
  constexpr bool stopped() const { return watch_ != nullptr && watch_->stopped(); }
  /// The smallest shortage of memory met so far; its `op` is UINT32_MAX if there was none.
  constexpr const shortage& least_shortage() const { return live_.least_shortage(); }

  /// The initial state: no operator is placed.
  constexpr partial_mapping root() const {
    partial_mapping s;
    s.spots.resize(w_.operators.size());
    s.free.resize(static_cast<std::size_t>(array_.elements()));
    s.bound = w_.bound;
    return s;
  }

  /// Fixes the state to which `ready`, `earliest` and `place` refer. O(operators + operands).
  constexpr void look(const partial_mapping& s) {
    ready_.clear();
    live_.clear();
    open_.clear();
    for (std::uint32_t v = 0; v < w_.operators.size(); ++v) {
      ++steps_;
      if (!s.has(v)) {
        if (is_ready(s, v)) ready_.push_back(v);
        continue;
      }
      if (is_open(s, v)) open_.push_back({groups_->group_of(v), s.spots[v].where});
      const std::int64_t until = release(s, v);
      if (until > s.now) live_.add({v, s.spots[v].where, held(v, s.spots[v].where), until});
    }
    find_symmetries(s);
  }
  /// Updates the space after a `put` into the state it looks at, except for the symmetries
  /// (`is_canonical` must not be called). O(ready + live + readers and operands of the placed
  /// operator).
  constexpr void follow(const partial_mapping& s) {
    const std::uint32_t op = s.sequence.back();
    std::size_t kept = 0;
    for (std::uint32_t v : ready_)
      if (v != op) ready_[kept++] = v;
    ready_.resize(kept);
    for (std::uint32_t r : w_.readers_of(op)) make_ready(s, r);
    for (std::uint32_t later : after(op)) make_ready(s, later);
    if (groups_ != nullptr) follow_groups(s, op);
    live_.add({op, s.spots[op].where, held(op, s.spots[op].where), release(s, op)});
    for (const prepared_operand& o : w_.operands_of(op))
      for (live_result& l : live_.results())
        if (l.op == o.producer) l.until = release(s, l.op);
    live_.remove_until(s.now);
    steps_ += ready_.size() + (1 + w_.operands_of(op).size()) * live_.results().size();
  }
  /// The operators of the looked-at state that may be placed next, ascending.
  constexpr view<std::uint32_t> ready() const { return ready_; }
  /// True if a placed operator is still running or its result is still to be read.
  constexpr bool busy() const { return !live_.results().empty(); }
  /// Calls `emit` with the rectangles of live results, running operators and open groups.
  template <class Emit>
  constexpr void live_rectangles(Emit&& emit) const {
    for (const live_result& l : live_.results()) emit(l.where);
    for (const open_group& g : open_) emit(g.where);
  }
  /// Rectangles that the constraints suggest (`prepared_constraints::suggestions`).
  constexpr view<rectangle> suggestions() const { return suggestions_; }
  /// True if the open groups of the looked-at state allow an operator on a rectangle: its own
  /// group's rectangle, or one disjoint from all of them. O(open groups).
  constexpr bool leaves_groups(std::uint32_t op, const rectangle& r) const {
    for (const open_group& g : open_)
      if (g.group == groups_->group_of(op) ? !(g.where == r) : overlap(g.where, r)) return false;
    return true;
  }
  /// The tilings apart of an operator on a rectangle: a run of `prepared_workload::tilings`. Empty
  /// if a constraint or an open group of the looked-at state forbids the rectangle.
  constexpr range tilings(std::uint32_t op, const rectangle& r) const {
    if (!leaves_groups(op, r) || (rules_ != nullptr && !rules_->allows(op, r))) return {};
    return w_.runs[w_.shape(w_.operators[op].kind, r.rows, r.columns, array_)];
  }
  /// The tilings in place of an operator on a rectangle, likewise; empty if it can overwrite
  /// nothing.
  constexpr range tilings_in_place(std::uint32_t op, const rectangle& r) const {
    if (!leaves_groups(op, r) || (rules_ != nullptr && !rules_->allows(op, r))) return {};
    return w_.tilings_in_place(op, r.rows, r.columns, array_);
  }
  /// The non-dominated tilings for a ready operator of a state. O(operands + PEs of the rectangle).
  constexpr tiling_choice ways(const partial_mapping& s, std::uint32_t op,
                               const rectangle& r) const {
    if (w_.operators[op].overwritable.count == 0) return {{}, tilings(op, r)};
    return ways_to_overwrite(s, op, r);
  }
  /// Normalises a tiling in a state: the same cut in place if that is no worse, or apart if it can
  /// overwrite nothing there.
  constexpr std::uint32_t settled(const partial_mapping& s, std::uint32_t op, const rectangle& r,
                                  std::uint32_t how) const {
    if (w_.operators[op].overwritable.count == 0) return how;
    const victim v = victim_of(s, op, r);
    const bool in_place =
        v.op != overwrites_nothing && (w_.is_in_place(how) || v.from <= ready_at(s, op, r));
    if (w_.is_in_place(how) == in_place) return how;
    const range run = in_place ? tilings_in_place(op, r) : tilings(op, r);
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k)
      if (w_.tilings[k].first_parts == w_.tilings[how].first_parts &&
          w_.tilings[k].second_parts == w_.tilings[how].second_parts)
        return k;
    return how;
  }
  /// Operators that must finish before `op` starts, by the constraints.
  constexpr view<std::uint32_t> before(std::uint32_t op) const {
    return rules_ == nullptr ? view<std::uint32_t>() : rules_->before(op);
  }
  /// Operators that must not start before `op` finishes, by the constraints.
  constexpr view<std::uint32_t> after(std::uint32_t op) const {
    return rules_ == nullptr ? view<std::uint32_t>() : rules_->after(op);
  }
  /// True if the rectangle is the first in its orbit under the symmetries (mirror images of the
  /// array) of the looked-at state: the others lead to mirrored mappings.
  constexpr bool is_canonical(const rectangle& r) const {
    for (int flip = 1; flip < 4; ++flip) {
      if ((symmetries_ >> flip & 1) == 0) continue;
      const rectangle m = mirrored(r, flip);
      if (m.row < r.row || (m.row == r.row && m.column < r.column)) return false;
    }
    return true;
  }

  /// The earliest start cycle of a ready operator with the tiling `how`, or `unbounded` if its
  /// bytes never fit. O(operands + PEs of the rectangle · live results).
  constexpr std::int64_t earliest(const partial_mapping& s, std::uint32_t op, const rectangle& r,
                                  std::uint32_t how) {
    std::int64_t start = ready_at(s, op, r);
    victim over;
    if (w_.is_in_place(how)) {
      over = victim_of(s, op, r);
      start = detail::larger(start, over.from);
    }
    steps_ += static_cast<std::uint64_t>(r.area()) + 2;
    if (w_.memory_matters && start < unbounded)
      start = live_.when_it_fits(op, r, held(op, r) + w_.tilings[how].working_bytes,
                                 array_.memory_bytes, over.op, start);
    return start > (std::int64_t{1} << 62) ? unbounded : start;
  }

  /// The state in which a ready operator is placed at the start given by `earliest`, with its lower
  /// bound.
  constexpr partial_mapping place(const partial_mapping& s, std::uint32_t op, const rectangle& r,
                                  std::uint32_t how, std::int64_t start) {
    partial_mapping next = s;
    put(next, op, r, how, start);
    next.bound = lower_bound(next);
    return next;
  }
  /// Like `place`, but changes the state itself and does not compute its bound.
  constexpr void put(partial_mapping& s, std::uint32_t op, const rectangle& r, std::uint32_t how,
                     std::int64_t start) const {
    const std::int64_t finish = start + w_.tilings[how].cycles;
    const std::uint32_t over = w_.is_in_place(how) ? victim_of(s, op, r).op : overwrites_nothing;
    s.spots[op] = {r, how, over, finish};
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x)
        s.free[array_.index(y, x)] = finish;
    s.sequence.push_back(op);
    s.now = start;
    s.makespan = detail::larger(s.makespan, finish);
  }

  /// A lower bound on the makespan of every completion, in cycles: the maximum of
  /// - the finish of the placed operators;
  /// - for every remaining operator, its earliest start (not before `now`, a free PE, or the
  ///   earliest finish of its operands) plus its `tail`;
  /// - the same for an operator that every other one precedes or follows: all its ancestors must
  ///   first run, on PEs that are free from known cycles on;
  /// - the remaining work, in minimal PE cycles, spread over all PEs.
  ///
  /// Each holds for every completion since transfers take no negative time, and later operators on
  /// a PE start after the placed ones. O(operators + operands + PEs).
  constexpr std::int64_t lower_bound(const partial_mapping& s) {
    steps_ += s.spots.size() / 2 + s.free.size() / 4;
    std::int64_t least = s.makespan, first_free = INT64_MAX;
    int128 area = 0;
    const bool has_dead = !array_.dead.empty();
    for (std::uint32_t e = 0; e < s.free.size(); ++e) {
      if (has_dead && is_dead(e)) continue;
      const std::int64_t from = detail::larger(s.free[e], s.now);
      area += from;
      first_free = detail::lesser(first_free, from);
    }
    start_.resize(s.spots.size());
    for (std::uint32_t v = 0; v < s.spots.size(); ++v) {
      if (s.has(v)) continue;
      std::int64_t start = first_free;
      for (const prepared_operand& o : w_.operands_of(v))
        start = detail::larger(start, s.has(o.producer)
                                          ? s.spots[o.producer].finish
                                          : start_[o.producer] + w_.operators[o.producer].fastest);
      for (std::uint32_t earlier : before(v))
        if (s.has(earlier)) start = detail::larger(start, s.spots[earlier].finish);
      if (w_.operators[v].divides)
        start = detail::larger(start, detail::ceil_ratio(area, w_.elements));
      start_[v] = start;
      least = detail::larger(least, start + w_.operators[v].tail);
      area += w_.operators[v].least_area;
    }
    if (s.sequence.size() == s.spots.size()) return s.makespan;
    return detail::larger(least, detail::ceil_ratio(area, w_.elements));
  }

  /// Bytes of an operator's result in each PE of a rectangle.
  constexpr std::int64_t held(std::uint32_t op, const rectangle& r) const {
    return w_.results[w_.shape(w_.operators[op].kind, r.rows, r.columns, array_)];
  }
  /// The end of an operator's live range: the cycle at which its result is no longer needed, or its
  /// buffer passes to another one; `unbounded` if a reader is not yet placed.
  constexpr std::int64_t release(const partial_mapping& s, std::uint32_t op) const {
    std::int64_t until = s.spots[op].finish;
    for (std::uint32_t r : w_.readers_of(op)) {
      if (!s.has(r)) return unbounded;
      const spot& reader = s.spots[r];
      const std::int64_t read =
          reader.over == op ? reader.finish - w_.tilings[reader.how].cycles : reader.finish;
      until = detail::larger(until, read);
    }
    return until;
  }
  /// True if the PE (by `pe_array::index`) is dead. O(dead PEs).
  constexpr bool is_dead(std::uint32_t element) const {
    for (std::uint32_t d : array_.dead)
      if (d == element) return true;
    return false;
  }

  /// True if an operator is the last placed one of its group, but not the last of the group.
  constexpr bool is_open(const partial_mapping& s, std::uint32_t v) const {
    if (groups_ == nullptr || groups_->group_of(v) == prepared_groups::none) return false;
    const view<std::uint32_t> behind = groups_->behind(v);
    return behind.size() != 0 && !s.has(behind[0]);
  }

 private:
  /// A result that may be overwritten, from cycle `from` on.
  struct victim {
    std::uint32_t op = overwrites_nothing;
    std::int64_t from = unbounded;
  };
  /// The result that a ready operator overwrites on a rectangle: the one whose other readers finish
  /// first.
  constexpr victim victim_of(const partial_mapping& s, std::uint32_t op, const rectangle& r) const {
    victim best;
    for (std::uint32_t u : w_.overwritable_by(op)) {
      if (!(s.spots[u].where == r) || held(u, r) != held(op, r)) continue;
      std::int64_t from = s.spots[u].finish;
      for (std::uint32_t reader : w_.readers_of(u))
        if (reader != op)
          from = detail::larger(from, s.has(reader) ? s.spots[reader].finish : unbounded);
      if (from < best.from) best = {u, from};
    }
    return best;
  }
  /// `ways` of an operator that may overwrite an operand.
  constexpr tiling_choice ways_to_overwrite(const partial_mapping& s, std::uint32_t op,
                                            const rectangle& r) const {
    const victim v = victim_of(s, op, r);
    if (v.op == overwrites_nothing) return {{}, tilings(op, r)};
    if (v.from <= ready_at(s, op, r)) return {tilings_in_place(op, r), {}};
    return {w_.memory_matters ? tilings_in_place(op, r) : range(), tilings(op, r)};
  }
  /// The earliest cycle at which operands, orders and PEs let an operator start.
  constexpr std::int64_t ready_at(const partial_mapping& s, std::uint32_t op,
                                  const rectangle& r) const {
    std::int64_t start = s.now;
    for (const prepared_operand& o : w_.operands_of(op)) {
      const spot& from = s.spots[o.producer];
      start = detail::larger(
          start, saturating_add(from.finish, predictor_.transfer(array_, from.where, r, o.bytes)));
    }
    for (std::uint32_t earlier : before(op)) start = detail::larger(start, s.spots[earlier].finish);
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x)
        start = detail::larger(start, s.free[array_.index(y, x)]);
    return start;
  }

  /// A group with both placed and unplaced operators.
  struct open_group {
    std::uint32_t group = 0;
    rectangle where;
  };
  /// True if everything that an operator waits for is placed; for the first operator of a group,
  /// everything that any member waits for.
  constexpr bool is_ready(const partial_mapping& s, std::uint32_t v) const {
    for (const prepared_operand& o : w_.operands_of(v))
      if (!s.has(o.producer)) return false;
    for (std::uint32_t earlier : before(v))
      if (!s.has(earlier)) return false;
    if (groups_ == nullptr || groups_->group_of(v) == prepared_groups::none) return true;
    const view<std::uint32_t> ahead = groups_->ahead_of(v);
    if (ahead.size() != 0) return s.has(ahead[ahead.size() - 1]);
    const auto is_there = [&](std::uint32_t u) {
      return s.has(u) || groups_->group_of(u) == groups_->group_of(v);
    };
    for (std::uint32_t member : groups_->behind(v)) {
      for (const prepared_operand& o : w_.operands_of(member))
        if (!is_there(o.producer)) return false;
      for (std::uint32_t earlier : before(member))
        if (!is_there(earlier)) return false;
    }
    return true;
  }
  /// Updates the open groups, and the operators that are ready because of groups, after a
  /// placement.
  constexpr void follow_groups(const partial_mapping& s, std::uint32_t op) {
    const auto first_of = [&](std::uint32_t v) {
      const std::uint32_t g = groups_->group_of(v);
      if (g != prepared_groups::none) make_ready(s, groups_->members(g)[0]);
    };
    for (std::uint32_t r : w_.readers_of(op)) first_of(r);
    for (std::uint32_t later : after(op)) first_of(later);
    const std::uint32_t group = groups_->group_of(op);
    if (group == prepared_groups::none) return;
    std::size_t kept = 0;
    for (const open_group& g : open_)
      if (g.group != group) open_[kept++] = g;
    open_.resize(kept);
    if (!is_open(s, op)) return;
    open_.push_back({group, s.spots[op].where});
    make_ready(s, groups_->behind(op)[0]);
  }

  /// Inserts an operator into the ready list if it is ready and not yet there.
  constexpr void make_ready(const partial_mapping& s, std::uint32_t v) {
    if (s.has(v) || !is_ready(s, v)) return;
    std::size_t at = ready_.size();
    while (at > 0 && ready_[at - 1] > v) --at;
    if (at > 0 && ready_[at - 1] == v) return;
    ready_.push_back(v);
    for (std::size_t i = ready_.size() - 1; i > at; --i) ready_[i] = ready_[i - 1];
    ready_[at] = v;
  }
  constexpr rectangle mirrored(rectangle r, int flip) const {
    if ((flip & 1) != 0) r.row = array_.rows - r.row - r.rows;
    if ((flip & 2) != 0) r.column = array_.columns - r.column - r.columns;
    return r;
  }
  /// Sets bit `flip` of `symmetries_` if the state equals its mirror image.
  constexpr void find_symmetries(const partial_mapping& s) {
    symmetries_ = 0;
    for (int flip = 1; flip < 4; ++flip) {
      bool equal = true;
      for (const live_result& l : live_.results())
        equal = equal && mirrored(l.where, flip) == l.where;
      for (const open_group& g : open_) equal = equal && mirrored(g.where, flip) == g.where;
      for (std::uint32_t d : array_.dead) equal = equal && is_dead(mirrored(d, flip));
      if (rules_ != nullptr)
        for (const map_constraint& c : rules_->rules())
          equal = equal && (c.rule == map_rule::order || mirrored(c.where, flip) == c.where);
      for (std::uint32_t e = 0; equal && e < s.free.size(); ++e)
        equal =
            detail::larger(s.free[e], s.now) == detail::larger(s.free[mirrored(e, flip)], s.now);
      if (equal) symmetries_ |= 1u << flip;
    }
  }
  constexpr std::uint32_t mirrored(std::uint32_t element, int flip) const {
    const auto width = static_cast<std::uint32_t>(array_.columns);
    const rectangle at = mirrored(rectangle{static_cast<std::int32_t>(element / width),
                                            static_cast<std::int32_t>(element % width), 1, 1},
                                  flip);
    return array_.index(at.row, at.column);
  }

  const prepared_workload& w_;
  const pe_array& array_;
  const Predictor& predictor_;
  search_watch* watch_ = nullptr;
  const prepared_constraints* rules_ = nullptr;
  const prepared_groups* groups_ = nullptr;
  table<open_group> open_;
  table<rectangle> suggestions_;
  std::uint64_t steps_ = 0, reported_ = 0;
  unsigned symmetries_ = 0;
  table<std::uint32_t> ready_;
  live_results live_;
  table<std::int64_t> start_;
};

}  // namespace wf
