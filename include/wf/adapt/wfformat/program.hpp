// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/machine_model.hpp>
#include <wf/simulate/program/builder.hpp>

namespace wf::wfformat {

/// The program of a recorded workflow, and the activities of its tasks.
struct recorded_program {
  sim_program program;        ///< for `simulate`; one machine is a host with slots
  table<std::uint32_t> runs;  ///< by task: the activity in which it runs
  table<std::uint32_t> ends;  ///< by task: its last activity
};

namespace detail {

/// Lowers one model to a program.
class program_maker {
 public:
  constexpr program_maker(const machine_model& model, const machine_options& options)
      : model_(model), options_(options) {}

  constexpr recorded_program run() {
    made_.platform = platform_of(model_);
    const auto first_machine = static_cast<std::uint32_t>(made_.platform.slots.size());
    for (const std::int64_t s : model_.slots) made_.platform.slots.push_back(s);
    if (options_.start > 0) start_ = made_.add(sim_resource::slots, delays, options_.start);
    out_.runs.resize(model_.tasks.size());
    out_.ends.resize(model_.tasks.size());
    seen_ = table<std::uint32_t>(model_.tasks.size(), relations::none);
    for (const std::uint32_t t : model_.related.order) add(t, first_machine);
    out_.program = made_.take();
    return static_cast<recorded_program&&>(out_);
  }

 private:
  /// Adds an activity behind the last one of the task.
  constexpr void append(std::uint32_t t, sim_resource kind, std::uint32_t resource,
                        std::int64_t work) {
    const std::uint32_t added = made_.add(kind, resource, work);
    if (last_ != relations::none) {
      made_.connect(last_, added);
    } else {
      bool first = true;
      distinct_predecessors(model_.related, t, seen_, [&](std::uint32_t p) {
        made_.connect(out_.ends[p], added);
        first = false;
      });
      if (first && start_ != relations::none) made_.connect(start_, added);
    }
    last_ = added;
  }
  constexpr void add(std::uint32_t t, std::uint32_t first_machine) {
    const modelled_task& task = model_.tasks[t];
    const bool moves = model_.hub > 0;
    last_ = relations::none;
    if (options_.latency > 0) append(t, sim_resource::slots, delays, options_.latency);
    if (options_.serial_dispatch > 0)
      append(t, sim_resource::slots, dispatcher, options_.serial_dispatch);
    if (moves && task.read > 0) append(t, sim_resource::route, 0, task.read);
    append(t, sim_resource::slots, first_machine + task.machine, task.runtime);
    out_.runs[t] = last_;
    if (moves && task.written > 0) append(t, sim_resource::route, 0, task.written);
    out_.ends[t] = last_;
  }

  const machine_model& model_;
  const machine_options& options_;
  sim_program_builder made_;
  recorded_program out_;
  table<std::uint32_t> seen_;  // by task: the last one that was connected to it
  std::uint32_t start_ = relations::none, last_ = relations::none;
};

}  // namespace detail

/// The program of a recorded workflow for the simulator (`simulate`). A task becomes ready when its
/// parents and the producers of its inputs are done; then one activity follows the other:
///
/// 1. it waits for the latency;
/// 2. it passes the dispatcher, which takes its time for one task after the other;
/// 3. it reads the bytes of its input files over the hub, a link that all current transfers share
///    equally;
/// 4. it waits for a slot of its machine, first come first served, and runs as long as recorded;
/// 5. it writes the bytes of its output files over the hub.
///
/// Activities without work are left out, except the run. An activity of a program has one resource:
/// so a task takes one slot whatever its `coreCount`, and holds it while it runs, but not while it
/// reads and writes. `replay` (replay.hpp) holds the cores all the time; the two agree where the
/// hub is unlimited and each task needs one core, except for the order of tasks that come to a
/// machine in one tick.
///
/// Errors: those of `relations_of`; `bad_workflow_file` for a task without a record, a negative run
/// time, and what does not fit 63 bits; `invalid_problem` for options out of range; `overflow` if
/// all tasks one after the other take more than 2^61 ticks. O(n log n).
constexpr result<recorded_program> program_of(const instance& all,
                                              const machine_options& options = {}) {
  const auto model = detail::model_of(all, options);
  if (!model) return model.error();
  return detail::program_maker(*model, options).run();
}

}  // namespace wf::wfformat
