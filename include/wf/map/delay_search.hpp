// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/integer.hpp>
#include <wf/core/table.hpp>
#include <wf/map/prepared_tasks.hpp>
#include <wf/search/control.hpp>

namespace wf::detail {

// The exact search for task graphs with delays, processors that differ and resources. A schedule is
// built in the order in which its tasks start (those that take no time first, then by number), each
// task as early as it can behind the tasks before it on its processor; so every schedule worth
// looking at is built in one way only.
template <class Callback>
class delay_search {
 public:
  // Searches for schedules shorter than `cutoff`.
  constexpr delay_search(const prepared_tasks& w, bool own_processors, const search_limits& limits,
                         std::int64_t cutoff, std::int64_t bound, Callback& callback)
      : w_(w),
        own_(own_processors),
        limits_(limits.resolved()),
        callback_(callback),
        cutoff_(cutoff),
        bound_(bound),
        placed_(w.size()),
        is_placed_(w.size()),
        waiting_(w.size()),
        free_at_(w.processors),
        tails_(w.size()),
        used_(w.processors) {
    for (std::uint32_t t = 0; t < w.size(); ++t) waiting_[t] = w.before[t].count;
    for (std::uint32_t t = w.size(); t-- > 0;)
      for (const task_neighbour& e : w.later_than(t))
        if (tails_[e.task] + w.durations[e.task] > tails_[t])
          tails_[t] = tails_[e.task] + w.durations[e.task];
  }

  // True if the search came to its end: nothing is shorter than what it found, or the cutoff.
  constexpr bool run() {
    place_rest(0, {0, false, 0});
    return !stop_;
  }
  constexpr bool found() const { return !best_.empty(); }
  constexpr const table<task_placement>& best() const { return best_; }
  constexpr std::int64_t cutoff() const { return cutoff_; }
  constexpr search_status why_stopped() const { return status_; }
  constexpr const search_counters& counters() const { return counters_; }

 private:
  // The order of starts.
  struct moment {
    std::int64_t start = 0;
    bool lasts = false;
    std::uint32_t task = 0;
    constexpr bool before(const moment& o) const {
      if (start != o.start) return start < o.start;
      return lasts != o.lasts ? !lasts : task < o.task;
    }
  };

  constexpr std::int64_t ready_at(std::uint32_t t, std::uint32_t p) const {
    std::int64_t at = free_at_[p];
    for (const task_neighbour& e : w_.earlier_than(t)) {
      const std::int64_t arrival =
          placed_[e.task].finish + (placed_[e.task].processor == p ? 0 : e.delay);
      if (arrival > at) at = arrival;
    }
    return at;
  }

  // The first moment from `at` on, which is no earlier than any start so far, at which the
  // resources suffice: from then on they only become free.
  constexpr std::int64_t fit(std::uint32_t t, std::int64_t at) const {
    for (std::uint32_t r = 0; r < w_.resources.size(); ++r) {
      const std::int64_t most = w_.resources[r].capacity - w_.demand(t, r);
      for (;;) {
        std::int64_t used = 0, next = unbounded;
        for (std::uint32_t u = 0; u < w_.size(); ++u) {
          if (!is_placed_[u] || placed_[u].finish <= at || w_.demand(u, r) == 0) continue;
          used += w_.demand(u, r);
          if (placed_[u].finish < next) next = placed_[u].finish;
        }
        if (used <= most) break;
        at = next;
      }
    }
    return at;
  }

  constexpr std::int64_t lower_bound(std::int64_t now) {
    std::int64_t bound = 0, work = 0;
    table<std::int64_t> finish(w_.size());
    for (std::uint32_t t = 0; t < w_.size(); ++t) {
      std::int64_t at = now;
      if (is_placed_[t]) {
        finish[t] = placed_[t].finish;
      } else {
        for (const task_neighbour& e : w_.earlier_than(t))
          if (finish[e.task] > at) at = finish[e.task];
        finish[t] = at + w_.durations[t];
        work += w_.durations[t];
      }
      if (finish[t] + tails_[t] > bound) bound = finish[t] + tails_[t];
    }
    if (!own_) {
      for (std::uint32_t p = 0; p < w_.processors; ++p) work += free_at_[p];
      if (const std::int64_t mean = (work + w_.processors - 1) / w_.processors; mean > bound)
        bound = mean;
    }
    return bound;
  }

  constexpr bool stopped() {
    if (stop_) return true;
    if (counters_.nodes >= limits_.max_nodes) {
      status_ = search_status::stopped_by_limit;
      return stop_ = true;
    }
    if ((announce_ || counters_.nodes % limits_.progress_interval == 0) &&
        !callback_(search_progress{cutoff_, bound_, counters_.nodes, 0})) {
      status_ = search_status::stopped_by_caller;
      return stop_ = true;
    }
    announce_ = false;
    return false;
  }

  constexpr void place_rest(std::uint32_t count, const moment& last) {
    if (count == w_.size()) {
      best_ = placed_;
      cutoff_ = 0;
      for (const task_placement& p : placed_)
        if (p.finish > cutoff_) cutoff_ = p.finish;
      ++counters_.incumbents;
      announce_ = true;
      return;
    }
    if (lower_bound(last.start) >= cutoff_) {
      ++counters_.pruned;
      return;
    }
    if (cutoff_ <= bound_ || stopped()) return;
    ++counters_.nodes;
    for (std::uint32_t t = 0; t < w_.size(); ++t) {
      if (is_placed_[t] || waiting_[t] != 0) continue;
      bool met_unused = false;
      for (std::uint32_t p = own_ ? t : 0; p < (own_ ? t + 1 : w_.processors); ++p) {
        if (used_[p] == 0 && w_.durations_on.empty() && !own_) {
          if (met_unused) continue;
          met_unused = true;
        }
        std::int64_t at = ready_at(t, p);
        const std::int64_t duration = w_.duration(t, p);
        if (!w_.resources.empty()) at = fit(t, at < last.start ? last.start : at);
        const moment now{at, duration != 0, t};
        if (count != 0 && !last.before(now)) continue;
        if (at + duration + tails_[t] >= cutoff_) continue;
        ++counters_.generated;
        const std::int64_t before = free_at_[p];
        placed_[t] = {p, at, at + duration};
        is_placed_[t] = 1;
        free_at_[p] = at + duration;
        ++used_[p];
        for (const task_neighbour& e : w_.later_than(t)) --waiting_[e.task];
        place_rest(count + 1, now);
        for (const task_neighbour& e : w_.later_than(t)) ++waiting_[e.task];
        --used_[p];
        free_at_[p] = before;
        is_placed_[t] = 0;
        if (stop_ || cutoff_ <= bound_) return;
      }
    }
  }

  const prepared_tasks& w_;
  bool own_;
  search_limits limits_;
  Callback& callback_;
  std::int64_t cutoff_, bound_;
  table<task_placement> placed_, best_;
  table<std::uint8_t> is_placed_;
  table<std::uint32_t> waiting_;
  table<std::int64_t> free_at_, tails_;
  table<std::uint32_t> used_;
  search_counters counters_;
  search_status status_ = search_status::proven;
  bool stop_ = false, announce_ = true;
};

}  // namespace wf::detail
