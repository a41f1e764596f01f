// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/account/run_account.hpp>
#include <wf/simulate/program/program.hpp>

namespace wf {

/// The account of a run of a program: task `a` is activity `a`, labelled by `name(a)`. It needs the
/// record alone, so a run that nobody asks about pays for nothing. An activity on a host with
/// unlimited slots is a delay. The cause is the first of the predecessors that ended last.
/// Precondition: the record is one of the program, of a run that was not stopped. O(activities +
/// successors + resources).
template <class Name = sim::activity_number>
constexpr run_account account_of(const sim_program& p, const sim_record& r, const Name& name = {}) {
  run_account out;
  out.makespan = r.makespan;
  const sim::account_platform platform(p.platform, out);
  out.tasks.resize(p.activities.size());
  for (std::uint32_t a = 0; a < p.activities.size(); ++a) {
    const range next = p.activities[a].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
      run_task& later = out.tasks[p.successors[k]];
      if (later.cause != run_task::none && r.times[a].finish <= later.ready) continue;
      later.cause = a;
      later.ready = r.times[a].finish;
    }
  }
  for (std::uint32_t a = 0; a < p.activities.size(); ++a) {
    const sim_activity& activity = p.activities[a];
    run_task& t = out.tasks[a];
    t.label = text(name(a));
    t.work = activity.work;
    t.start = r.times[a].start;
    t.finish = r.times[a].finish;
    platform.place(t, activity.kind, activity.resource);
  }
  return out;
}

}  // namespace wf
