// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/machine_model.hpp>
#include <wf/simulate/engine/fifo.hpp>
#include <wf/simulate/process/broker.hpp>
#include <wf/simulate/trace.hpp>

namespace wf::wfformat {

/// The times of a task in a replay, in ticks.
struct replayed_task {
  std::int64_t ready = -1;    ///< its last parent was done
  std::int64_t start = -1;    ///< it got its cores and began to read
  std::int64_t run = -1;      ///< it had read its inputs
  std::int64_t stop = -1;     ///< it had run
  std::int64_t finish = -1;   ///< it had written its outputs and left its cores
  std::uint32_t machine = 0;  ///< number of its machine; behind the last one: none is recorded

  friend constexpr bool operator==(const replayed_task&, const replayed_task&) = default;
};

/// The times of all tasks in a replay.
struct replay_record {
  table<replayed_task> tasks;   ///< by task of the specification
  std::int64_t makespan = 0;    ///< tick in which the last task finishes
  std::uint64_t processed = 0;  ///< completions that the engine handled

  friend constexpr bool operator==(const replay_record&, const replay_record&) = default;
};

namespace detail {

/// Drives the engine through the phases of the tasks. A task is in one phase at a time, so it is
/// its own activity.
class replay_driver {
 public:
  constexpr replay_driver(const machine_model& model, const machine_options& options,
                          const sim_platform& platform)
      : model_(model),
        options_(options),
        engine_(sim::make_engine(platform)),
        hub_(sim::first_resource(platform, sim_resource::route)) {
    const std::size_t count = model.tasks.size();
    out_.tasks.resize(count);
    phases_.resize(count);
    awaited_.resize(count + 1);
    successors_.resize(count);
    for (const std::int64_t slots : model.slots) broker_.add(slots);
    table<std::uint32_t> seen(count, relations::none);
    for (std::uint32_t t = 0; t < count; ++t) {
      out_.tasks[t].machine = model.tasks[t].machine;
      distinct_predecessors(model.related, t, seen, [&](std::uint32_t p) {
        successors_[p].push_back(t);
        ++awaited_[t];
      });
    }
  }

  constexpr replay_record run() {
    const auto count = static_cast<std::uint32_t>(model_.tasks.size());
    if (options_.start > 0)
      engine_.add(delays, {count, 0, options_.start}, *this);
    else
      begin();
    engine_.run(*this);
    out_.processed = engine_.processed();
    return static_cast<replay_record&&>(out_);
  }

  constexpr void started(std::uint32_t, std::int64_t) {}
  constexpr void finished(std::uint32_t t) {
    if (t == model_.tasks.size()) return begin();
    step(t);
    go_on();
  }

 private:
  enum class phase : std::uint8_t { waiting, latency, dispatch, queued, reading, running, writing };

  constexpr void begin() {
    for (std::uint32_t t = 0; t < model_.tasks.size(); ++t)
      if (awaited_[t] == 0) ready_.push(t);
    go_on();
  }
  /// Starts the tasks that have got their cores or become ready; not recursive, so that chains of
  /// tasks without duration may be long.
  constexpr void go_on() {
    while (true) {
      if (!granted_.empty()) {
        step(granted_.pop());
      } else if (!ready_.empty()) {
        const std::uint32_t t = ready_.pop();
        out_.tasks[t].ready = engine_.now();
        step(t);
      } else {
        return;
      }
    }
  }
  /// True if the task now is in a phase that takes time.
  constexpr bool enter(std::uint32_t t, phase to, std::uint32_t resource, std::int64_t work) {
    phases_[t] = to;
    if (work == 0) return false;
    engine_.add(resource, {t, 0, work}, *this);
    return true;
  }
  constexpr std::int64_t moved(std::int64_t bytes) const { return model_.hub > 0 ? bytes : 0; }
  /// Leaves the phase that the task is in, and those after it that take no time.
  constexpr void step(std::uint32_t t) {
    const modelled_task& task = model_.tasks[t];
    const demand need{task.machine, task.cores};
    replayed_task& times = out_.tasks[t];
    switch (phases_[t]) {
      case phase::waiting:
        if (enter(t, phase::latency, delays, options_.latency)) return;
        [[fallthrough]];
      case phase::latency:
        if (enter(t, phase::dispatch, dispatcher, options_.serial_dispatch)) return;
        [[fallthrough]];
      case phase::dispatch:
        phases_[t] = phase::queued;
        if (*broker_.request(t, {&need, 1})) granted_.push(t);
        return;
      case phase::queued:
        times.start = engine_.now();
        if (enter(t, phase::reading, hub_, moved(task.read))) return;
        [[fallthrough]];
      case phase::reading:
        times.run = engine_.now();
        if (enter(t, phase::running, delays, task.runtime)) return;
        [[fallthrough]];
      case phase::running:
        times.stop = engine_.now();
        if (enter(t, phase::writing, hub_, moved(task.written))) return;
        [[fallthrough]];
      case phase::writing:
        times.finish = out_.makespan = engine_.now();
        for (const std::uint32_t s : successors_[t])
          if (--awaited_[s] == 0) ready_.push(s);
        (void)broker_.release(t, {&need, 1}, [&](std::uint32_t next) { granted_.push(next); });
    }
  }
  const machine_model& model_;
  const machine_options& options_;
  sim::platform_engine engine_;
  std::uint32_t hub_;
  replay_record out_;
  table<phase> phases_;
  table<std::uint32_t> awaited_;
  table<table<std::uint32_t>> successors_;
  broker broker_;                // of the cores of each machine
  fifo<std::uint32_t> ready_;    // tasks whose parents are done
  fifo<std::uint32_t> granted_;  // tasks that have got their cores
};

}  // namespace detail

/// Replays a recorded workflow on the engine of the simulator. A task becomes ready when its
/// parents and the producers of its inputs are done. It then waits for the latency; passes the
/// dispatcher, which takes its time for one task after the other; waits for its cores on its
/// machine, first come first served; holds them while it reads its input files over the hub, runs
/// as long as recorded, and writes its output files over the hub. All current transfers share the
/// hub equally. A task that needs more cores than its machine has takes all of them. Other than in
/// `program_of`, cores are held during transfers, and a task may need several.
///
/// Errors: those of `program_of`. O(n log n).
constexpr result<replay_record> replay(const instance& all, const machine_options& options = {}) {
  const auto model = detail::model_of(all, options);
  if (!model) return model.error();
  return detail::replay_driver(*model, options, detail::platform_of(*model)).run();
}

/// The replay as a trace, for the reports: an execution for each task, from its start to its
/// finish, sorted by ends. `where` is a row for the machine and a column for the lowest lane of it
/// that is free. O(n log n).
constexpr execution_trace trace_of(const replay_record& r) {
  table<std::uint32_t> by_start;
  for (std::uint32_t t = 0; t < r.tasks.size(); ++t) by_start.push_back(t);
  wf::detail::stable_sort(by_start, [&](std::uint32_t a, std::uint32_t b) {
    return r.tasks[a].start < r.tasks[b].start;
  });
  struct lane_end {
    std::int64_t time = 0;
    std::int32_t lane = 0;
    constexpr bool operator<(const lane_end& other) const {
      return time != other.time ? time < other.time : lane < other.lane;
    }
  };
  struct lanes {
    binary_heap<lane_end> busy;
    binary_heap<std::int32_t> idle;
    std::int32_t count = 0;
  };
  table<lanes> machines;
  execution_trace out;
  out.makespan = r.makespan;
  out.processed = r.processed;
  out.accounts.resize(r.tasks.size());
  for (const std::uint32_t t : by_start) {
    const replayed_task& task = r.tasks[t];
    if (task.machine >= machines.size()) machines.resize(task.machine + 1);
    lanes& own = machines[task.machine];
    while (!own.busy.empty() && own.busy.top().time <= task.start)
      own.idle.push(own.busy.pop().lane);
    const std::int32_t lane = own.idle.empty() ? own.count++ : own.idle.pop();
    own.busy.push({task.finish, lane});
    const rectangle where{static_cast<std::int32_t>(task.machine), lane, 1, 1};
    out.events.push_back({trace_kind::execute, t, t, task.start, task.finish, where, where, 0});
    out.accounts[t].queued = task.start - task.ready;
    out.accounts[t].ran = task.finish - task.start;
    out.accounts[t].runs = 1;
  }
  wf::detail::stable_sort(out.events,
                          [](const trace_event& a, const trace_event& b) { return a.end < b.end; });
  return out;
}

}  // namespace wf::wfformat
