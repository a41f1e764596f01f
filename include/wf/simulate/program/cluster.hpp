// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/schedule/from_graph.hpp>
#include <wf/simulate/program/schedule.hpp>

namespace wf {

/// The program of a scheduled workflow on a cluster.
struct cluster_program {
  /// Activity `t` is task `t`; then the messages between hosts.
  sim_program program;
  /// Name of each activity: of a task its node's label, of a message "sender to receiver".
  table<text> labels;
};

/// The program that runs a workflow's schedule on a cluster: processor `p` is host `p`, a unit of
/// time is a tick of the platform, and the result that a task sends to another host is one message
/// for each edge, which shares the links of its route with all others. The link of the task options
/// with which the schedule was found no longer counts; so the makespan may be longer or shorter
/// than the schedule's. A message without bytes, a signal, takes the latency of its route. Hosts
/// compute one task at a time, in the schedule's order and with its durations, whatever their cores
/// and speeds, and tasks wait for those that hand their units of a resource over to them. Errors:
/// those of `program_of(task_graph, task_schedule)`; `invalid_problem` if the cluster has fewer
/// hosts than the schedule has processors. O(tasks · (log tasks + resources · tasks that share one)
/// + edges + size of the platform).
constexpr result<cluster_program> program_of(const workflow_schedule& s,
                                             const sim_cluster& cluster) {
  const task_graph& g = s.tasks.graph;
  auto made = detail::schedule_lowering(g, s.times, cluster, s.tasks.bytes).run();
  if (!made) return made.error();
  cluster_program out{static_cast<sim_program&&>(made->program), {}};
  for (const graph_task& t : g.tasks) out.labels.push_back(t.label);
  for (const std::uint32_t k : made->moves)
    out.labels.push_back(text(g.tasks[g.edges[k].from].label)
                         << " to " << g.tasks[g.edges[k].to].label.view());
  return out;
}

}  // namespace wf
