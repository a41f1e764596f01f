// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/hash.hpp>
#include <wf/core/container/hash_index.hpp>
#include <wf/core/container/sort.hpp>
#include <wf/map/array/constraints.hpp>

namespace wf {

/// The answer to whether a subset of a workload's operators can be mapped.
enum class feasibility : std::uint8_t {
  feasible,       ///< a mapping exists
  no_place,       ///< an operator has no rectangle allowed by the constraints
  circle,         ///< operators wait for each other in a cycle
  out_of_memory,  ///< the bytes do not fit in any order and at any places
  unknown,        ///< the step limit was reached first
};

/// Tests whether a subset of the operators and constraints of a mapping problem can be mapped on
/// its own. Omitted operators make no demands: their results are not kept, and nothing waits for
/// them. So every subset of a feasible problem is feasible, and an infeasible subset explains why
/// the whole is infeasible.
///
/// Time is irrelevant: whatever can be mapped can be mapped with one operator running at a time.
/// (Place the operators of a mapping in the order of their starts, each after the end of its
/// predecessor. When one starts, all that started before it are finished, so the live results are a
/// subset of those that lived when it started in the mapping, and there is no other working set.)
/// So the question is one of orders and places, with the tiling of least working bytes; and an
/// operator that can overwrite an operand does so. An omitted operand can always be overwritten:
/// its bytes count for nobody.
class feasibility_test {
 public:
  /// `w` is prepared for an array with practically unlimited memory; it and `array` must outlive
  /// the test.
  constexpr feasibility_test(const prepared_workload& w, const pe_array& array,
                             search_watch* watch = nullptr)
      : w_(w), array_(array), watch_(watch) {
    for (const range& run : w.runs) least_working_.push_back(least_of(run));
    for (const range& run : w.runs_in_place) least_in_place_.push_back(least_of(run));
  }

  /// Limit on the elementary steps of one search.
  std::uint64_t max_steps = 500'000;

  /// Decides whether the operators `kept` (1 or 0 by prepared operator) can be mapped under the
  /// constraints, with PEs of `memory` bytes. Exponential in the operators at worst, limited by
  /// `max_steps`.
  constexpr feasibility operator()(view<char> kept, const prepared_constraints& rules,
                                   std::int64_t memory) {
    kept_ = kept;
    rules_ = &rules;
    if (!go_on(4 * kept.size())) return feasibility::unknown;
    if (!list_options()) return stopped() ? feasibility::unknown : feasibility::no_place;
    if (!ends()) return feasibility::circle;
    if (memory >= INT64_MAX / 2) return feasibility::feasible;
    if (forced_bytes_exceed(memory)) return feasibility::out_of_memory;
    if (stopped()) return feasibility::unknown;
    // Relaxation: all PEs pooled into one. Whatever does not fit there fits nowhere.
    const feasibility together = search(true, memory);
    return together == feasibility::out_of_memory ? together : search(false, memory);
  }

  /// Calls `emit` with each rectangle that a kept operator may use under the constraints of the
  /// last call.
  template <class Emit>
  constexpr void rectangles(std::uint32_t op, Emit&& emit) const {
    for (const option& o : options_[op]) emit(o.where);
  }

 private:
  /// A place of an operator, with the bytes in each of its PEs while it runs and of its result
  /// afterwards.
  struct option {
    rectangle where;
    std::int64_t needed = 0;
    std::int64_t held = 0;
    std::int64_t in_place = INT64_MAX;  // bytes needed if it overwrites an operand
  };
  /// Minimum working bytes of a run of tilings.
  constexpr std::int64_t least_of(const range& run) const {
    std::int64_t least = INT64_MAX;
    for (std::uint32_t k = run.first; k < run.first + run.count; ++k)
      least = detail::lesser(least, w_.tilings[k].working_bytes);
    return least;
  }
  static constexpr std::uint32_t not_placed = 0, gone = 1;  // live with option k: k + 2

  constexpr bool go_on(std::uint64_t steps) const { return detail::go_on(watch_, steps); }
  constexpr bool stopped() const { return watch_ != nullptr && watch_->stopped(); }
  constexpr bool list_options() {
    options_ = table<table<option>>(kept_.size());
    pooled_ = table<option>(kept_.size());
    for (std::uint32_t v = 0; v < kept_.size(); ++v) {
      if (kept_[v] == 0) continue;
      if (!go_on(8 * w_.rectangles.size())) return false;
      option& all = pooled_[v];
      all = {{0, 0, 1, 1}, INT64_MAX, INT64_MAX, INT64_MAX};
      for (const rectangle& r : w_.rectangles) {
        const std::size_t at = w_.shape(w_.operators[v].kind, r.rows, r.columns, array_);
        if (w_.runs[at].count == 0 || !rules_->allows(v, r)) continue;
        const std::int64_t held = w_.results[at];
        const std::int64_t needed = saturating_add(held, least_working_[at]);
        option own{r, needed, held, INT64_MAX};
        if (w_.operators[v].in_place != UINT32_MAX)
          own.in_place = saturating_add(
              held, least_in_place_[w_.shape(w_.operators[v].in_place, r.rows, r.columns, array_)]);
        options_[v].push_back(own);
        const auto pool = [&](std::int64_t& least, std::int64_t bytes) {
          least = detail::lesser(least, detail::ceil_ratio(int128{bytes} * r.area(), 1));
        };
        pool(all.needed, own.needed);
        pool(all.held, own.held);
        pool(all.in_place, own.in_place);
      }
      if (options_[v].empty()) return false;
      detail::stable_sort(options_[v],
                          [](const option& a, const option& b) { return a.needed < b.needed; });
    }
    return true;
  }

  /// Calls `emit` with the kept operators that wait directly for `v`.
  template <class Emit>
  constexpr void successors(std::uint32_t v, Emit&& emit) const {
    for (std::uint32_t reader : w_.readers_of(v))
      if (kept_[reader] != 0) emit(reader);
    for (std::uint32_t later : rules_->after(v))
      if (kept_[later] != 0) emit(later);
  }

  /// True if the kept operators have a topological order, which it stores in `order_`.
  constexpr bool ends() {
    table<std::uint32_t> missing(kept_.size()), order;
    std::size_t count = 0;
    for (std::uint32_t v = 0; v < kept_.size(); ++v) {
      if (kept_[v] == 0) continue;
      ++count;
      for (const prepared_operand& o : w_.operands_of(v)) missing[v] += kept_[o.producer] != 0;
      for (std::uint32_t earlier : rules_->before(v)) missing[v] += kept_[earlier] != 0;
      if (missing[v] == 0) order.push_back(v);
    }
    for (std::size_t at = 0; at < order.size(); ++at)
      successors(order[at], [&](std::uint32_t later) {
        if (--missing[later] == 0) order.push_back(later);
      });
    order_ = static_cast<table<std::uint32_t>&&>(order);
    return order_.size() == count;
  }
  /// True if some operator needs more bytes than all PEs have together: its own, and every result
  /// that is produced before it in every order and read by it or after it in every order.
  constexpr bool forced_bytes_exceed(std::int64_t memory) const {
    const std::size_t n = kept_.size(), words = (n + 63) / 64;
    table<std::uint64_t> after(n * words);
    const auto comes_after = [&](std::uint32_t later, std::uint32_t earlier) {
      return (after[earlier * words + later / 64] >> (later % 64) & 1) != 0;
    };
    for (std::size_t at = order_.size(); at-- > 0;) {
      if (!go_on(words)) return false;
      successors(order_[at], [&](std::uint32_t later) {
        after[order_[at] * words + later / 64] |= std::uint64_t{1} << (later % 64);
        for (std::size_t k = 0; k < words; ++k)
          after[order_[at] * words + k] |= after[later * words + k];
      });
    }
    const int128 room = int128{memory} * w_.elements;
    for (std::uint32_t v : order_) {
      if (!go_on(2 * order_.size())) return false;
      int128 beside = 0, overwritten = 0;
      for (std::uint32_t u : order_) {
        if (u == v || !comes_after(v, u)) continue;
        bool read_later = false;
        for (std::uint32_t reader : w_.readers_of(u))
          read_later =
              read_later || (kept_[reader] != 0 && (reader == v || comes_after(reader, v)));
        if (!read_later) continue;
        beside += pooled_[u].held;
        for (std::uint32_t victim : w_.overwritable_by(v))
          if (victim == u && pooled_[u].held > overwritten) overwritten = pooled_[u].held;
      }
      const bool too_much_apart =
          beside + pooled_[v].needed > room || options_[v][0].needed > memory;
      if (too_much_apart &&
          (!fits_alone_in_place(v, memory) || beside - overwritten + pooled_[v].in_place > room))
        return true;
    }
    return false;
  }

  /// True if an operator's own bytes fit at some place if it overwrites an operand.
  constexpr bool fits_alone_in_place(std::uint32_t v, std::int64_t memory) const {
    for (const option& o : options_[v])
      if (o.in_place <= memory) return true;
    return false;
  }

  /// Depth-first search over orders and places, with visited states kept.
  constexpr feasibility search(bool pooled, std::int64_t memory) {
    is_pooled_ = pooled;
    room_ = pooled ? detail::ceil_ratio(int128{memory} * w_.elements, 1) : memory;
    used_ = table<std::int64_t>(pooled ? 1 : static_cast<std::size_t>(array_.elements()));
    choice_ = table<std::uint32_t>(kept_.size());
    visited_.clear();
    index_ = hash_index();
    steps_ = 0;
    if (place_rest()) return feasibility::feasible;
    return stopped() || steps_ >= max_steps ? feasibility::unknown : feasibility::out_of_memory;
  }
  constexpr view<option> options(std::uint32_t v) const {
    if (is_pooled_) return {&pooled_[v], 1};
    return options_[v];
  }
  constexpr bool is_ready(std::uint32_t v) const {
    if (kept_[v] == 0 || choice_[v] != not_placed) return false;
    for (const prepared_operand& o : w_.operands_of(v))
      if (kept_[o.producer] != 0 && choice_[o.producer] == not_placed) return false;
    for (std::uint32_t earlier : rules_->before(v))
      if (kept_[earlier] != 0 && choice_[earlier] == not_placed) return false;
    return true;
  }
  /// True if a kept reader is not yet placed.
  constexpr bool is_awaited(std::uint32_t v) const {
    for (std::uint32_t reader : w_.readers_of(v))
      if (kept_[reader] != 0 && choice_[reader] == not_placed) return true;
    return false;
  }
  template <class Each>
  constexpr void in_elements(const rectangle& r, Each&& each) {
    if (is_pooled_) return each(used_[0]);
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x)
        each(used_[array_.index(y, x)]);
  }
  /// The maximum bytes in each PE that an operator can overwrite at a place: those of an operand
  /// that no other operator awaits; 0 for an omitted operand; -1 if it can overwrite nothing there.
  constexpr std::int64_t overwritten(std::uint32_t v, const option& o) const {
    std::int64_t most = -1;
    for (std::uint32_t u : w_.overwritable_by(v)) {
      if (kept_[u] == 0) {
        most = detail::larger(most, 0);
        continue;
      }
      const option& at = options(u)[choice_[u] - 2];
      bool free = is_pooled_ || (at.where == o.where && at.held == o.held);
      for (std::uint32_t reader : w_.readers_of(u))
        free = free && (reader == v || kept_[reader] == 0 || choice_[reader] != not_placed);
      if (free) most = detail::larger(most, at.held);
    }
    return most;
  }
  constexpr bool fits(std::uint32_t v, const option& o) {
    const std::int64_t over = overwritten(v, o);
    const std::int64_t needed =
        over < 0 ? o.needed : detail::lesser(o.needed, saturating_add(o.in_place, -over));
    bool all = needed <= room_;
    if (all) in_elements(o.where, [&](std::int64_t used) { all = all && used <= room_ - needed; });
    steps_ += static_cast<std::uint64_t>(o.where.area());
    return go_on(static_cast<std::uint64_t>(o.where.area())) && all;
  }

  /// Runs an operator at a place and places the rest after it; undoes this if that fails.
  constexpr bool run(std::uint32_t v, std::uint32_t k) {
    const option& o = options(v)[k];
    choice_[v] = k + 2;
    if (is_awaited(v))
      in_elements(o.where, [&](std::int64_t& used) { used += o.held; });
    else
      choice_[v] = gone;
    table<std::uint32_t> released, as;
    for (const prepared_operand& from : w_.operands_of(v)) {
      const std::uint32_t u = from.producer;
      if (kept_[u] == 0 || choice_[u] < 2 || is_awaited(u)) continue;
      const option& at = options(u)[choice_[u] - 2];
      in_elements(at.where, [&](std::int64_t& used) { used -= at.held; });
      released.push_back(u);
      as.push_back(choice_[u]);
      choice_[u] = gone;
    }
    if (place_rest()) return true;
    for (std::size_t i = 0; i < released.size(); ++i) {
      choice_[released[i]] = as[i];
      const option& at = options(released[i])[as[i] - 2];
      in_elements(at.where, [&](std::int64_t& used) { used += at.held; });
    }
    if (choice_[v] != gone) in_elements(o.where, [&](std::int64_t& used) { used -= o.held; });
    choice_[v] = not_placed;
    return false;
  }

  constexpr bool place_rest() {
    table<std::uint32_t> ready;
    for (std::uint32_t v = 0; v < kept_.size(); ++v)
      if (is_ready(v)) ready.push_back(v);
    if (ready.empty()) return true;
    steps_ += kept_.size();
    if (steps_ >= max_steps || !go_on(2 * kept_.size())) return false;
    // An operator without readers only frees memory: it may as well run first, at any place.
    for (std::uint32_t v : ready)
      if (!is_awaited(v))
        for (std::uint32_t k = 0; k < options(v).size(); ++k)
          if (fits(v, options(v)[k])) return run(v, k);
    hasher h;
    for (std::uint32_t c : choice_) h.word(c);
    if (index_.find(h.value(), [&](std::uint32_t i) { return same(visited_[i]); }) !=
        hash_index::none)
      return false;
    for (std::uint32_t v : ready)
      for (std::uint32_t k = 0; k < options(v).size(); ++k)
        if (fits(v, options(v)[k]) && run(v, k)) return true;
    if (steps_ < max_steps && !stopped()) {
      index_.insert(h.value(), static_cast<std::uint32_t>(visited_.size()));
      visited_.push_back(choice_);
    }
    return false;
  }
  constexpr bool same(const table<std::uint32_t>& other) const {
    for (std::size_t i = 0; i < other.size(); ++i)
      if (other[i] != choice_[i]) return false;
    return true;
  }

  const prepared_workload& w_;
  const pe_array& array_;
  search_watch* watch_;
  table<std::int64_t> least_working_;   // by class and shape
  table<std::int64_t> least_in_place_;  // by class in place and shape
  view<char> kept_;
  const prepared_constraints* rules_ = nullptr;
  table<table<option>> options_;
  table<option> pooled_;
  table<std::uint32_t> order_;
  bool is_pooled_ = false;
  std::int64_t room_ = 0;
  table<std::int64_t> used_;
  table<std::uint32_t> choice_;
  table<table<std::uint32_t>> visited_;
  hash_index index_;
  std::uint64_t steps_ = 0;
};

}  // namespace wf
