// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>

namespace wf {

namespace detail {

// A task of the one-machine problem: its duration on the machine, and its tail (delivery time)
// afterwards.
struct delivered_task {
  std::int64_t duration = 0, tail = 0;
};

// The minimum makespan of the one-machine problem with tails: longest tail first (Jackson's rule).
// The list is kept in that order; O(tasks) per added task.
class one_machine {
 public:
  constexpr void add(const delivered_task& added) {
    std::size_t at = tasks_.size();
    tasks_.push_back(added);
    for (; at > 0 && tasks_[at - 1].tail < added.tail; --at) tasks_[at] = tasks_[at - 1];
    tasks_[at] = added;
    std::int64_t sum = 0;
    for (const delivered_task& t : tasks_) {
      sum += t.duration;
      if (sum + t.tail > least_) least_ = sum + t.tail;
    }
  }
  constexpr std::int64_t least() const { return least_; }

 private:
  table<delivered_task> tasks_;
  std::int64_t least_ = 0;
};

// Lower bound on the time after a task due to its successors: each of them either runs on its
// processor, in sequence there, or waits for the delay. If the k-th is the one elsewhere whose
// delay weighs most, the k - 1 before it are all here.
constexpr std::int64_t tail_of_successors(const prepared_tasks& w, std::uint32_t t,
                                          const table<std::int64_t>& tails) {
  struct weighed {
    std::int64_t elsewhere = 0;
    delivered_task here;
  };
  table<weighed> list;
  for (const task_neighbour& e : w.later_than(t)) {
    const std::int64_t duration = w.durations[e.task], tail = tails[e.task];
    list.push_back({e.delay + duration + tail, {duration, tail}});
  }
  stable_sort(list, [](const weighed& a, const weighed& b) { return a.elsewhere > b.elsewhere; });
  constexpr std::size_t most = 64;  // beyond it, the time of this many here is a bound, too
  one_machine here;
  std::int64_t least = list.empty() ? 0 : list[0].elsewhere;
  for (std::size_t k = 0; k < list.size() && k < most && here.least() < least; ++k) {
    here.add(list[k].here);
    std::int64_t with = k + 1 < list.size() && k + 1 < most ? list[k + 1].elsewhere : 0;
    if (here.least() > with) with = here.least();
    if (with < least) least = with;
  }
  return least;
}

}  // namespace detail

/// For each task, a lower bound on the time from its finish to the end of any schedule, with
/// minimum durations. The larger of two bounds:
/// - some of its successors run on its processor, in sequence, and the others wait for their
///   delays: the minimum over all such partitions (cf. Papadimitriou and Yannakakis, "Towards an
///   architecture-independent analysis of parallel algorithms", SIAM J. Comput. 1990);
/// - the work of all its descendants: other processors begin with them no sooner than after the
///   least delay among the edges that lead to them. Omitted beyond 2000 tasks.
///
/// O(sum of squared degrees + tasks · edges / 64).
constexpr table<std::int64_t> tail_bounds(const prepared_tasks& w) {
  const std::uint32_t count = w.size();
  table<std::int64_t> tails(count);
  const std::size_t words = count <= 2000 ? (count + 63) / 64 : 0;
  table<std::uint64_t> behind(words * count);
  table<std::int64_t> least_delay(count);  // of all edges among a task's descendants
  for (std::uint32_t t = count; t-- > 0;) {
    tails[t] = detail::tail_of_successors(w, t, tails);
    if (words == 0 || w.after[t].count == 0) continue;
    std::uint64_t* const mine = behind.data() + t * words;
    std::int64_t delay = INT64_MAX;
    for (const task_neighbour& e : w.later_than(t)) {
      for (std::size_t i = 0; i < words; ++i) mine[i] |= behind[e.task * words + i];
      mine[e.task / 64] |= std::uint64_t{1} << e.task % 64;
      if (e.delay < delay) delay = e.delay;
      if (w.after[e.task].count != 0 && least_delay[e.task] < delay) delay = least_delay[e.task];
    }
    least_delay[t] = delay;
    std::int64_t work = 0;
    for (std::uint32_t u = t + 1; u < count; ++u)
      if ((mine[u / 64] >> u % 64 & 1) != 0) work += w.durations[u];
    std::int64_t least = work;  // all work here, or x here and x - delay on each other processor
    if (work > delay && w.processors > 1) {
      const std::int64_t others = w.processors - 1;
      // Rearranged to avoid the product of delay and processors: the delay may be large.
      least = delay + (work - delay + others) / w.processors;
    }
    if (least > tails[t]) tails[t] = least;
  }
  return tails;
}

/// Lower bound on the makespan: the maximum of the critical path by `tail_bounds` and the mean work
/// of a processor. O(tasks).
constexpr std::int64_t makespan_bound(const prepared_tasks& w, const table<std::int64_t>& tails) {
  std::int64_t work = 0, bound = 0;
  for (std::uint32_t t = 0; t < w.size(); ++t) {
    work += w.durations[t];
    if (w.durations[t] + tails[t] > bound) bound = w.durations[t] + tails[t];
  }
  const std::int64_t mean = (work + w.processors - 1) / w.processors;
  return mean > bound ? mean : bound;
}

}  // namespace wf
