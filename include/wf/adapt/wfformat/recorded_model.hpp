// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/machine_model.hpp>
#include <wf/simulate/program/builder.hpp>

namespace wf::wfformat {

/// What a workflow system adds to the run times of tasks. All are costs: 0 is an ideal system.
struct engine_constants {
  /// Seconds between the end of the last parent and the submission of a task, such as the polling
  /// interval of the system; tasks wait at the same time.
  double latency = 0;
  /// Seconds that the system takes for each task before the first one starts: planning, submission.
  double submission = 0;
  /// Seconds that a machine takes to start a task; each machine starts one after the other.
  double staging = 0;
  /// Seconds per gigabyte (10^9 bytes) on the link from which machines fetch their input files.
  double transfer = 0;

  /// Number of constants.
  static constexpr std::size_t count = 4;
  /// The constant of a number, in the order of the members.
  constexpr double& operator[](std::size_t i) {
    return i == 0 ? latency : i == 1 ? submission : i == 2 ? staging : transfer;
  }
  /// The constant of a number, in the order of the members.
  constexpr double operator[](std::size_t i) const {
    return i == 0 ? latency : i == 1 ? submission : i == 2 ? staging : transfer;
  }
  friend constexpr bool operator==(const engine_constants&, const engine_constants&) = default;
};

/// How much work of each kind an instance has: by how many seconds its makespan grows with each
/// second of a constant, if nothing overlaps.
struct engine_load {
  double levels = 0;     ///< tasks on the longest path: for `engine_constants::latency`
  double tasks = 0;      ///< all tasks: for `submission`
  double share = 0;      ///< tasks of the machine that has most: for `staging`
  double gigabytes = 0;  ///< fetched from other machines: for `transfer`

  /// The load of a number, in the order of the constants.
  constexpr double operator[](std::size_t i) const {
    return i == 0 ? levels : i == 1 ? tasks : i == 2 ? share : gigabytes;
  }
};

/// A recorded workflow as a program of the simulator in which the constants of the workflow system
/// may change from run to run. All tasks are submitted before the first one starts. A task becomes
/// ready when its parents and the producers of its inputs are done. Then
///
/// 1. it waits for the latency;
/// 2. its machine starts it, one task after the other on each machine;
/// 3. it fetches the input files that its own machine did not produce, over one link that all
///    current transfers share equally; output files stay where they are written;
/// 4. it waits for a core of its machine and runs as long as recorded.
///
/// A task of which no machine is recorded waits for one of the cores of all machines together after
/// step 1, and holds it while it starts, copies all its input and output files, and runs: a file
/// without machines has no locality.
class recorded_model {
 public:
  /// The model of an instance. Errors: those of `program_of`. O(n log n).
  static constexpr result<recorded_model> of(const instance& all) {
    auto model = detail::model_of(all, {.decimals = decimals, .unplaced_slots = cores_of(all)});
    if (!model) return model.error();
    recorded_model out;
    const detail::quantities figures(all, model->related);
    out.steps_.resize(model->tasks.size());
    for (std::uint32_t t = 0; t < model->tasks.size(); ++t) {
      step& s = out.steps_[t];
      s.runtime = model->tasks[t].runtime;
      s.placed = model->tasks[t].machine + 1 < model->slots.size();
      const auto bytes = fetched(figures, *model, t);
      if (!bytes) return bytes.error();
      s.gigabytes = static_cast<double>(*bytes) / 1e9;
    }
    out.lower(*model);
    out.measure(*model);
    return out;
  }

  /// The makespan in seconds with these constants. Errors: `invalid_problem` for a constant that
  /// is not finite or negative; `overflow` if times might not fit. One simulation: O(n log n).
  constexpr result<double> makespan(const engine_constants& c) const {
    double longest = 0;
    for (std::size_t i = 0; i < engine_constants::count; ++i) {
      if (!(c[i] >= 0) || !(c[i] - c[i] == 0))
        return make_error(errc::invalid_problem, "", "a constant is negative or not finite");
      longest += c[i] * (i == 3 ? all_gigabytes_ : static_cast<double>(steps_.size()));
    }
    if (!(longest < 0x1p61 / ticks_per_second - all_seconds_))
      return make_error(errc::overflow, "", "all tasks one after the other take too long");
    sim_program program = program_;
    for (const step& s : steps_) {
      table<sim_activity>& a = program.activities;
      const std::int64_t moved = ticks(s.gigabytes * c.transfer);
      a[s.first].work = ticks(c.latency);
      if (s.placed) {
        a[s.first + 1].work = ticks(c.staging);
        a[s.first + 2].work = moved;
      } else {
        a[s.first + 1].work = s.runtime + ticks(c.staging) + moved;
      }
    }
    program.activities[submission].work = ticks(c.submission * static_cast<double>(steps_.size()));
    const auto run = simulate(program);
    if (!run) return run.error();
    return static_cast<double>(run->makespan) / ticks_per_second;
  }

  /// The work of each kind that the instance has.
  constexpr const engine_load& load() const { return load_; }

 private:
  static constexpr std::uint32_t decimals = 6;
  static constexpr double ticks_per_second = 1e6;
  static constexpr std::uint32_t hub = 0, submission = 0;  // a route, an activity

  struct step {
    std::int64_t runtime = 0;  // ticks
    double gigabytes = 0;      // fetched
    std::uint32_t first = 0;   // activity: its latency; the others follow
    bool placed = true;
  };

  static constexpr std::int64_t ticks(double seconds) {
    return static_cast<std::int64_t>(seconds * ticks_per_second + 0.5);
  }
  /// The cores of all machines; 0 if one of them is unknown.
  static constexpr std::int64_t cores_of(const instance& all) {
    std::int64_t sum = 0;
    if (!all.workflow.execution) return sum;
    for (const machine& m : all.workflow.execution->machines) {
      const std::int64_t cores = detail::slots_of(m, {});
      if (cores == sim::slots::unlimited || !checked_add(sum, cores, sum)) return 0;
    }
    return sum;
  }
  /// The bytes that a task moves.
  static constexpr result<std::int64_t> fetched(const detail::quantities& figures,
                                                const detail::machine_model& model,
                                                std::uint32_t t) {
    const detail::modelled_task& task = model.tasks[t];
    std::int64_t sum = task.read;
    if (task.machine + 1 == model.slots.size()) {
      if (!checked_add(sum, task.written, sum))
        return make_error(errc::overflow, "", "the bytes of a task do not fit 63 bits");
      return sum;
    }
    for (const std::uint32_t f : model.related.inputs[t]) {
      const std::uint32_t p = model.related.producers[f];
      if (p == relations::none || model.tasks[p].machine != task.machine) continue;
      const auto bytes = figures.bytes_of(f);
      if (!bytes) return bytes.error();
      sum -= *bytes;
    }
    return sum;
  }
  constexpr void lower(const detail::machine_model& model) {
    sim_program_builder made;
    const auto machines = static_cast<std::uint32_t>(model.slots.size());
    made.platform = detail::platform_of(model);
    for (const std::int64_t s : model.slots) made.platform.slots.push_back(s);
    for (std::uint32_t m = 0; m < machines; ++m) made.platform.slots.push_back(1);
    made.platform.bandwidths.push_back(1);  // work of transfers is the time that they take alone
    made.platform.routes.push_back({{0, 1}, 0, 1});
    made.platform.route_links.push_back(0);
    made.add(sim_resource::slots, detail::delays, 0);
    table<std::uint32_t> last(steps_.size()), seen(steps_.size(), relations::none);
    for (const std::uint32_t t : model.related.order) {
      step& s = steps_[t];
      const std::uint32_t machine = model.tasks[t].machine;
      s.first = last[t] = made.add(sim_resource::slots, detail::delays, 0);
      bool none = true;
      detail::distinct_predecessors(model.related, t, seen, [&](std::uint32_t p) {
        made.connect(last[p], s.first);
        none = false;
      });
      if (none) made.connect(submission, s.first);
      const auto append = [&](sim_resource kind, std::uint32_t resource, std::int64_t work) {
        const std::uint32_t added = made.add(kind, resource, work);
        made.connect(last[t], added);
        last[t] = added;
      };
      if (s.placed) {
        append(sim_resource::slots, 2 + machines + machine, 0);
        append(sim_resource::route, hub, 0);
      }
      append(sim_resource::slots, 2 + machine, s.runtime);
    }
    program_ = made.take();
  }
  constexpr void measure(const detail::machine_model& model) {
    table<std::uint32_t> depth(steps_.size()), share(model.slots.size());
    for (const std::uint32_t t : model.related.order) {
      detail::predecessors_of(model.related, t, [&](std::uint32_t p) {
        if (depth[p] > depth[t]) depth[t] = depth[p];
      });
      const double levels = ++depth[t];
      const double tasks = ++share[model.tasks[t].machine];
      if (levels > load_.levels) load_.levels = levels;
      if (tasks > load_.share) load_.share = tasks;
      load_.gigabytes += steps_[t].gigabytes;
      all_seconds_ += static_cast<double>(steps_[t].runtime) / ticks_per_second;
    }
    load_.tasks = static_cast<double>(steps_.size());
    all_gigabytes_ = load_.gigabytes;
  }

  table<step> steps_;
  sim_program program_;
  engine_load load_;
  double all_gigabytes_ = 0, all_seconds_ = 0;
};

}  // namespace wf::wfformat
