// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/search/control.hpp>

namespace wf::detail {

template <class Time>
constexpr Time greatest_common_divisor(Time a, Time b) {
  while (b != 0) {
    const Time rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A step of `delay_problem`: a task starts on a processor.
template <class Time>
struct task_step {
  std::uint32_t task = 0, processor = 0;
  Time start = 0;
};

// The scheduling problem with delays, heterogeneous processors and resources, for `depth_first`.
// docs/explanation/scheduling.md justifies the pruning rules.
//
// Tasks start in a fixed order: by time, those without duration first, then by number; each as
// early as possible after the tasks before it on its processor. So every schedule is built in one
// way only. A task is held back from a processor if its turn there has passed, or if it should have
// preceded the last task there; it may follow a later task.
//
// `Time` is an integer type that holds four times the sum of all times and delays.
template <class Time>
class delay_problem {
 public:
  using choice = task_step<Time>;

  // `tails` are those of `tail_bounds`. `w` must outlive this. `may_fix_order`: if one order of the
  // tasks on all processors is optimal for every assignment, only that order is built.
  constexpr delay_problem(const prepared_tasks& w, const table<std::int64_t>& tails,
                          bool own_processors, bool may_fix_order = false)
      : w_(w),
        own_(own_processors),
        alike_(w.durations_on.empty()),
        count_(w.size()),
        // More identical processors than tasks are useless.
        processors_(alike_ && w.processors > w.size() ? w.size() : w.processors),
        words_((count_ + 63) / 64) {
    prepare_tasks(tails);
    if (may_fix_order) fix_order();
    prepare_rules();
    const std::size_t cells = std::size_t{count_} * processors_;
    starts_.resize(cells);
    limits_.resize(cells);
    held_back_.resize(cells);
    best_finish_.resize(count_);
    second_finish_.resize(count_);
    best_processor_.resize(count_);
    first_start_.resize(processors_);
    first_start_of_these_.resize(processors_);
    forced_.resize(processors_);
    cluster_work_.resize(count_);
    leader_.resize(count_);
    allowed_.resize(count_);
    row_hash_.resize(processors_);
    row_order_.resize(processors_);
    placed_.resize(count_);
    done_.resize(words_);
    waiting_.resize(count_);
    for (std::uint32_t t = 0; t < count_; ++t) waiting_[t] = w.before[t].count;
    free_at_.resize((std::size_t{count_} + 1) * processors_);
    last_on_.resize((std::size_t{count_} + 1) * processors_);
    for (std::uint32_t p = 0; p < processors_; ++p) last_on_[p] = no_task;
    makespan_.resize(std::size_t{count_} + 1);
    sequence_.resize(count_);
  }

  // Approximate bytes of the tables of a problem of this size.
  static constexpr std::uint64_t bytes(const prepared_tasks& w) {
    const std::uint64_t count = w.size();
    const std::uint64_t processors =
        w.durations_on.empty() && w.processors > w.size() ? w.size() : w.processors;
    return count * processors * (4 * sizeof(Time) + 8) + count * (count / 4 + 128);
  }

  constexpr void apply(const choice& step) {
    const std::uint32_t t = step.task, p = step.processor;
    const Time finish = step.start + duration(t, p);
    placed_[t] = {p, step.start, finish};
    sequence_[depth_] = t;
    const std::size_t from = std::size_t{depth_} * processors_, to = from + processors_;
    for (std::uint32_t q = 0; q < processors_; ++q) {
      free_at_[to + q] = free_at_[from + q];
      last_on_[to + q] = last_on_[from + q];
    }
    free_at_[to + p] = finish;
    last_on_[to + p] = t;
    makespan_[depth_ + 1] = finish > makespan_[depth_] ? finish : makespan_[depth_];
    done_[t / 64] |= std::uint64_t{1} << t % 64;
    for (const task_neighbour& e : w_.later_than(t)) --waiting_[e.task];
    ++depth_;
  }
  constexpr void undo() {
    const std::uint32_t t = sequence_[--depth_];
    done_[t / 64] &= ~(std::uint64_t{1} << t % 64);
    for (const task_neighbour& e : w_.later_than(t)) ++waiting_[e.task];
  }
  constexpr bool is_complete() const { return depth_ == count_; }
  constexpr std::int64_t value() const { return makespan_[depth_]; }
  constexpr std::int64_t spent() const { return makespan_[depth_]; }
  constexpr void keep() {
    best_.resize(count_);
    for (std::uint32_t t = 0; t < count_; ++t)
      best_[t] = {placed_[t].processor, placed_[t].start, placed_[t].finish};
  }
  // The placements of the kept schedule.
  constexpr const table<task_placement>& best() const { return best_; }

  constexpr bool enter(std::int64_t cutoff) {
    deadline_ = static_cast<Time>(cutoff) - 1;
    now_ = depth_ == 0 || has_fixed_order() ? 0 : placed_[sequence_[depth_ - 1]].start;
    return find_starts() && has_room_at_every_tail() && has_room_for_clusters() && has_resources();
  }

  constexpr std::uint64_t describe(table<std::uint32_t>& words) {
    for (const std::uint64_t word : done_) append(words, word);
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < words.size(); ++i) hash = mix(hash ^ words[i]);
    if (!w_.resources.empty()) {
      const std::size_t first = words.size();
      describe_running(words);
      for (std::size_t i = first; i < words.size(); ++i) hash = mix(hash ^ words[i]);
    }
    describe_rows();
    // Identical processors are interchangeable: their rows are sorted by their hashes.
    for (std::uint32_t p = 0; p < processors_; ++p) {
      std::uint32_t at = p;
      for (; at > 0 && row_hash_[row_order_[at - 1]] > row_hash_[p]; --at)
        row_order_[at] = row_order_[at - 1];
      row_order_[at] = p;
    }
    for (std::uint32_t i = 0; i < processors_; ++i) {
      const std::uint32_t p = row_order_[i];
      hash = mix(hash + row_hash_[p]);
      words.append(
          view<std::uint32_t>(row_words_).part(row_first_[p], row_first_[p + 1] - row_first_[p]));
    }
    return hash;
  }

  constexpr void branch(table<choice>& out) {
    const std::size_t first = out.size();
    each_undone([&](std::uint32_t t) {
      if (waiting_[t] != 0) return;
      if (has_fixed_order() && t != fixed_order_[depth_]) return;
      // Identical tasks start in the order of their numbers.
      if (same_before_[t] != no_task && !is_done(same_before_[t])) return;
      const std::size_t row = std::size_t{t} * processors_;
      for (std::uint32_t p = 0; p < processors_; ++p) {
        if (starts_[row + p] == never || held_back_[row + p]) continue;
        bool met = false;  // a processor with an equal row was tried
        for (std::uint32_t q = 0; q < p && !met; ++q)
          met = row_hash_[q] == row_hash_[p] && is_same_row(p, q);
        if (met) continue;
        Time start = starts_[row + p];
        if (!w_.resources.empty()) {
          start = fit(t, p, start);
          if (start > limits_[row + p] || !is_in_turn(t, p, start)) continue;
        }
        out.push_back({t, p, start});
      }
    });
    // The best choice comes last: the earliest start, then the lowest number.
    for (std::size_t i = first + 1; i < out.size(); ++i) {
      const choice moving = out[i];
      std::size_t at = i;
      for (; at > first && comes_first(out[at - 1], moving); --at) out[at] = out[at - 1];
      out[at] = moving;
    }
  }

 private:
  static constexpr Time never = static_cast<Time>(sizeof(Time) == 4 ? 1 << 29 : INT64_MAX / 4);
  static constexpr std::uint32_t no_task = UINT32_MAX;

  struct neighbour {
    std::uint32_t task = 0;
    Time delay = 0;
  };
  struct place {
    std::uint32_t processor = 0;
    Time start = 0, finish = 0;
  };
  // An unplaced predecessor, as seen from one processor.
  struct coming {
    Time from_elsewhere = 0, start_here = 0, duration = 0;
  };

  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
  }
  static constexpr bool comes_first(const choice& a, const choice& b) {
    if (a.start != b.start) return a.start < b.start;
    return a.task != b.task ? a.task < b.task : a.processor < b.processor;
  }
  constexpr Time duration(std::uint32_t t, std::uint32_t p) const {
    return alike_ ? durations_[t] : durations_on_[std::size_t{t} * processors_ + p];
  }
  constexpr bool is_done(std::uint32_t t) const { return (done_[t / 64] >> t % 64 & 1) != 0; }
  template <class F>
  constexpr void each_undone(F&& f) const {
    for (std::uint32_t i = 0; i < words_; ++i)
      for (std::uint64_t left = all_[i] & ~done_[i]; left != 0; left &= left - 1)
        f(64 * i + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  constexpr view<neighbour> earlier_than(std::uint32_t t) const {
    return view<neighbour>(earlier_).part(w_.before[t].first, w_.before[t].count);
  }
  constexpr Time free_at(std::uint32_t p) const {
    return free_at_[std::size_t{depth_} * processors_ + p];
  }

  // --- once ---

  constexpr void prepare_tasks(const table<std::int64_t>& tails) {
    durations_.resize(count_);
    tails_.resize(count_);
    longest_delay_.resize(count_);
    all_.resize(words_);
    for (std::uint32_t t = 0; t < count_; ++t) {
      durations_[t] = static_cast<Time>(w_.durations[t]);
      tails_[t] = static_cast<Time>(tails[t]);
      unit_ = greatest_common_divisor(unit_, durations_[t]);
      all_[t / 64] |= std::uint64_t{1} << t % 64;
      by_tail_.push_back(t);
      for (const task_neighbour& e : w_.later_than(t))
        if (e.delay > longest_delay_[t]) longest_delay_[t] = static_cast<Time>(e.delay);
    }
    if (unit_ == 0) unit_ = 1;
    stable_sort(by_tail_, [&](std::uint32_t a, std::uint32_t b) { return tails_[a] > tails_[b]; });
    durations_on_.reserve(w_.durations_on.size());
    for (const std::int64_t time : w_.durations_on)
      durations_on_.push_back(static_cast<Time>(time));
    earlier_.reserve(w_.earlier.size());
    for (const task_neighbour& e : w_.earlier)
      earlier_.push_back({e.task, static_cast<Time>(e.delay)});
    kind_.resize(processors_);
    for (std::uint32_t p = 0; p < processors_; ++p) {
      kind_[p] = own_ ? p : 0;
      while (kind_[p] < p && !alike_ && !has_same_times(kind_[p], p)) ++kind_[p];
    }
  }
  constexpr bool has_same_times(std::uint32_t p, std::uint32_t q) const {
    for (std::uint32_t t = 0; t < count_; ++t)
      if (duration(t, p) != duration(t, q)) return false;
    return true;
  }

  // For a fork (one task before all others), a join (one after all others), or a graph without
  // edges, tasks sorted by delays are in an optimal order for every assignment to processors.
  constexpr void fix_order() {
    if (!alike_ || own_ || !w_.resources.empty() || count_ < 3) return;
    bool is_fork = true, is_join = true;
    for (std::uint32_t t = 0; t < count_; ++t) {
      is_fork = is_fork && (t == 0 ? w_.before[t].count == 0 : is_behind_first(t));
      is_join = is_join && (t + 1 == count_ ? w_.after[t].count == 0 : is_before_last(t));
    }
    if (!is_fork && !is_join && !w_.later.empty()) return;
    fixed_order_ = by_tail_;
    if (is_fork)  // by arrival of the data
      stable_sort(fixed_order_, [&](std::uint32_t a, std::uint32_t b) {
        return a == 0 || b == 0 ? a == 0 && b != 0
                                : w_.earlier_than(a)[0].delay < w_.earlier_than(b)[0].delay;
      });
    else if (is_join)  // by remaining delay, the longest first
      stable_sort(fixed_order_, [&](std::uint32_t a, std::uint32_t b) {
        return a + 1 == count_ || b + 1 == count_ ? b + 1 == count_ && a + 1 != count_
                                                  : longest_delay_[a] > longest_delay_[b];
      });
  }
  constexpr bool is_behind_first(std::uint32_t t) const {
    return w_.before[t].count == 1 && w_.earlier_than(t)[0].task == 0;
  }
  constexpr bool is_before_last(std::uint32_t t) const {
    return w_.after[t].count == 1 && w_.later_than(t)[0].task + 1 == count_;
  }
  constexpr bool has_fixed_order() const { return !fixed_order_.empty(); }

  // True if every successor of task x waits at least as long for y, given equal finish times.
  constexpr bool is_as_urgent(std::uint32_t y, std::uint32_t x) const {
    for (const task_neighbour& e : w_.later_than(x)) {
      bool found = false;
      for (const task_neighbour& f : w_.later_than(y))
        found = found || (f.task == e.task && f.delay >= e.delay);
      if (!found) return false;
    }
    return true;
  }
  constexpr bool are_same(std::uint32_t a, std::uint32_t b) const {
    if (own_ || w_.before[a].count != w_.before[b].count || w_.after[a].count != w_.after[b].count)
      return false;
    const auto differ = [](const task_neighbour& x, const task_neighbour& y) {
      return x.task != y.task || x.delay != y.delay;
    };
    for (std::size_t i = 0; i < w_.before[a].count; ++i)
      if (differ(w_.earlier_than(a)[i], w_.earlier_than(b)[i])) return false;
    for (std::size_t i = 0; i < w_.after[a].count; ++i)
      if (differ(w_.later_than(a)[i], w_.later_than(b)[i])) return false;
    for (std::uint32_t p = 0; p < processors_; ++p)
      if (duration(a, p) != duration(b, p)) return false;
    for (std::uint32_t r = 0; r < w_.resources.size(); ++r)
      if (w_.demand(a, r) != w_.demand(b, r)) return false;
    return true;
  }
  // Dominance rules: the tasks that have to precede others, because exchanging the two does no
  // harm.
  constexpr void prepare_rules() {
    same_before_.resize(count_);
    for (std::uint32_t t = 0; t < count_; ++t) {
      same_before_[t] = no_task;
      for (std::uint32_t u = has_fixed_order() ? 0 : t; u-- > 0 && same_before_[t] == no_task;)
        if (are_same(u, t)) same_before_[t] = u;
    }
    before_.resize(std::size_t{count_} * words_);
    after_same_time_.resize(std::size_t{count_} * words_);
    if (!alike_ || own_ || !w_.resources.empty() || has_fixed_order()) return;
    // The representative of each class of identical tasks: it ranks them in a total order that
    // agrees with the relation and keeps them together.
    table<std::uint32_t> leader(count_);
    for (std::uint32_t t = 0; t < count_; ++t)
      leader[t] = same_before_[t] == no_task ? t : leader[same_before_[t]];
    for (std::uint32_t x = 0; x < count_; ++x)
      for (std::uint32_t y = 0; y < count_; ++y) {
        if (x == y || durations_[x] == 0 || durations_[y] == 0 || !is_as_urgent(y, x)) continue;
        const bool first = leader[y] != leader[x] ? leader[y] < leader[x] : y < x;
        if (!is_as_urgent(x, y) || first)
          before_[x * words_ + y / 64] |= std::uint64_t{1} << y % 64;
        if (has_to_precede(y, x) && durations_[x] == durations_[y])
          after_same_time_[y * words_ + x / 64] |= std::uint64_t{1} << x % 64;
      }
  }
  constexpr bool has_to_precede(std::uint32_t y, std::uint32_t x) const {
    return (before_[x * words_ + y / 64] >> y % 64 & 1) != 0;
  }

  // --- where tasks can start ---

  constexpr bool is_in_turn(std::uint32_t t, std::uint32_t p, Time start) const {
    if (depth_ == 0 || has_fixed_order() || start > now_) return true;
    if (start < now_) return false;
    const std::uint32_t last = sequence_[depth_ - 1];
    const bool lasts = duration(t, p) != 0, last_lasts = placed_[last].finish != now_;
    return lasts != last_lasts ? lasts : t > last;
  }

  // Fills `starts_` with lower bounds: no completion that meets the deadline starts the task on the
  // processor earlier; `never` if none starts it there. False if some task has no processor left.
  constexpr bool find_starts() {
    shortest_ = never;
    each_undone([&](std::uint32_t t) {
      if (durations_[t] < shortest_) shortest_ = durations_[t];
    });
    for (std::uint32_t p = 0; p < processors_; ++p) first_start_[p] = never;
    for (std::uint32_t i = 0; i < words_; ++i)
      for (std::uint64_t left = all_[i] & ~done_[i]; left != 0; left &= left - 1)
        if (!find_starts_of(64 * i + static_cast<std::uint32_t>(std::countr_zero(left))))
          return false;
    return true;
  }

  constexpr bool find_starts_of(std::uint32_t t) {
    Time* const row = &starts_[std::size_t{t} * processors_];
    Time* const limit = &limits_[std::size_t{t} * processors_];
    std::uint8_t* const held = &held_back_[std::size_t{t} * processors_];
    const Time* const free_at = &free_at_[std::size_t{depth_} * processors_];
    const bool is_free = waiting_[t] == 0;
    for (std::uint32_t p = 0; p < processors_; ++p) {
      row[p] = free_at[p];
      held[p] = 0;
    }
    std::uint32_t coming_count = 0;
    for (const neighbour& e : earlier_than(t)) {
      if (is_done(e.task)) {
        const place& from = placed_[e.task];
        const Time here = row[from.processor], arrival = from.finish + e.delay;
        for (std::uint32_t p = 0; p < processors_; ++p)
          if (row[p] < arrival) row[p] = arrival;
        row[from.processor] = here > from.finish ? here : from.finish;
      } else {
        ++coming_count;
        const Time* const other = &starts_[std::size_t{e.task} * processors_];
        for (std::uint32_t p = 0; p < processors_; ++p) {
          const Time here = other[p] + duration(e.task, p);
          const Time elsewhere = finish_elsewhere(e.task, p) + e.delay;
          const Time arrival = here < elsewhere ? here : elsewhere;
          if (row[p] < arrival) row[p] = arrival;
        }
      }
    }
    if (is_free && w_.resources.empty())
      hold_back(t, row, held);
    else
      for (std::uint32_t p = 0; p < processors_; ++p)
        if (row[p] < now_) row[p] = now_;
    if (coming_count > 1) wait_for_several(t, row);
    for (std::uint32_t p = 0; p < processors_; ++p)
      limit[p] = deadline_ - tails_[t] - duration(t, p);
    if (is_free) limit_by_exchange(t, limit);
    Time best = never, second = never;
    std::uint32_t best_at = 0;
    for (std::uint32_t p = 0; p < processors_; ++p) {
      if (row[p] > limit[p] || (own_ && p != t)) {
        row[p] = never;
        continue;
      }
      if (row[p] < first_start_[p]) first_start_[p] = row[p];
      const Time finish = row[p] + duration(t, p);
      if (finish < best) {
        second = best;
        best = finish;
        best_at = p;
      } else if (finish < second) {
        second = finish;
      }
    }
    best_finish_[t] = best;
    second_finish_[t] = second;
    best_processor_[t] = best_at;
    return best != never;
  }

  constexpr Time finish_elsewhere(std::uint32_t t, std::uint32_t p) const {
    return best_processor_[t] == p ? second_finish_[t] : best_finish_[t];
  }

  // A task whose data have arrived is held back from a processor if it would start before its turn,
  // or in place of the last task there though it should precede that one.
  constexpr void hold_back(std::uint32_t t, Time* row, std::uint8_t* held) const {
    const std::uint32_t* const last_on = &last_on_[std::size_t{depth_} * processors_];
    for (std::uint32_t p = 0; p < processors_; ++p) {
      held[p] = !is_in_turn(t, p, row[p]);
      const std::uint32_t last = last_on[p];
      if (!held[p] && last != no_task && has_to_precede(t, last))
        held[p] = data_ready(t, p) <= placed_[last].start;
      if (held[p] && row[p] < now_ + shortest_) row[p] = now_ + shortest_;
    }
  }

  // The arrival time of a task's data on a processor. Precondition: its predecessors are placed.
  constexpr Time data_ready(std::uint32_t t, std::uint32_t p) const {
    Time at = 0;
    for (const neighbour& e : earlier_than(t)) {
      const place& from = placed_[e.task];
      const Time arrival = from.finish + (from.processor == p ? 0 : e.delay);
      if (arrival > at) at = arrival;
    }
    return at;
  }

  // Predecessors on the same processor as the task run in sequence: as in `tail_of_successors`,
  // those that would arrive latest from elsewhere are here.
  constexpr void wait_for_several(std::uint32_t t, Time* row) {
    for (std::uint32_t p = 0; p < processors_; ++p) {
      coming_.clear();
      for (const neighbour& e : earlier_than(t)) {
        if (is_done(e.task)) continue;
        coming added{finish_elsewhere(e.task, p) + e.delay,
                     starts_[std::size_t{e.task} * processors_ + p], duration(e.task, p)};
        if (added.from_elsewhere > never) added.from_elsewhere = never;
        coming_.push_back(added);
        for (std::size_t at = coming_.size() - 1;
             at > 0 && coming_[at - 1].from_elsewhere < added.from_elsewhere; --at) {
          coming_[at] = coming_[at - 1];
          coming_[at - 1] = added;
        }
      }
      Time least = never;
      here_.clear();
      for (std::size_t k = 0; least > row[p]; ++k) {
        Time finish = 0;
        for (const coming& c : here_)
          finish = (finish > c.start_here ? finish : c.start_here) + c.duration;
        if (k < coming_.size() && coming_[k].from_elsewhere > finish)
          finish = coming_[k].from_elsewhere;
        if (finish < least) least = finish;
        if (k == coming_.size()) break;
        here_.push_back(coming_[k]);
        for (std::size_t at = here_.size() - 1;
             at > 0 && here_[at - 1].start_here > coming_[k].start_here; --at) {
          here_[at] = here_[at - 1];
          here_[at - 1] = coming_[k];
        }
      }
      if (least > row[p]) row[p] = least;
    }
  }

  // A task of the same duration as one that started earlier, and that it should precede, starts
  // only where exchanging the two would do harm.
  constexpr void limit_by_exchange(std::uint32_t t, Time* limit) const {
    for (std::uint32_t i = 0; i < words_; ++i) {
      // A placed task u that t has to precede.
      for (std::uint64_t left = exchangeable_of(t, i); left != 0; left &= left - 1) {
        const std::uint32_t u = 64 * i + static_cast<std::uint32_t>(std::countr_zero(left));
        const place& at = placed_[u];
        if (data_ready(t, at.processor) > at.start) continue;
        const Time delay = longest_delay_[t] > 1 ? longest_delay_[t] : 1;
        for (std::uint32_t p = 0; p < processors_; ++p) {
          if (p == at.processor) {
            limit[p] = -1;
          } else if (limit[p] >= at.start + delay) {
            const Time ready = data_ready(u, p);
            const Time least = ready > at.start + delay ? ready : at.start + delay;
            if (limit[p] >= least) limit[p] = least - 1;
          }
        }
      }
    }
  }
  constexpr std::uint64_t exchangeable_of(std::uint32_t t, std::uint32_t word) const {
    return after_same_time_[t * words_ + word] & done_[word];
  }

  // --- whether there is room ---

  // The subset sums of task durations as a bit set, in units of their common divisor.
  class reachable_sums {
   public:
    static constexpr std::size_t most_words = 64;
    constexpr void clear(std::size_t words) {
      words_ = words;
      for (std::size_t i = 0; i < words; ++i) bits_[i] = 0;
      bits_[0] = 1;
    }
    constexpr void add(std::size_t units) {
      const std::size_t far = units / 64, near = units % 64;
      for (std::size_t i = words_; i-- > far;) {
        std::uint64_t moved = bits_[i - far] << near;
        if (near != 0 && i > far) moved |= bits_[i - far - 1] >> (64 - near);
        bits_[i] |= moved;
      }
    }
    // The largest reachable sum of at most `units`.
    constexpr std::size_t below(std::size_t units) const {
      std::size_t i = units / 64;
      std::uint64_t word = bits_[i] & ~std::uint64_t{0} >> (63 - units % 64);
      while (word == 0) word = bits_[--i];
      return 64 * i + 63 - static_cast<std::size_t>(std::countl_zero(word));
    }

   private:
    std::uint64_t bits_[most_words]{};
    std::size_t words_ = 1;
  };

  constexpr bool can_reach() const {
    return alike_ &&
           static_cast<std::uint64_t>(deadline_ / unit_) < 64 * reachable_sums::most_words;
  }
  constexpr void clear_sums() { sums_.clear(static_cast<std::size_t>(deadline_ / unit_) / 64 + 1); }
  constexpr void add_to_sums(Time time) {
    if (time > 0 && time <= deadline_) sums_.add(static_cast<std::size_t>(time / unit_));
  }
  // The maximum work that fits into a time on one processor, by subset sums if `reach`.
  constexpr Time work_within(Time time, bool reach) const {
    return reach ? static_cast<Time>(sums_.below(static_cast<std::size_t>(time / unit_))) * unit_
                 : time;
  }

  // For every tail value, the tasks with at least that tail must finish that long before the
  // deadline: true if all processors together have the time for them, and each one for the tasks
  // that have no other processor.
  constexpr bool has_room_at_every_tail() {
    const bool reach = can_reach();
    if (reach) clear_sums();
    for (std::uint32_t p = 0; p < processors_; ++p) {
      first_start_of_these_[p] = never;
      forced_[p] = 0;
    }
    Time work = 0;
    for (std::size_t i = 0; i < by_tail_.size(); ++i) {
      const std::uint32_t t = by_tail_[i];
      if (!is_done(t)) {
        const Time* const row = &starts_[std::size_t{t} * processors_];
        const Time end = deadline_ - tails_[t];
        work += durations_[t];
        if (reach) add_to_sums(durations_[t]);
        std::uint32_t processors = 0, only = 0;
        for (std::uint32_t p = 0; p < processors_; ++p) {
          if (row[p] == never) continue;
          ++processors;
          only = p;
          if (row[p] < first_start_of_these_[p]) first_start_of_these_[p] = row[p];
        }
        if (processors == 1) {
          forced_[only] += duration(t, only);
          if (first_start_of_these_[only] + forced_[only] > end) return false;
        }
      }
      if (i + 1 < by_tail_.size() && tails_[by_tail_[i + 1]] == tails_[t]) continue;
      const Time end = deadline_ - tails_[t];
      Time room = 0;
      for (std::uint32_t p = 0; p < processors_ && room < work; ++p)
        if (first_start_of_these_[p] < end)
          room += work_within(end - first_start_of_these_[p], reach);
      if (work > room) return false;
    }
    return true;
  }

  // Tasks without time for the delay between them share a processor: true if the clusters that they
  // form fit into the processors as wholes.
  constexpr bool has_room_for_clusters() {
    if (own_ || processors_ > 64 || !w_.has_delays) return true;
    Time work = 0, least_tail = never;
    each_undone([&](std::uint32_t t) {
      leader_[t] = t;
      cluster_work_[t] = 0;
      work += durations_[t];
      if (tails_[t] < least_tail) least_tail = tails_[t];
      allowed_[t] = 0;
      for (std::uint32_t p = 0; p < processors_; ++p)
        if (starts_[std::size_t{t} * processors_ + p] != never)
          allowed_[t] |= std::uint64_t{1} << p;
    });
    bool merged = false, possible = true;
    each_undone([&](std::uint32_t t) {
      const Time latest = deadline_ - tails_[t] - durations_[t];
      for (const neighbour& e : earlier_than(t)) {
        if (is_done(e.task) || best_finish_[e.task] + e.delay <= latest) continue;
        const std::uint32_t a = leader_of(e.task), b = leader_of(t);
        if (a == b) continue;
        leader_[b] = a;
        allowed_[a] &= allowed_[b];
        merged = true;
        possible = possible && allowed_[a] != 0;
      }
    });
    if (!merged) return true;
    if (!possible) return false;
    for (std::uint32_t p = 0; p < processors_; ++p) forced_[p] = 0;
    each_undone([&](std::uint32_t t) {
      const std::uint32_t leader = leader_of(t);
      const std::uint64_t allowed = allowed_[leader];
      cluster_work_[leader] += durations_[t];
      for (std::uint32_t p = 0; p < processors_; ++p)
        if ((allowed >> p & 1) == 0) starts_[std::size_t{t} * processors_ + p] = never;
      if ((allowed & (allowed - 1)) == 0) {
        const auto p = static_cast<std::uint32_t>(std::countr_zero(allowed));
        forced_[p] += duration(t, p);
      }
    });
    const bool reach = can_reach();
    if (reach) {
      clear_sums();
      each_undone([&](std::uint32_t t) {
        if (leader_[t] == t) add_to_sums(cluster_work_[t]);
      });
    }
    const Time end = deadline_ - least_tail;
    Time room = 0;
    for (std::uint32_t p = 0; p < processors_; ++p) {
      const Time time = first_start_[p] < end ? end - first_start_[p] : 0;
      if (forced_[p] > time) return false;
      room += work_within(time, reach);
      if (room > work) room = work;
    }
    return work <= room;
  }
  constexpr std::uint32_t leader_of(std::uint32_t t) {
    while (leader_[t] != t) t = leader_[t] = leader_[leader_[t]];
    return t;
  }

  // --- resources ---

  constexpr bool is_running(std::uint32_t t) const {
    return is_done(t) && placed_[t].finish > now_ && placed_[t].start != placed_[t].finish;
  }

  // True if the energy of all remaining and running tasks is available between now and the
  // deadline.
  constexpr bool has_resources() const {
    for (std::uint32_t r = 0; r < w_.resources.size(); ++r) {
      int128 used = 0;
      for (std::uint32_t t = 0; t < count_; ++t) {
        if (!is_done(t))
          used += static_cast<int128>(w_.demand(t, r)) * durations_[t];
        else if (is_running(t))
          used += static_cast<int128>(w_.demand(t, r)) * (placed_[t].finish - now_);
      }
      if (used > static_cast<int128>(w_.resources[r].capacity) * (deadline_ - now_)) return false;
    }
    return true;
  }

  // The first time from `at` (not before any start so far) at which the resources suffice: from
  // then on they only become free.
  constexpr Time fit(std::uint32_t t, std::uint32_t p, Time at) const {
    for (std::uint32_t r = 0; r < w_.resources.size() && duration(t, p) != 0; ++r) {
      const std::int64_t most = w_.resources[r].capacity - w_.demand(t, r);
      for (;;) {
        std::int64_t used = 0;
        Time next = never;
        for (std::uint32_t u = 0; u < count_; ++u) {
          if (!is_running(u) || placed_[u].finish <= at || w_.demand(u, r) == 0) continue;
          used += w_.demand(u, r);
          if (placed_[u].finish < next) next = placed_[u].finish;
        }
        if (used <= most) break;
        at = next;
      }
    }
    return at;
  }

  // --- what a partial schedule means for the rest ---

  static constexpr void append(table<std::uint32_t>& words, std::uint64_t word) {
    words.push_back(static_cast<std::uint32_t>(word));
    words.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  static constexpr void append_time(table<std::uint32_t>& words, Time time, std::uint32_t flags) {
    // Times are below 2^29, or below 2^61.
    const auto word = static_cast<std::uint64_t>(time) << 2 | flags;
    words.push_back(static_cast<std::uint32_t>(word));
    if constexpr (sizeof(Time) > 4) words.push_back(static_cast<std::uint32_t>(word >> 32));
  }
  constexpr void describe_running(table<std::uint32_t>& words) const {
    for (std::uint32_t t = 0; t < count_; ++t)
      if (is_running(t)) {
        words.push_back(t);
        append_time(words, placed_[t].finish, 0);
      }
    words.push_back(no_task);
  }

  // Describes each processor by its first possible start, and by the start and limit there of each
  // task that the past affects.
  constexpr void describe_rows() {
    touched_.clear();
    each_undone([&](std::uint32_t t) {
      bool touched = waiting_[t] == 0;
      for (const neighbour& e : earlier_than(t)) touched = touched || is_done(e.task);
      if (touched) touched_.push_back(t);
    });
    row_words_.clear();
    row_first_.clear();
    for (std::uint32_t p = 0; p < processors_; ++p) {
      const std::size_t first = row_words_.size();
      row_first_.push_back(first);
      row_words_.push_back(kind_[p]);
      append_time(row_words_, first_start_[p], 0);
      if (first_start_[p] != never) {
        for (const std::uint32_t t : touched_) {
          const std::size_t at = std::size_t{t} * processors_ + p;
          if (starts_[at] == never) {
            append_time(row_words_, never, 0);
            continue;
          }
          const bool limited = limits_[at] < deadline_ - tails_[t] - duration(t, p);
          append_time(row_words_, starts_[at], (held_back_[at] ? 2u : 0u) | (limited ? 1u : 0u));
          if (limited) append_time(row_words_, limits_[at], 0);
        }
      }
      std::uint64_t hash = 0;
      for (std::size_t i = first; i < row_words_.size(); ++i) hash = mix(hash * 31 + row_words_[i]);
      row_hash_[p] = hash;
    }
    row_first_.push_back(row_words_.size());
  }
  constexpr bool is_same_row(std::uint32_t p, std::uint32_t q) const {
    const std::size_t size = row_first_[p + 1] - row_first_[p];
    if (row_first_[q + 1] - row_first_[q] != size) return false;
    for (std::size_t i = 0; i < size; ++i)
      if (row_words_[row_first_[p] + i] != row_words_[row_first_[q] + i]) return false;
    return true;
  }

  const prepared_tasks& w_;
  bool own_, alike_;
  std::uint32_t count_, processors_, words_;

  // Facts of the problem.
  table<Time> durations_, durations_on_, tails_, longest_delay_;
  table<neighbour> earlier_;
  table<std::uint64_t> all_;              // one bit per task
  table<std::uint32_t> by_tail_;          // by falling tail
  table<std::uint32_t> kind_;             // for each processor, the first one with the same times
  table<std::uint32_t> same_before_;      // for each task, the previous identical one
  table<std::uint64_t> before_;           // for each task, the tasks that have to precede it
  table<std::uint64_t> after_same_time_;  // the tasks of the same duration that it has to precede
  table<std::uint32_t> fixed_order_;      // all tasks; empty: no fixed order
  Time unit_ = 0;                         // divides all times

  // The partial schedule.
  std::uint32_t depth_ = 0;
  table<std::uint32_t> sequence_;
  table<place> placed_;
  table<std::uint64_t> done_;
  table<std::uint32_t> waiting_;  // number of unplaced predecessors
  table<Time> free_at_;           // [depth · processors + p]
  table<std::uint32_t> last_on_;  // likewise
  table<Time> makespan_;          // [depth]
  table<task_placement> best_;

  // Results of `enter`.
  Time deadline_ = 0, now_ = 0, shortest_ = 0;
  table<Time> starts_, limits_;    // [t · processors + p]
  table<std::uint8_t> held_back_;  // likewise
  table<Time> best_finish_, second_finish_;
  table<std::uint32_t> best_processor_;
  table<Time> first_start_, first_start_of_these_, forced_, cluster_work_;
  table<std::uint32_t> leader_;
  table<std::uint64_t> allowed_;
  table<coming> coming_, here_;
  reachable_sums sums_;
  table<std::uint32_t> touched_, row_words_, row_order_;
  table<std::size_t> row_first_;
  table<std::uint64_t> row_hash_;
};

}  // namespace wf::detail
