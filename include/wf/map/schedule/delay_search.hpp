// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/map/schedule/deadline_tests.hpp>
#include <wf/map/schedule/delay_facts.hpp>
#include <wf/map/schedule/partial_schedule.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/map/schedule/schedule_signature.hpp>
#include <wf/map/schedule/start_bounds.hpp>

namespace wf::detail {

// The scheduling problem with delays, heterogeneous processors and resources, for `depth_first`.
// docs/explanation/scheduling.md justifies the pruning rules.
//
// Tasks start in the order that `start_bounds` names, so every schedule is built in one way only.
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
      : f_(w, tails, own_processors, may_fix_order), s_(f_), b_(f_), tests_(f_), signature_(f_) {}

  // Approximate bytes of the tables of a problem of this size.
  static constexpr std::uint64_t bytes(const prepared_tasks& w) {
    const std::uint64_t count = w.size();
    const std::uint64_t processors =
        w.durations_on.empty() && w.processors > w.size() ? w.size() : w.processors;
    return count * processors * (4 * sizeof(Time) + 8) + count * (count / 4 + 128);
  }

  constexpr void apply(const choice& step) { s_.apply(f_, step); }
  constexpr void undo() { s_.undo(f_); }
  constexpr bool is_complete() const { return s_.depth == f_.count; }
  constexpr std::int64_t value() const { return s_.makespan[s_.depth]; }
  constexpr std::int64_t spent() const { return s_.makespan[s_.depth]; }
  constexpr void keep() {
    best_.resize(f_.count);
    for (std::uint32_t t = 0; t < f_.count; ++t)
      best_[t] = {s_.placed[t].processor, s_.placed[t].start, s_.placed[t].finish};
  }
  // The placements of the kept schedule.
  constexpr const table<task_placement>& best() const { return best_; }

  constexpr bool enter(std::int64_t cutoff) {
    return b_.find(f_, s_, static_cast<Time>(cutoff) - 1) && tests_.pass(f_, s_, b_);
  }

  constexpr std::uint64_t describe(table<std::uint32_t>& words) {
    return signature_.describe(f_, s_, b_, words);
  }

  constexpr void branch(table<choice>& out) {
    const std::size_t first = out.size();
    s_.each_undone(f_, [&](std::uint32_t t) {
      if (s_.waiting[t] != 0) return;
      if (f_.has_fixed_order() && t != f_.fixed_order[s_.depth]) return;
      // Identical tasks start in the order of their numbers.
      if (f_.same_before[t] != no_task && !s_.is_done(f_.same_before[t])) return;
      const std::size_t row = std::size_t{t} * f_.processors;
      for (std::uint32_t p = 0; p < f_.processors; ++p) {
        if (b_.starts[row + p] == never || b_.held_back[row + p]) continue;
        bool met = false;  // a processor with an equal row was tried
        for (std::uint32_t q = 0; q < p && !met; ++q) met = signature_.are_alike(p, q);
        if (met) continue;
        Time start = b_.starts[row + p];
        if (!f_.w.resources.empty()) {
          start = fit(t, p, start);
          if (start > b_.limits[row + p] || !b_.is_in_turn(f_, s_, t, p, start)) continue;
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
  static constexpr Time never = delay_facts<Time>::never;
  static constexpr std::uint32_t no_task = delay_facts<Time>::no_task;

  static constexpr bool comes_first(const choice& a, const choice& b) {
    if (a.start != b.start) return a.start < b.start;
    return a.task != b.task ? a.task < b.task : a.processor < b.processor;
  }

  // The first time from `at` (not before any start so far) at which the resources suffice: from
  // then on they only become free.
  constexpr Time fit(std::uint32_t t, std::uint32_t p, Time at) const {
    for (std::uint32_t r = 0; r < f_.w.resources.size() && f_.duration(t, p) != 0; ++r) {
      const std::int64_t most = f_.w.resources[r].capacity - f_.w.demand(t, r);
      for (;;) {
        std::int64_t used = 0;
        Time next = never;
        for (std::uint32_t u = 0; u < f_.count; ++u) {
          if (!s_.is_running(u, b_.now) || s_.placed[u].finish <= at || f_.w.demand(u, r) == 0)
            continue;
          used += f_.w.demand(u, r);
          if (s_.placed[u].finish < next) next = s_.placed[u].finish;
        }
        if (used <= most) break;
        at = next;
      }
    }
    return at;
  }

  delay_facts<Time> f_;
  partial_schedule<Time> s_;
  start_bounds<Time> b_;
  deadline_tests<Time> tests_;
  schedule_signature<Time> signature_;
  table<task_placement> best_;
};

}  // namespace wf::detail
