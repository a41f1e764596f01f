// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/adapt/wfformat/quantities.hpp>
#include <wf/adapt/wfformat/validate.hpp>
#include <wf/simulate/program/program.hpp>

namespace wf::wfformat {

/// The workflow system and the machines on which a recorded workflow is simulated. Times are in
/// ticks of 10^-decimals seconds. Records have no start times, and their makespan has the delays of
/// the workflow system in it: these options are what a user fits or assumes.
struct machine_options {
  std::uint32_t decimals = 6;  ///< a tick is 10^-decimals seconds; at most 18
  /// Time before the first task, in ticks.
  std::int64_t start = 0;
  /// Time between the end of the last parent and the dispatch of a task, in ticks.
  std::int64_t latency = 0;
  /// Time that the dispatcher takes for a task, in ticks; it dispatches one after the other.
  std::int64_t serial_dispatch = 0;
  /// Bytes per second of the hub, the one link that all reads and writes share equally; 0: reading
  /// and writing take no time.
  double hub_bandwidth = 0;
  /// Number of slots of every machine; 0: the cores that the file states.
  std::int64_t slots = 0;
  /// Number of slots for the tasks of which no machine is recorded, together; 0: unlimited.
  std::int64_t unplaced_slots = 0;
};

namespace detail {

/// A task as simulations need it.
struct modelled_task {
  std::int64_t runtime = 0;   ///< in ticks
  std::int64_t read = 0;      ///< bytes
  std::int64_t written = 0;   ///< bytes
  std::uint32_t machine = 0;  ///< index of `machine_model::slots`
  std::int64_t cores = 1;     ///< slots that it needs; no more than its machine has
};

/// A recorded workflow on the machines of its options.
struct machine_model {
  relations related;
  table<modelled_task> tasks;
  /// By machine, and last the slots for tasks without one. A task of several machines is on the
  /// first.
  table<std::int64_t> slots;
  double hub = 0;  ///< bytes per tick; 0: unlimited
};

constexpr result<nothing> check(const machine_options& o, text_view name) {
  const auto wrong = [&](text_view sentence) {
    return make_error(errc::invalid_problem, name, sentence);
  };
  if (o.decimals > 18) return wrong("a tick must not be shorter than 10^-18 seconds");
  if (o.start < 0 || o.latency < 0 || o.serial_dispatch < 0)
    return wrong("a time must not be negative");
  if (o.slots < 0 || o.unplaced_slots < 0) return wrong("a number of slots must not be negative");
  if (!(o.hub_bandwidth >= 0) || !(o.hub_bandwidth - o.hub_bandwidth == 0))
    return wrong("the bandwidth of the hub must be a finite number, not negative");
  return nothing{};
}

constexpr std::int64_t slots_of(const machine& m, const machine_options& o) {
  if (o.slots != 0) return o.slots;
  if (!m.cpu || !m.cpu->core_count.is_stated()) return sim::slots::unlimited;
  const auto cores = m.cpu->core_count.scaled(0);
  return cores ? *cores : sim::slots::unlimited;
}

/// No run takes longer than all tasks one after the other, in ticks.
constexpr double longest(const machine_model& m, const machine_options& o) {
  double sum = static_cast<double>(o.start);
  for (const modelled_task& t : m.tasks) {
    sum += static_cast<double>(t.runtime) + static_cast<double>(o.latency) +
           static_cast<double>(o.serial_dispatch) + 2;
    if (m.hub > 0) sum += (static_cast<double>(t.read) + static_cast<double>(t.written)) / m.hub;
  }
  return sum;
}

/// Errors: those of `relations_of`, `check` and `quantities`; `overflow` if times might not fit.
constexpr result<machine_model> model_of(const instance& all, const machine_options& o) {
  if (const auto fine = check(o, all.name.view()); !fine) return fine.error();
  auto related = relations_of(all);
  if (!related) return related.error();
  machine_model out;
  out.related = static_cast<relations&&>(*related);
  const quantities figures(all, out.related);
  if (all.workflow.execution)
    for (const machine& m : all.workflow.execution->machines) out.slots.push_back(slots_of(m, o));
  out.slots.push_back(o.unplaced_slots == 0 ? sim::slots::unlimited : o.unplaced_slots);
  for (std::uint32_t t = 0; t < out.related.parents.size(); ++t) {
    const auto runtime = figures.runtime_of(t, o.decimals);
    if (!runtime) return runtime.error();
    const auto read = figures.bytes_of(out.related.inputs[t]);
    if (!read) return read.error();
    const auto written = figures.bytes_of(out.related.outputs[t]);
    if (!written) return written.error();
    modelled_task task{*runtime, *read, *written, static_cast<std::uint32_t>(out.slots.size() - 1),
                       1};
    if (!out.related.machines[t].empty()) task.machine = out.related.machines[t][0];
    if (const number& n = figures.record_of(t)->core_count; n.is_stated()) {
      const auto cores = n.scaled(0);
      task.cores = cores ? *cores : INT64_MAX;
    }
    if (task.cores > out.slots[task.machine]) task.cores = out.slots[task.machine];
    out.tasks.push_back(task);
  }
  out.hub = o.hub_bandwidth;
  for (std::uint32_t i = 0; i < o.decimals; ++i) out.hub /= 10;
  if (o.hub_bandwidth > 0 && !(out.hub > 0))
    return make_error(errc::invalid_problem, all.name.view(), "the hub is too slow for its ticks");
  if (!(longest(out, o) < 0x1p61))
    return make_error(errc::overflow, all.name.view(),
                      "all tasks one after the other take more than 2^61 ticks");
  return out;
}

/// Calls `each(earlier)` as `predecessors_of`, but once for each task; `seen` has an entry for each
/// task, at first `none`.
template <class Each>
constexpr void distinct_predecessors(const relations& r, std::uint32_t t,
                                     table<std::uint32_t>& seen, const Each& each) {
  predecessors_of(r, t, [&](std::uint32_t p) {
    if (seen[p] == t) return;
    seen[p] = t;
    each(p);
  });
}

/// The platform of a model: a host for delays, one for the dispatcher, and the hub as a route.
constexpr sim_platform platform_of(const machine_model& m) {
  sim_platform out;
  out.slots.push_back(sim::slots::unlimited);
  out.slots.push_back(1);
  if (m.hub > 0) {
    out.bandwidths.push_back(m.hub);
    out.routes.push_back({{0, 1}, 0, 1});
    out.route_links.push_back(0);
  }
  return out;
}
/// Its hosts with slots.
inline constexpr std::uint32_t delays = 0, dispatcher = 1;

}  // namespace detail

}  // namespace wf::wfformat
