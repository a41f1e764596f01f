// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/container/sort.hpp>
#include <wf/map/schedule/task_graph.hpp>
#include <wf/simulate/platform/topology.hpp>
#include <wf/simulate/program/builder.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

namespace detail {

/// The processor of a task, as the column of a single row.
constexpr rectangle column_of(const task_placement& p) {
  return {0, static_cast<std::int32_t>(p.processor), 1, 1};
}

/// A schedule as a program: activity `t` is task `t`; then the edges that take time.
struct lowered_schedule {
  sim_program program;
  table<std::uint32_t> moves;  // the edge of each activity after the tasks
};

/// Builds the program in which the tasks of a schedule run: on processors with the delays of the
/// edges, or on the hosts of a cluster with a message for each edge, of these bytes.
class schedule_lowering {
 public:
  constexpr schedule_lowering(const task_graph& g, const task_schedule& s) : g_(g), s_(s) {}
  constexpr schedule_lowering(const task_graph& g, const task_schedule& s,
                              const sim_cluster& cluster, view<std::int64_t> bytes)
      : g_(g), s_(s), is_on_cluster_(true), cluster_(&cluster), bytes_(bytes) {}

  constexpr result<lowered_schedule> run() {
    if (const auto valid = validate(g_); !valid) return valid.error();
    if (s_.tasks.size() != g_.tasks.size()) return foreign();
    const std::uint32_t hosts =
        g_.processors == 0 ? static_cast<std::uint32_t>(g_.tasks.size()) : g_.processors;
    if (is_on_cluster_) {
      if (bytes_.size() != g_.edges.size()) return foreign();
      if (hosts > cluster_->hosts)
        return make_error(errc::invalid_problem, g_.name,
                          "the cluster has fewer hosts than the schedule has processors");
      made_.platform = cluster_->platform;
    }
    const auto first = static_cast<std::uint32_t>(made_.platform.slots.size());
    for (std::uint32_t p = 0; p < hosts; ++p) made_.platform.slots.push_back(1);
    if (!is_on_cluster_) made_.platform.slots.push_back(sim::slots::unlimited);  // for delays
    for (std::uint32_t t = 0; t < g_.tasks.size(); ++t) {
      const task_placement& at = s_.tasks[t];
      if (at.processor >= hosts || (g_.processors == 0 && at.processor != t)) return foreign();
      const std::int64_t time = g_.duration(t, g_.processors == 0 ? 0 : at.processor);
      if (at.finish - at.start != time) return foreign();
      made_.add(sim_resource::slots, first + at.processor, time);
    }
    for (std::uint32_t k = 0; k < g_.edges.size(); ++k) add_edge(k, hosts);
    sort();
    order_processors(hosts);
    for (std::uint32_t r = 0; r < g_.resources.size(); ++r)
      if (!hand_over(r)) return foreign();
    out_.program = made_.take();
    return static_cast<lowered_schedule&&>(out_);
  }

 private:
  /// Adds an edge: an order, and an activity if it takes time.
  constexpr void add_edge(std::uint32_t k, std::uint32_t delays) {
    const task_edge& e = g_.edges[k];
    const std::uint32_t from = s_.tasks[e.from].processor, to = s_.tasks[e.to].processor;
    const bool moves =
        is_on_cluster_ ? from != to : g_.processors != 0 && e.delay != 0 && from != to;
    if (!moves) return made_.connect(e.from, e.to);
    const std::uint32_t move =
        is_on_cluster_ ? made_.add(sim_resource::route, cluster_->route(from, to), bytes_[k])
                       : made_.add(sim_resource::slots, delays, e.delay);
    out_.moves.push_back(k);
    made_.connect(e.from, move);
    made_.connect(move, e.to);
  }
  constexpr error foreign() const {
    return make_error(errc::invalid_problem, g_.name, "the schedule is not one of this task graph");
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
      if (before != UINT32_MAX) made_.connect(before, t);
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
        if (taken != 0 && h.task != UINT32_MAX) made_.connect(h.task, t);
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
  // Besides the pointer, because g++ 12 compares none to a temporary with null in constants.
  bool is_on_cluster_ = false;
  const sim_cluster* cluster_ = nullptr;
  view<std::int64_t> bytes_;  // by edge
  sim_program_builder made_;
  lowered_schedule out_;
  table<std::uint32_t> order_;  // tasks by start
};

}  // namespace detail

/// The program that runs a schedule: activity `t` is task `t`, on a host with one slot for its
/// processor; then each edge that takes time between processors. The order on each processor is
/// kept, and each task waits for those that hand their units of a resource over to it. Errors:
/// those of `validate`; `invalid_problem` if the schedule is not one of the graph: other tasks,
/// processors or times, or a resource beyond its capacity. O(tasks · (log tasks + resources · tasks
/// that share one)). Source of the handing over: Artigues, Michelon and Reusser, "Insertion
/// techniques for static and dynamic resource-constrained project scheduling", EJOR 2003.
constexpr result<sim_program> program_of(const task_graph& g, const task_schedule& s) {
  auto made = detail::schedule_lowering(g, s).run();
  if (!made) return made.error();
  return static_cast<sim_program&&>(made->program);
}

namespace detail {

/// Records the trace of a schedule's program.
struct schedule_recorder {
  const task_graph& g;
  const task_schedule& s;
  const table<std::uint32_t>& moves;
  execution_trace& out;

  constexpr void finished(std::uint32_t a, const sim_times& t) {
    const auto tasks = static_cast<std::uint32_t>(g.tasks.size());
    if (a < tasks) {
      const rectangle at = column_of(s.tasks[a]);
      out.accounts[a].ran = t.finish - t.start;
      out.accounts[a].runs = 1;
      out.events.push_back({trace_kind::execute, a, a, t.start, t.finish, at, at, 0});
    } else {
      const task_edge& e = g.edges[moves[a - tasks]];
      out.events.push_back({trace_kind::transfer, e.from, e.to, t.start, t.finish,
                            column_of(s.tasks[e.from]), column_of(s.tasks[e.to]), 0});
    }
  }
};

}  // namespace detail

/// Replays a schedule as events: every task starts as soon as what it waits for in `program_of` is
/// there. No task starts later than in the schedule, and no rule of the problem is broken; so the
/// makespan is the schedule's, unless a task starts there later than it need, and always if it is
/// optimal. `where` of an execution is its processor, as the column of a single row. Errors: those
/// of `program_of`; `simulation_failed`, naming a cycle, if a task starts before what it waits for.
/// O((tasks + edges) log(tasks + edges)).
constexpr result<execution_trace> simulate(const task_graph& g, const task_schedule& s) {
  const auto made = detail::schedule_lowering(g, s).run();
  if (!made) return made.error();
  execution_trace out;
  out.accounts.resize(g.tasks.size());
  const auto name = [&](std::uint32_t a) {
    return a < g.tasks.size() ? g.tasks[a].label : text("a delay");
  };
  const auto record =
      simulate(made->program, detail::schedule_recorder{g, s, made->moves, out}, name);
  if (!record) return record.error();
  out.makespan = record->makespan;
  out.processed = record->processed;
  return out;
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
