// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>

namespace wf {

namespace detail {

// A task of the one-machine problem: its duration on the machine, and its tail (delivery time)
// afterwards; or, in reversed time, its head (release time) before.
template <class Time>
struct delivered_task {
  Time duration = 0, tail = 0;
};

// The minimum makespan of the one-machine problem with tails: longest tail first (Jackson's rule).
// The list is kept in that order; O(tasks) per added task.
template <class Time>
class one_machine {
 public:
  constexpr void clear() {
    tasks_.clear();
    least_ = 0;
  }
  constexpr void add(const delivered_task<Time>& added) {
    insert_sorted(tasks_, added, [](const delivered_task<Time>& a, const delivered_task<Time>& b) {
      return a.tail > b.tail;
    });
    Time sum = 0;
    for (const delivered_task<Time>& t : tasks_) {
      sum += t.duration;
      if (sum + t.tail > least_) least_ = sum + t.tail;
    }
  }
  constexpr Time least() const { return least_; }

 private:
  table<delivered_task<Time>> tasks_;
  Time least_ = 0;
};

// A successor of a task: the time that it takes from the end of the task on another processor, its
// delay included, and what it is on the task's own; or a predecessor, in reversed time.
template <class Time>
struct split_neighbour {
  Time elsewhere = 0;
  delivered_task<Time> here;

  // The order of `time_beside`: what takes longest elsewhere comes first.
  static constexpr bool is_before(const split_neighbour& a, const split_neighbour& b) {
    return a.elsewhere > b.elsewhere;
  }
};

// Lower bound on the time that the neighbours of a task take, each of which either runs on its
// processor, in sequence there, or waits for its delay elsewhere: the minimum over all such
// partitions. If the k-th is the one elsewhere that takes longest, the k - 1 before it are all
// here. At most `most` of them are tried here: the time of so many is a bound, too. Ends as soon as
// the minimum is at most `enough`.
template <class Time>
constexpr Time time_beside(const table<split_neighbour<Time>>& sorted, one_machine<Time>& here,
                           Time enough, std::size_t most) {
  here.clear();
  Time least = sorted.empty() ? 0 : sorted[0].elsewhere;
  for (std::size_t k = 0; k < sorted.size() && k < most && least > enough; ++k) {
    if (here.least() >= least) break;
    here.add(sorted[k].here);
    Time with = k + 1 < sorted.size() && k + 1 < most ? sorted[k + 1].elsewhere : 0;
    if (here.least() > with) with = here.least();
    if (with < least) least = with;
  }
  return least;
}

// Lower bound on the time after a task due to its successors.
constexpr std::int64_t tail_of_successors(const prepared_tasks& w, std::uint32_t t,
                                          const table<std::int64_t>& tails) {
  table<split_neighbour<std::int64_t>> list;
  for (const task_neighbour& e : w.later_than(t)) {
    const std::int64_t duration = w.durations[e.task], tail = tails[e.task];
    list.push_back({e.delay + duration + tail, {duration, tail}});
  }
  stable_sort(list, split_neighbour<std::int64_t>::is_before);
  one_machine<std::int64_t> here;
  return time_beside(list, here, std::int64_t{0}, 64);
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
