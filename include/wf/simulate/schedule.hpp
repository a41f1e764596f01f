// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/simulate/network.hpp>

namespace wf {

namespace detail {

/// The processor of a task, as the column of a single row.
constexpr rectangle column_of(const task_placement& p) {
  return {0, static_cast<std::int32_t>(p.processor), 1, 1};
}

/// Builds the network in which the tasks of a schedule run.
class schedule_lowering {
 public:
  constexpr schedule_lowering(const task_graph& g, const task_schedule& s) : g_(g), s_(s) {}

  constexpr result<network> run() {
    if (const auto valid = validate(g_); !valid) return valid.error();
    if (s_.tasks.size() != g_.tasks.size()) return foreign();
    const std::uint32_t hosts =
        g_.processors == 0 ? static_cast<std::uint32_t>(g_.tasks.size()) : g_.processors;
    for (std::uint32_t p = 0; p < hosts; ++p) out_.add_host();
    for (std::uint32_t t = 0; t < g_.tasks.size(); ++t) {
      const task_placement& at = s_.tasks[t];
      if (at.processor >= hosts || (g_.processors == 0 && at.processor != t)) return foreign();
      const std::int64_t time = g_.duration(t, g_.processors == 0 ? 0 : at.processor);
      if (at.finish - at.start != time) return foreign();
      out_.add_node(g_.tasks[t].label.view(), time, at.processor);
    }
    for (const task_edge& e : g_.edges) {
      const bool moves =
          g_.processors != 0 && s_.tasks[e.from].processor != s_.tasks[e.to].processor;
      out_.edges.push_back({e.from, e.to, 0, usage::data, out_.add_link(0, moves ? e.delay : 0)});
    }
    sort();
    order_processors(hosts);
    for (std::uint32_t r = 0; r < g_.resources.size(); ++r)
      if (!hand_over(r)) return foreign();
    return static_cast<network&&>(out_);
  }

 private:
  constexpr error foreign() const {
    return make_error(errc::invalid_problem, g_.name, "the schedule is not one of this task graph");
  }
  constexpr void wait(std::uint32_t from, std::uint32_t to) {
    out_.edges.push_back({from, to, 0, usage::order, out_.add_link(0, 0)});
  }

  /// Sorts the tasks by start, then by finish; of those without duration at one time, by
  /// precedence.
  constexpr void sort() {
    order_ = topological_order(g_);
    stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      const task_placement &x = s_.tasks[a], &y = s_.tasks[b];
      return x.start != y.start ? x.start < y.start : x.finish < y.finish;
    });
  }
  /// Each task waits for the one before it on its processor.
  constexpr void order_processors(std::uint32_t hosts) {
    table<std::uint32_t> last(hosts, UINT32_MAX);
    for (const std::uint32_t t : order_) {
      std::uint32_t& before = last[s_.tasks[t].processor];
      if (before != UINT32_MAX) wait(before, t);
      before = t;
    }
  }
  /// Each task waits for the tasks that hand its units of a resource over to it. False if there are
  /// not as many.
  constexpr bool hand_over(std::uint32_t r) {
    const table<std::int64_t> demand = g_.demands_on(r);
    struct holder {
      std::uint32_t task = UINT32_MAX;
      std::int64_t amount = 0;
    };
    table<holder> holders;
    holders.push_back({UINT32_MAX, g_.resources[r].capacity});
    for (const std::uint32_t t : order_) {
      if (demand[t] == 0 || s_.tasks[t].start == s_.tasks[t].finish) continue;
      std::int64_t needed = demand[t];
      std::size_t kept = 0;
      for (const holder& h : holders) {
        const bool is_free = h.task == UINT32_MAX || s_.tasks[h.task].finish <= s_.tasks[t].start;
        const std::int64_t taken = !is_free ? 0 : h.amount < needed ? h.amount : needed;
        if (taken != 0 && h.task != UINT32_MAX) wait(h.task, t);
        needed -= taken;
        if (h.amount != taken) holders[kept++] = {h.task, h.amount - taken};
      }
      if (needed != 0) return false;
      holders.resize(kept);
      holders.push_back({t, demand[t]});
    }
    return true;
  }

  const task_graph& g_;
  const task_schedule& s_;
  network out_;
  table<std::uint32_t> order_;  // tasks by start
};

}  // namespace detail

/// The network that runs a schedule: each task is a process on the host of its processor (process t
/// is task t), each edge a message that takes the delay between processors. Signals keep the order
/// on each processor, and let each task wait for those that hand their units of a resource over to
/// it. Errors: those of `validate`; `invalid_problem` if the schedule is not one of the graph:
/// other tasks, processors or times, or a resource beyond its capacity. O(tasks · (log tasks +
/// resources · tasks that share one)). Source of the handing over: Artigues, Michelon and Reusser,
/// "Insertion techniques for static and dynamic resource-constrained project scheduling", EJOR
/// 2003.
constexpr result<network> network_of(const task_graph& g, const task_schedule& s) {
  return detail::schedule_lowering(g, s).run();
}

/// Replays a schedule as events: every task starts as soon as what it waits for in `network_of` is
/// there. No task starts later than in the schedule, and no rule of the problem is broken; so the
/// makespan is the schedule's, unless a task starts there later than it need, and always if it is
/// optimal. `where` of an execution is its processor, as the column of a single row. Errors: those
/// of `network_of`; `simulation_failed`, naming a cycle, if a task starts before what it waits for.
/// O(tasks · edges).
constexpr result<execution_trace> simulate(const task_graph& g, const task_schedule& s) {
  const auto net = network_of(g, s);
  if (!net) return net.error();
  auto trace = simulate(*net);
  if (!trace) return trace.error();
  const auto place = [&s](std::uint32_t t) { return detail::column_of(s.tasks[t]); };
  for (trace_event& e : trace->events) {
    e.where = place(e.op);
    e.destination = place(e.reader);
  }
  return static_cast<execution_trace&&>(*trace);
}

/// The trace of a schedule as it stands: an execution for each task and a transfer for each edge
/// with a delay between its processors, sorted by their ends. `where` as in `simulate`. O((tasks +
/// edges) log(tasks + edges)). Precondition: the schedule is one of the graph.
constexpr execution_trace trace_of(const task_graph& g, const task_schedule& s) {
  execution_trace out;
  out.makespan = s.makespan;
  const auto place = [&s](std::uint32_t t) { return detail::column_of(s.tasks[t]); };
  for (std::uint32_t t = 0; t < s.tasks.size(); ++t)
    out.events.push_back(
        {trace_kind::execute, t, t, s.tasks[t].start, s.tasks[t].finish, place(t), place(t), 0});
  for (const task_edge& e : g.edges)
    if (g.processors != 0 && e.delay != 0 && s.tasks[e.from].processor != s.tasks[e.to].processor)
      out.events.push_back({trace_kind::transfer, e.from, e.to, s.tasks[e.from].finish,
                            s.tasks[e.from].finish + e.delay, place(e.from), place(e.to), 0});
  detail::stable_sort(out.events,
                      [](const trace_event& a, const trace_event& b) { return a.end < b.end; });
  return out;
}

}  // namespace wf
