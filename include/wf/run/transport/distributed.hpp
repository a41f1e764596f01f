// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <type_traits>
#include <utility>

#include <wf/core/container/hash.hpp>
#include <wf/partition/machine/run.hpp>
#include <wf/run/transport/hosted_machines.hpp>
#include <wf/run/transport/process_world.hpp>
#include <wf/simulate/fault/write_script.hpp>

namespace wf {

/// How a deployment runs on several processes.
struct distributed_options {
  machine_run_options machines;  ///< as in the simulator; `collects` has no effect
  /// The process of each peer of the script; empty: peer p is in process p modulo their number.
  table<std::uint32_t> owners;
  process_options processes = {1 << 16, 1'000'000, 600'000'000'000};  ///< batches, and a limit
};

namespace detail {

/// A number that processes of one run have in common, and others hardly ever: of the deployment,
/// the script, the processes of peers, and the number of calls. O(size of the script).
constexpr std::uint64_t run_number(const deployment& d, const fault::script& s,
                                   view<std::uint32_t> owners, std::size_t calls) {
  hasher h;
  h.word(d.identity.high).word(d.identity.low).word(calls);
  h.characters(fault::to_json(s).view());
  for (const std::uint32_t rank : owners) h.word(rank);
  return h.value();
}

}  // namespace detail

/// Runs the machines of a deployment that are in this process, together with the other processes of
/// a transport, each of which calls this with equal arguments: nobody is the centre. What computes
/// may differ. A machine is a peer of the script, as in `run_deployment`, with the same gates;
/// rules of the script drop, double, delay and corrupt messages as they do there, where a message
/// is sent. Of events, those that wait for counters are meant for real runs.
///
/// Returns what `run_deployment` reports, about the machines of this process: outputs, failures,
/// counts, history. Times are those since the start of this process's run. Together the outputs are
/// those of the simulator and of the workflow run whole, to the bit, unless a message fails. The
/// invariants are not checked: they need the histories of all processes.
///
/// Errors: those of `run_deployment` before anything runs. What happens in the run is
/// `machine_report::failure`: `transport_failed`, also for processes that do not belong together or
/// a run that takes longer than the options allow, and `malformed_message`. O(events · log events +
/// nodes run · executions of a machine).
template <class Datum, class Gates = fault::standard_gates, transport Transport, class Evaluate>
result<machine_report<Datum>> run_distributed(Transport& carrier, const deployment& d,
                                              const registry& kernels, const fault::script& s,
                                              view<machine_role> roles,
                                              view<machine_call<Datum>> calls, Evaluate&& evaluate,
                                              const distributed_options& options = {}) {
  const auto plan = detail::plan_of<Datum>(d, kernels, s, roles, calls, options.machines.lists);
  if (!plan) return plan.error();
  table<std::uint32_t> owners(options.owners);
  for (auto p = static_cast<std::uint32_t>(owners.size()); p < s.peers.size(); ++p)
    owners.push_back(p % carrier.ranks());
  using program = hosted_machines<Datum, std::remove_reference_t<Evaluate>>;
  program all(*plan, calls, evaluate, detail::messages_of(options.machines));
  machine_report<Datum> out;
  out.run.counts = fault::tally(s.peers.size());
  fault::trace_hash trace;
  fault::recorder keeper;
  keeper.keeps = options.machines.keep_records;
  fault::accrual_detector watch(s.peers.size(), options.machines.watch_peers,
                                options.machines.watching);
  fault::observe_all history(out.run.counts, trace, keeper, watch);
  const std::uint64_t run = detail::run_number(d, s, owners, calls.size());
  fault::peer_network<program, decltype(history), Gates, process_world<Transport>> net(
      s, all, history, detail::network_of(options.machines),
      process_world<Transport>(carrier, owners, static_cast<std::uint32_t>(s.events.size()), run,
                               options.processes));
  if (const auto ran = net.run(); !ran) out.failure = ran.error();
  out.run.events = net.processed();
  out.run.trace = trace.value();
  out.run.records = trace.records();
  detail::take_report(out, all, keeper, watch);
  return out;
}

}  // namespace wf
