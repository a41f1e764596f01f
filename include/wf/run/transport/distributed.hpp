// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <chrono>
#include <type_traits>
#include <utility>

#include <wf/core/container/hash.hpp>
#include <wf/partition/machine/run.hpp>
#include <wf/run/transport/hosted_machines.hpp>
#include <wf/run/transport/process_world.hpp>
#include <wf/run/transport/survivors.hpp>
#include <wf/simulate/fault/write_script.hpp>

namespace wf {

/// How a deployment runs on several processes.
struct distributed_options {
  machine_run_options machines;  ///< as in the simulator; `collects` has no effect
  /// The process of each peer of the script; empty: peer p is in process p modulo their number.
  table<std::uint32_t> owners;
  process_options processes = {1 << 16, 1'000'000, 600'000'000'000};  ///< batches, and a limit
  /// When a process is lost, the others divide its machines among them, and begin again. What
  /// computes must give the same value each time, in any process.
  bool recovers = false;
};

/// What one process reports of a run of a deployment on several processes.
template <class Datum>
struct distributed_report : machine_report<Datum> {
  table<std::uint32_t> lost;  ///< of a run that recovers: processes that were lost, ascending
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

// The processes of peers when some are lost: the others divide what was theirs.
constexpr table<std::uint32_t> owners_of(const table<std::uint32_t>& owners,
                                         view<std::uint32_t> lost, view<std::uint32_t> left) {
  table<std::uint32_t> out(owners);
  for (std::uint32_t p = 0; p < owners.size(); ++p)
    for (const std::uint32_t r : lost)
      if (owners[p] == r) out[p] = left[p % left.size()];
  return out;
}

// The machines of one process from their start until the run is over, interrupted, or fails.
template <class Datum, class Gates, class Transport, class Evaluate>
class machine_epoch {
 public:
  machine_epoch(const machine_plan& plan, const fault::script& s, view<machine_call<Datum>> calls,
                Evaluate& evaluate, const machine_run_options& options,
                process_world<Transport> here)
      : all_(plan, calls, evaluate, messages_of(options)),
        watch_(s.peers.size(), options.watch_peers, options.watching),
        net_(s, all_, history_, network_of(options), std::move(here)) {
    counts_ = fault::tally(s.peers.size());
    keeper_.keeps = options.keep_records;
    net_.start();
  }
  machine_epoch(const machine_epoch&) = delete;
  machine_epoch& operator=(const machine_epoch&) = delete;

  // Goes on until the run is over or fails; true if it is interrupted before.
  bool go() {
    const auto gone = net_.go_on();
    if (gone && net_.here().is_interrupted()) return true;
    const auto ended = gone ? net_.finish() : gone;
    failure_ = ended.error();
    return false;
  }
  bool is_over() { return net_.here().is_over(); }
  void came(std::uint32_t rank, view<std::uint8_t> bytes) { net_.here().came(net_, rank, bytes); }
  void lost(std::uint32_t rank) { net_.here().lost(rank); }

  distributed_report<Datum> take_report() {
    distributed_report<Datum> out;
    out.failure = failure_;
    out.run.events = net_.processed();
    out.run.trace = trace_.value();
    out.run.records = trace_.records();
    out.run.counts = std::move(counts_);
    detail::take_report(out, all_, keeper_, watch_);
    return out;
  }

 private:
  using program = hosted_machines<Datum, Evaluate>;
  using history =
      fault::observe_all<fault::tally, fault::trace_hash, fault::recorder, fault::accrual_detector>;

  program all_;
  fault::tally counts_;
  fault::trace_hash trace_;
  fault::recorder keeper_;
  fault::accrual_detector watch_;
  history history_{counts_, trace_, keeper_, watch_};
  fault::peer_network<program, history, Gates, process_world<Transport>> net_;
  error failure_;
};

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
/// When a process is lost, messages to its machines fail, and all else goes on. If the options say
/// that the run recovers, it begins again instead: after the others have agreed on who is lost,
/// they have all machines, whose calls are made at their times from then on; the report is that of
/// the last beginning, so that each output is there once, as without losses. Should a process be
/// lost after the end, its outputs may be lost with it: the report says who is. A loss costs what
/// the run has done so far.
///
/// Errors: those of `run_deployment` before anything runs. What happens in the run is
/// `machine_report::failure`: `transport_failed`, also for processes that do not belong together or
/// a run that takes longer than the options allow, or one that the others take for lost, and
/// `malformed_message`. O(events · log events + nodes run · executions of a machine).
template <class Datum, class Gates = fault::standard_gates, transport Transport, class Evaluate>
result<distributed_report<Datum>> run_distributed(Transport& carrier, const deployment& d,
                                                  const registry& kernels, const fault::script& s,
                                                  view<machine_role> roles,
                                                  view<machine_call<Datum>> calls,
                                                  Evaluate&& evaluate,
                                                  const distributed_options& options = {}) {
  const auto plan = detail::plan_of<Datum>(d, kernels, s, roles, calls, options.machines.lists);
  if (!plan) return plan.error();
  table<std::uint32_t> owners(options.owners);
  for (auto p = static_cast<std::uint32_t>(owners.size()); p < s.peers.size(); ++p)
    owners.push_back(p % carrier.ranks());
  using computing = std::remove_reference_t<Evaluate>;
  const std::uint64_t run = detail::run_number(d, s, owners, calls.size());
  const auto events = static_cast<std::uint32_t>(s.events.size());
  if (!options.recovers) {
    detail::machine_epoch<Datum, Gates, Transport, computing> whole(
        *plan, s, calls, evaluate, options.machines,
        process_world<Transport>(carrier, owners, events, run, options.processes));
    whole.go();
    return whole.take_report();
  }
  using survivors = detail::survivors<Transport>;
  survivors left(carrier, run, 0, options.processes.longest_ns, "machines");
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    const std::chrono::nanoseconds gone = std::chrono::steady_clock::now() - begin;
    process_options limits(options.processes);
    limits.longest_ns -= gone.count();
    detail::machine_epoch<Datum, Gates, survivors, computing> epoch(
        *plan, s, calls, evaluate, options.machines,
        process_world<survivors>(left, detail::owners_of(owners, left.lost(), left.members()),
                                 events, left.run(), limits, {true, left.lost()}));
    if (epoch.go()) {
      if (left.agree(epoch)) continue;
      // Another process has said that the run is over.
      if (!left.is_broken()) epoch.go();
    }
    auto out = epoch.take_report();
    out.lost = left.lost();
    if (left.is_broken()) out.failure = left.fault();
    return out;
  }
}

}  // namespace wf
