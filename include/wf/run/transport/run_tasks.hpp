// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>

#include <wf/run/transport/surviving_run.hpp>
#include <wf/run/transport/task_run.hpp>

namespace wf {

/// Runs a list of tasks together with the other processes of a transport, each of which calls this
/// with an equal list: nobody is the centre, and nobody asks who is where. A process runs its own
/// tasks, one at a time, by
///
///     error compute(std::uint32_t task, view<task_operand<Datum>> operands, Datum& out)
///
/// and sends a value once to each process that reads it (by `datum_form<Datum>`), in batches. It
/// keeps a value until its last reader here has run, so that what it holds is known from the list.
///
/// If a task fails, what waits for it fails, too, and all else runs; then every process reports the
/// same failure, that of the first failed task in the order of their numbers. No process ends
/// before all are at their end.
///
/// A process that is lost ends the run, unless the options say that it recovers. Then the others go
/// on, after they have agreed on who is lost: outputs and failure are those of a run without
/// losses. If a process is lost after the last task has ended, its outputs may be lost with it: the
/// report says who is. Who hears of the end tells all others, O(processes) messages each.
///
/// Errors: `invalid_problem` for the fault of a list, or if it is for another number of processes;
/// `transport_failed`, also for a process that is lost, or that others take for lost, and
/// `malformed_message`. O(t + e log e) to prepare, for t tasks and e operands, again after each
/// loss, and O(operands + readers) for each task.
template <class Datum, transport Transport, class Compute>
result<task_report<Datum>> run_tasks(Transport& carrier, const task_list& tasks, Compute&& compute,
                                     const task_run_options& options = {}) {
  if (tasks.fault().code != errc::none) return tasks.fault();
  if (tasks.ranks() != carrier.ranks())
    return make_error(errc::invalid_problem, "tasks",
                      (text() << "they are for " << tasks.ranks()
                              << " processes, of which there are " << carrier.ranks())
                          .view());
  if (!options.sizes.empty() && options.sizes.size() != tasks.size())
    return make_error(errc::invalid_problem, "tasks", "not each of them has a size");
  using computing = std::remove_reference_t<Compute>;
  if (options.recovers)
    return detail::surviving_run<Datum, Transport, computing>(carrier, tasks, compute, options)
        .run();
  detail::task_members members{{}, detail::run_number(tasks), false};
  for (std::uint32_t r = 0; r < carrier.ranks(); ++r) members.ranks.push_back(r);
  carrier.begin();
  detail::task_run<Datum, Transport, computing> here(carrier, tasks, compute, options, members);
  here.go();
  if (here.fault().code != errc::none) return here.fault();
  if (const auto done = carrier.finish(); !done) return done.error();
  return here.take_report();
}

}  // namespace wf
