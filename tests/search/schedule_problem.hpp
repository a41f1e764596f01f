// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>

#include <wf/search/control.hpp>

namespace wf_test {

inline constexpr std::size_t most_tasks = 8, most_machines = 3;

/// P | prec | Cmax: minimise the makespan of tasks with durations and predecessors on identical
/// machines.
struct task_set {
  std::size_t tasks = 0, machines = 1;
  std::int32_t duration[most_tasks]{};  // at least 1
  std::uint32_t before[most_tasks]{};   // bit j: task j must have finished
  std::int32_t deadline = INT32_MAX;
};

/// Tasks in order of their starts, each placed on the machine that is free first.
struct partial_schedule {
  std::uint32_t placed = 0;
  std::int32_t now = 0;  // no later task starts earlier; the makespan if every task is placed
  std::int32_t free_at[most_machines]{};
  std::int32_t start[most_tasks]{};
  std::int32_t machine[most_tasks]{};
  friend constexpr bool operator==(const partial_schedule&, const partial_schedule&) = default;
};

/// The problem with the interfaces of A* and of branch and bound. Two states are equivalent if they
/// agree, relative to `now`, on when machines are free and tasks are ready.
class makespan_problem {
 public:
  using state = partial_schedule;

  constexpr explicit makespan_problem(const task_set& tasks, std::uint32_t noise = 0)
      : in_(tasks), noise_(noise) {
    for (std::size_t round = 0; round < in_.tasks; ++round)
      for (std::size_t t = 0; t < in_.tasks; ++t) {
        if (tail_[t] == 0) tail_[t] = in_.duration[t];
        for (std::size_t u = 0; u < in_.tasks; ++u)
          if (has(in_.before[t], u) && tail_[u] < in_.duration[u] + tail_[t])
            tail_[u] = in_.duration[u] + tail_[t];
      }
  }

  constexpr state root() const { return {}; }
  constexpr std::uint64_t steps() const { return steps_; }
  constexpr bool goal(const state& s) const { return s.placed == (1U << in_.tasks) - 1; }

  constexpr std::int64_t g(const state& s) const { return s.now; }
  constexpr std::int64_t h(const state& s) {
    const std::int64_t whole = lower_bound(s);
    if (whole > in_.deadline) return wf::unbounded;
    const std::int64_t rest = whole - s.now;
    // Any part of an admissible bound is admissible, but seldom consistent.
    return noise_ == 0 ? rest : rest * static_cast<std::int64_t>((hash(s) ^ noise_) % 5) / 4;
  }

  constexpr std::int64_t bound(const state& s, std::int64_t) {
    const std::int64_t rest = h(s);
    if (goal(s) || rest == wf::unbounded) return rest == wf::unbounded ? rest : s.now;
    return s.now + rest;
  }
  constexpr bool feasible(const state& s) const { return goal(s); }

  template <class Emit>
  constexpr void expand(const state& s, Emit&& emit) {
    for (std::size_t t = 0; t < in_.tasks; ++t, ++steps_)
      if (eligible(s, t)) emit(with(s, t));
  }

  constexpr std::uint64_t hash(const state& s) const {
    std::uint64_t out = s.placed + 1;
    for (std::size_t m = 0; m < in_.machines; ++m) out = out * 1'000'003 + nth_free(s, m);
    for (std::size_t t = 0; t < in_.tasks; ++t) out = out * 1'000'003 + ready(s, t);
    return out ^ (out >> 31);
  }
  constexpr bool same(const state& a, const state& b) const {
    if (a.placed != b.placed) return false;
    for (std::size_t m = 0; m < in_.machines; ++m)
      if (nth_free(a, m) != nth_free(b, m)) return false;
    for (std::size_t t = 0; t < in_.tasks; ++t)
      if (ready(a, t) != ready(b, t)) return false;
    return true;
  }

 protected:
  static constexpr bool has(std::uint32_t set, std::size_t t) { return ((set >> t) & 1) != 0; }
  constexpr bool eligible(const state& s, std::size_t t) const {
    return !has(s.placed, t) && (in_.before[t] & ~s.placed) == 0;
  }
  constexpr std::int32_t tail(std::size_t t) const { return tail_[t]; }
  constexpr const task_set& tasks() const { return in_; }

  constexpr state with(state s, std::size_t t) const {
    std::size_t first = 0;
    for (std::size_t m = 1; m < in_.machines; ++m)
      if (s.free_at[m] < s.free_at[first]) first = m;
    const std::int32_t start = s.now + static_cast<std::int32_t>(ready(s, t));
    s.start[t] = start < s.free_at[first] ? s.free_at[first] : start;
    s.machine[t] = static_cast<std::int32_t>(first);
    s.free_at[first] = s.start[t] + in_.duration[t];
    s.placed |= 1U << t;
    s.now = s.free_at[0];
    for (std::size_t m = 1; m < in_.machines; ++m)
      if (goal(s) ? s.free_at[m] > s.now : s.free_at[m] < s.now) s.now = s.free_at[m];
    return s;
  }

 private:
  // The time from now until m + 1 machines are free; at a goal all states are equivalent.
  constexpr std::uint64_t nth_free(const state& s, std::size_t m) const {
    if (goal(s)) return 0;
    std::int32_t times[most_machines]{};
    for (std::size_t i = 0; i < in_.machines; ++i) {
      std::size_t at = i;
      for (; at > 0 && times[at - 1] > s.free_at[i]; --at) times[at] = times[at - 1];
      times[at] = s.free_at[i];
    }
    return static_cast<std::uint64_t>(times[m] - s.now);
  }
  // The time from now until the placed predecessors of an unplaced task have finished.
  constexpr std::uint64_t ready(const state& s, std::size_t t) const {
    if (has(s.placed, t)) return 0;
    std::int32_t latest = s.now;
    for (std::size_t u = 0; u < in_.tasks; ++u)
      if (has(in_.before[t] & s.placed, u) && latest < s.start[u] + in_.duration[u])
        latest = s.start[u] + in_.duration[u];
    return static_cast<std::uint64_t>(latest - s.now);
  }
  // The maximum over the busiest machine, the total load, and the longest remaining chain.
  constexpr std::int64_t lower_bound(const state& s) {
    std::int64_t least = s.now, load = 0;
    for (std::size_t m = 0; m < in_.machines; ++m) {
      load += s.free_at[m];
      if (least < s.free_at[m]) least = s.free_at[m];
    }
    for (std::size_t t = 0; t < in_.tasks; ++t, ++steps_) {
      if (has(s.placed, t)) continue;
      load += in_.duration[t];
      const std::int64_t chain = s.now + static_cast<std::int64_t>(ready(s, t)) + tail_[t];
      if (least < chain) least = chain;
    }
    const auto machines = static_cast<std::int64_t>(in_.machines);
    return least * machines < load ? (load + machines - 1) / machines : least;
  }

  task_set in_;
  std::uint32_t noise_;
  std::int32_t tail_[most_tasks]{};  // the longest chain that starts with the task
  std::uint64_t steps_ = 0;
};

/// The problem with dominance for branch and bound.
struct dominated_makespan : makespan_problem {
  using makespan_problem::makespan_problem;
  constexpr std::int64_t spent(const state& s) const { return s.now; }
};

/// The problem with a bound that is never above the cutoff.
struct blunt_makespan : makespan_problem {
  using makespan_problem::makespan_problem;
  constexpr std::int64_t bound(const state& s, std::int64_t cutoff) {
    const std::int64_t exact = makespan_problem::bound(s, cutoff);
    return exact < cutoff ? exact : cutoff;
  }
};

/// The problem with quick completions for A*: the longest chain first.
struct guided_makespan : makespan_problem {
  using makespan_problem::makespan_problem;
  constexpr bool incumbent(const state& s, state& out) const {
    out = s;
    while (!goal(out)) {
      std::size_t best = most_tasks;
      for (std::size_t t = 0; t < tasks().tasks; ++t)
        if (eligible(out, t) && (best == most_tasks || tail(t) > tail(best))) best = t;
      if (best == most_tasks) return false;
      out = with(out, best);
    }
    return out.now <= tasks().deadline;
  }
};

/// Six tasks on two machines: the longest chain takes 7, the load 7.5, and the optimum is 8.
constexpr task_set six_tasks() {
  task_set out;
  out.tasks = 6;
  out.machines = 2;
  const std::int32_t durations[] = {3, 2, 2, 2, 4, 2};
  for (std::size_t t = 0; t < 6; ++t) out.duration[t] = durations[t];
  out.before[3] = 0b000011;
  out.before[4] = 0b000001;
  out.before[5] = 0b000110;
  return out;
}

}  // namespace wf_test
