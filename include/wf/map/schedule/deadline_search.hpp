// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/core/container/box.hpp>
#include <wf/core/container/table.hpp>
#include <wf/map/schedule/delay_search.hpp>
#include <wf/map/schedule/list_schedule.hpp>
#include <wf/map/schedule/prepared_tasks.hpp>
#include <wf/map/schedule/task_bounds.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/search/control.hpp>
#include <wf/search/depth_first.hpp>
#include <wf/search/run_control.hpp>
#include <wf/search/seen_states.hpp>

namespace wf::detail {

// A task graph in one direction of time, forward or reversed: the easier direction is not known
// beforehand.
struct task_direction {
  prepared_tasks tasks;
  table<std::int64_t> tails;
};

// The greatest common divisor of all times and delays; 1 if all are 0.
constexpr std::int64_t unit_of_times(const prepared_tasks& w) {
  std::int64_t unit = 0;
  for (const std::int64_t time : w.durations) unit = greatest_common_divisor(unit, time);
  for (const std::int64_t time : w.durations_on) unit = greatest_common_divisor(unit, time);
  for (const task_neighbour& e : w.later) unit = greatest_common_divisor(unit, e.delay);
  return unit == 0 ? 1 : unit;
}

// Searches for the shortest schedule by probes: a probe finds a schedule of a given length or
// proves that there is none. Lengths are the least one not excluded and the one half-way to the
// best schedule, in both directions of time, with limits that double, since one probe may succeed
// where another fails. `best` has a schedule and its bound.
//
// The result of a probe depends only on its direction, length and limit. So other threads start the
// probes that come next if this one ends at its limit; their results are used only if they are
// asked for, and nothing depends on the number of threads.
template <class Time, class Callback, class Executor>
class deadline_search {
 public:
  constexpr deadline_search(const task_graph& g, const task_direction (&directions)[2],
                            const schedule_options& options, Callback& callback, Executor& executor,
                            task_schedule& best)
      : graph_(g),
        directions_(directions),
        control_(options.limits.resolved()),
        callback_(callback),
        executor_(executor),
        best_(best),
        unit_(unit_of_times(directions[0].tasks)),
        problems_{{directions[0].tasks, directions[0].tails, g.processors == 0, true},
                  {directions[1].tasks, directions[1].tails, g.processors == 0}},
        memory_(options.memory / most_together -
                2 * delay_problem<Time>::bytes(directions[0].tasks)),
        seen_(memory_ - memory_ / 4) {
    if constexpr (requires { executor.size(); }) together_ = executor.size();
    if (together_ > most_together) together_ = most_together;
    best_.bound = (best_.bound + unit_ - 1) / unit_ * unit_;
  }

  constexpr void run() {
    for (std::uint64_t nodes = 512; best_.bound < best_.makespan; nodes *= 2) {
      if (!is_of_use_) {  // no probe reached its limit of nodes
        best_.status = search_status::stopped_by_limit;
        return;
      }
      is_of_use_ = false;
      for (int d = 0; d < 2; ++d)
        if (!raise_bound(d, nodes)) return;
      for (int d = 0; d < 2 && best_.bound + unit_ < best_.makespan; ++d)
        if (is_stopped(probe(d, half_way(), nodes))) return;
    }
    best_.status = search_status::proven;
  }

 private:
  static constexpr std::size_t most_together = 4;
  static constexpr std::uint64_t least_nodes_together = 1024, nodes_of_a_turn = 256;

  // Excludes lengths from the bound on, in steps that double as long as probes refute them. False
  // if the search has to stop.
  constexpr bool raise_bound(int d, std::uint64_t nodes) {
    std::int64_t step = unit_;
    while (best_.bound < best_.makespan) {
      std::int64_t length = best_.bound + step - unit_;
      if (length > half_way()) length = half_way();
      const depth_first_outcome out = probe(d, length, nodes);
      if (is_stopped(out)) return false;
      if (out.status == search_status::infeasible) {
        step *= 2;
      } else if (step == unit_) {
        break;
      } else {
        step = unit_;
      }
    }
    return true;
  }

  constexpr std::int64_t half_way() const {
    return best_.bound + (best_.makespan - best_.bound) / 2 / unit_ * unit_;
  }

  // Probes for a schedule that is no longer than `length`.
  constexpr depth_first_outcome probe(int d, std::int64_t length, std::uint64_t nodes) {
    const std::uint64_t left = control_.limits().left_after(best_.counters.nodes, 0).max_nodes;
    const request wanted{d, length, nodes < left ? nodes : left};
    if (together_ > 1 && nodes >= least_nodes_together) return probe_together(wanted);
    seen_.clear();
    const auto pass_on = [&](const search_progress& p) { return may_go_on(p.nodes, p.open); };
    const depth_first_outcome out =
        depth_first(problems_[d], seen_, limits_for(wanted), options_for(wanted), pass_on);
    take(wanted, out, problems_[d].best());
    return out;
  }

  // A probe to be made; the limit is never 0.
  struct request {
    int direction = 0;
    std::int64_t length = 0;
    std::uint64_t nodes = 0;
    friend constexpr bool operator==(const request&, const request&) = default;
  };
  // A probe that runs concurrently with others.
  struct started {
    constexpr started(const request& r, const delay_problem<Time>& problem, std::uint64_t memory,
                      const search_limits& limits, const depth_first_options& options)
        : wanted(r),
          problem(problem),
          seen(memory),
          run(this->problem, seen, limits, options, quiet) {}
    request wanted;
    delay_problem<Time> problem;
    seen_states seen;
    keep_going quiet;
    depth_first_run<delay_problem<Time>, keep_going> run;
    bool ended = false;
  };

  constexpr search_limits limits_for(const request& r) const {
    search_limits limits = control_.limits();
    limits.max_nodes = r.nodes;
    // Pending steps have their share of the memory.
    const std::uint64_t most = memory_ / 16 / sizeof(task_step<Time>);
    if (limits.max_open > most) limits.max_open = most;
    return limits;
  }
  static constexpr depth_first_options options_for(const request& r) {
    return {r.length + 1, INT64_MIN, r.length};
  }
  constexpr bool may_go_on(std::uint64_t nodes, std::uint64_t open) {
    return callback_(
        search_progress{best_.makespan, best_.bound, best_.counters.nodes + nodes, open});
  }
  constexpr void take(const request& r, const depth_first_outcome& out,
                      const table<task_placement>& placed) {
    best_.counters.add(out.counters);
    is_of_use_ = is_of_use_ || out.status != search_status::stopped_by_limit ||
                 out.counters.nodes >= r.nodes;
    if (out.found) {
      task_schedule better =
          schedule_of(directions_[r.direction].tasks, graph_, placed, r.direction == 1);
      best_.tasks.swap(better.tasks);
      best_.makespan = better.makespan;
    } else if (out.status == search_status::infeasible) {
      best_.bound = r.length + unit_;
    }
  }

  constexpr depth_first_outcome probe_together(const request& wanted) {
    table<request> next;
    next.push_back(wanted);
    foresee(wanted, next);
    // Drops probes that are no longer expected.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < started_.size(); ++i) {
      bool used = false;
      for (const request& r : next) used = used || r == started_[i]->wanted;
      if (!used) continue;
      if (kept != i) std::swap(started_[kept], started_[i]);
      ++kept;
    }
    while (started_.size() > kept) started_.pop_back();
    for (const request& r : next) {
      bool known = false;
      for (const box<started>& s : started_) known = known || s->wanted == r;
      if (!known)
        started_.push_back(make_box<started>(r, problems_[r.direction], memory_ - memory_ / 4,
                                             limits_for(r), options_for(r)));
    }
    std::size_t at = 0;
    while (!(started_[at]->wanted == wanted)) ++at;
    started& mine = *started_[at];
    while (!mine.ended) {
      executor_(started_.size(), [&](std::size_t i) {
        started& s = *started_[i];
        if (!s.ended) s.ended = s.run.advance(nodes_of_a_turn);
      });
      const search_counters& done = mine.run.outcome().counters;
      if (!may_go_on(done.nodes, done.most_open)) {
        depth_first_outcome out = mine.run.outcome();
        best_.counters.add(out.counters);
        out.status = search_status::stopped_by_caller;
        return out;
      }
    }
    const depth_first_outcome out = mine.run.outcome();
    take(wanted, out, mine.problem.best());
    return out;
  }

  // The probes that come next if each one ends at its limit.
  constexpr void foresee(const request& wanted, table<request>& next) const {
    // Between the two lengths of a new round: the same direction goes on at the bound.
    const bool between = wanted.length != best_.bound && wanted.length != half_way();
    bool reached = false;
    for (std::uint64_t nodes = wanted.nodes; next.size() < together_; nodes *= 2) {
      for (int half = 0; half < 2; ++half)
        for (int d = 0; d < 2 && next.size() < together_; ++d) {
          if (half == 1 && best_.bound + unit_ >= best_.makespan) continue;
          const request r{d, half == 0 ? best_.bound : half_way(), nodes};
          reached = reached || (between && half == 0 && d == wanted.direction);
          if (reached) next.push_back(r);
          reached = reached || r == wanted;
        }
      reached = true;
    }
  }

  // True if the caller or a limit of the whole search stops it.
  constexpr bool is_stopped(const depth_first_outcome& out) {
    if (best_.bound >= best_.makespan) return false;
    if (out.status == search_status::stopped_by_caller) control_.stop(out.status);
    if (control_.is_within(best_.counters.nodes, 0)) return false;
    best_.status = control_.reason();
    return true;
  }

  const task_graph& graph_;
  const task_direction (&directions_)[2];
  run_control control_;
  Callback& callback_;
  Executor& executor_;
  task_schedule& best_;
  std::int64_t unit_;  // divides every makespan
  delay_problem<Time> problems_[2];
  std::uint64_t memory_;  // bytes for the visited states of one probe
  seen_states seen_;
  std::size_t together_ = 1;  // concurrent probes
  bool is_of_use_ = true;
  table<box<started>> started_;
};

// The sum of all times and delays of the graph.
constexpr std::int64_t sum_of_times(const prepared_tasks& w) {
  std::int64_t sum = 0;
  for (const std::int64_t time : w.durations) sum += time;
  for (const std::int64_t time : w.durations_on) sum += time;
  for (const task_neighbour& e : w.later) sum += e.delay;
  return sum;
}

// Largest number of tasks that are searched: the dominance rules compare all pairs.
inline constexpr std::uint32_t most_searched_tasks = 4000;

// Improves a schedule of a valid task graph of any kind, and its bound, until they meet or the
// search has to stop. A graph with more than `most_searched_tasks` tasks, or tables beyond their
// part of the memory, is not searched: the schedule stays unchanged, with `stopped_by_limit`.
template <class Callback, class Executor>
constexpr void search_by_deadlines(const task_graph& g, const schedule_options& options,
                                   Callback& callback, Executor& executor, task_schedule& best) {
  task_direction directions[2];
  for (int d = 0; d < 2; ++d) {
    directions[d].tasks = prepare_by_paths(g, d == 1);
    directions[d].tails = tail_bounds(directions[d].tasks);
    const std::int64_t bound = makespan_bound(directions[d].tasks, directions[d].tails);
    if (bound > best.bound) best.bound = bound;
  }
  best.status = search_status::proven;
  if (best.bound >= best.makespan) return;
  best.status = search_status::stopped_by_caller;
  if (!callback(search_progress{best.makespan, best.bound, 0, 0})) return;
  best.status = search_status::stopped_by_limit;
  const prepared_tasks& w = directions[0].tasks;
  if (w.size() > most_searched_tasks || delay_problem<std::int64_t>::bytes(w) > options.memory / 16)
    return;
  const auto search = [&](auto time) {
    deadline_search<decltype(time), Callback, Executor>(g, directions, options, callback, executor,
                                                        best)
        .run();
  };
  if (sum_of_times(w) < std::int64_t{1} << 27)
    search(std::int32_t{});
  else
    search(std::int64_t{});
}

}  // namespace wf::detail
