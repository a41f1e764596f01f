// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/machine_model.hpp>
#include <wf/simulate/program/builder.hpp>

namespace wf::wfformat {

/// What a workflow system adds to the run times of tasks. All are costs: 0 is an ideal system.
struct engine_constants {
  /// Seconds for each task on the longest path, such as the polling interval of the system.
  double latency = 0;
  /// Seconds that the system takes for each task: planning, submission.
  double submission = 0;
  /// Seconds that a machine takes to start a task; each machine starts one after the other.
  double staging = 0;
  /// Seconds per gigabyte (10^9 bytes) of the files that machines fetch.
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
/// second of a constant.
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

/// A recorded workflow: the makespan of its tasks on an ideal system, by simulation, and what the
/// system adds to it. What it adds is a sum: in recorded executions the costs of the system explain
/// more without overlap, with each other or with the tasks, than if they are simulated.
///
/// On the ideal system a task becomes ready when its parents and the producers of its inputs are
/// done, waits for a core of its machine and runs as long as recorded. A task of which no machine
/// is recorded waits for one of the cores of all machines together.
///
/// Files that the machine of a task produced itself are not fetched, and output files stay where
/// they are written. A task without a machine has no locality: it copies all its input and output
/// files, and all such tasks count as those of one machine.
class recorded_model {
 public:
  /// The model of an instance. Errors: those of `program_of` and of `simulate`. O(n log n).
  static constexpr result<recorded_model> of(const instance& all) {
    auto model = detail::model_of(all, {.decimals = decimals, .unplaced_slots = cores_of(all)});
    if (!model) return model.error();
    const detail::quantities figures(all, model->related);
    recorded_model out;
    for (std::uint32_t t = 0; t < model->tasks.size(); ++t) {
      const auto bytes = fetched(figures, *model, t);
      if (!bytes) return bytes.error();
      out.load_.gigabytes += static_cast<double>(*bytes) / 1e9;
    }
    out.measure(*model);
    const auto run = simulate(ideal_program(*model));
    if (!run) return run.error();
    out.ideal_ = static_cast<double>(run->makespan) / ticks_per_second;
    return out;
  }

  /// The makespan in seconds on an ideal system.
  constexpr double ideal() const { return ideal_; }

  /// The makespan in seconds with these constants: the ideal one and each constant times its load.
  /// Errors: `invalid_problem` for a constant that is not finite or negative. O(1).
  constexpr result<double> makespan(const engine_constants& c) const {
    double sum = ideal_;
    for (std::size_t k = 0; k < engine_constants::count; ++k) {
      if (!(c[k] >= 0) || !(c[k] - c[k] == 0))
        return make_error(errc::invalid_problem, "", "a constant is negative or not finite");
      sum += c[k] * load_[k];
    }
    return sum;
  }

  /// The work of each kind that the instance has.
  constexpr const engine_load& load() const { return load_; }

 private:
  static constexpr std::uint32_t decimals = 6;
  static constexpr double ticks_per_second = 1e6;

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
  /// The tasks alone, without files and costs.
  static constexpr sim_program ideal_program(const detail::machine_model& model) {
    sim_program_builder made;
    made.platform = detail::platform_of(model);
    for (const std::int64_t s : model.slots) made.platform.slots.push_back(s);
    table<std::uint32_t> run(model.tasks.size()), seen(model.tasks.size(), relations::none);
    for (const std::uint32_t t : model.related.order) {
      const detail::modelled_task& task = model.tasks[t];
      run[t] = made.add(sim_resource::slots, 2 + task.machine, task.runtime);
      detail::distinct_predecessors(model.related, t, seen,
                                    [&](std::uint32_t p) { made.connect(run[p], run[t]); });
    }
    return made.take();
  }
  constexpr void measure(const detail::machine_model& model) {
    table<std::uint32_t> depth(model.tasks.size()), share(model.slots.size());
    for (const std::uint32_t t : model.related.order) {
      detail::predecessors_of(model.related, t, [&](std::uint32_t p) {
        if (depth[p] > depth[t]) depth[t] = depth[p];
      });
      const double levels = ++depth[t];
      const double tasks = ++share[model.tasks[t].machine];
      if (levels > load_.levels) load_.levels = levels;
      if (tasks > load_.share) load_.share = tasks;
    }
    load_.tasks = static_cast<double>(model.tasks.size());
  }

  engine_load load_;
  double ideal_ = 0;
};

}  // namespace wf::wfformat
