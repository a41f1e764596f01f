// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/machine/machines.hpp>
#include <wf/simulate/fault/accrual.hpp>
#include <wf/simulate/fault/storm.hpp>

namespace wf {

/// A machine of a script and its class, both by name.
struct machine_role {
  text machine;  ///< a peer of the script
  text role;     ///< the class that it is of; "@self" is the host's
};

/// How a deployment runs on machines.
struct machine_run_options {
  machine_options messages;          ///< how messages are carried
  std::int64_t service_ns = 10'000;  ///< time that a machine takes for a message, nanoseconds
  /// Longest wait of the backoff gate, unless the script sets it: below the time of a message by so
  /// much that a machine that comes back is found in time. Nanoseconds.
  std::int64_t backoff_cap_ns = 1'000'000'000;
  std::uint64_t most_events = 1 << 24;  ///< more are taken for a run without an end
  table<machine_list> lists;  ///< inputs whose machines are others than those of the class
  bool keep_records = false;  ///< whether the report has the history: some 100 bytes a record
  bool watch_peers = false;   ///< whether a failure detector tells which peers are late
  fault::accrual_options watching = {};  ///< how it judges
};

/// What a run of a deployment under a script showed.
template <class Datum>
struct machine_report : machine_log<Datum> {
  error failure;  ///< none: the run came to its end
  /// Slots of machines that are filled at the end: values that they have from their start, and
  /// those of calls that are not finished, which may go on if a machine restarts.
  std::size_t slots_kept = 0;
  fault::run_report run;  ///< observations, the trace's digest, and a broken invariant if any
  table<fault::record> records;             ///< the history of the run, if it was to be kept
  table<fault::peer_judgement> judgements;  ///< of the failure detector, if peers were watched
};

namespace detail {

/// The class of each machine of a script. Errors: `simulation_failed`, naming the machine.
constexpr result<table<text>> roles_of(const fault::script& s, view<machine_role> roles) {
  table<text> out(s.peers.size());
  for (const machine_role& r : roles) {
    const std::uint32_t p = fault::find_peer(s, r.machine.view());
    if (p == s.peers.size())
      return make_error(errc::simulation_failed, r.machine.view(), "it is not in the script");
    if (!out[p].empty())
      return make_error(errc::simulation_failed, r.machine.view(), "it has two classes");
    out[p] = r.role;
  }
  return out;
}
constexpr result<table<std::uint32_t>> machines_of(const fault::script& s, const machine_list& l) {
  table<std::uint32_t> out;
  for (const text& name : l.machines) {
    const std::uint32_t p = fault::find_peer(s, name.view());
    if (p == s.peers.size())
      return make_error(errc::simulation_failed, name.view(), "it is not in the script");
    out.push_back(p);
  }
  return out;
}

// A call is made by a machine of the host's class, and states each input that its program reads.
template <class Datum>
constexpr error check_call(const partitioned_program& p, const table<text>& roles,
                           const machine_call<Datum>& c) {
  if (c.machine >= roles.size() || roles[c.machine].view() != host_class)
    return make_error(errc::simulation_failed, host_class,
                      "a call is made by a machine of the host's class");
  for (const partition& part : p.partitions) {
    if (part.role.view() != host_class) continue;
    const graph_view g = part.workflow.view();
    for (const value& v : g.values) {
      bool is_given = v.producer != node_id::none || v.type.type == dtype::peer;
      for (const machine_argument<Datum>& a : c.arguments)
        is_given = is_given || a.input.view() == g.text_of(v.name);
      if (!is_given)
        return make_error(errc::simulation_failed, g.text_of(v.name),
                          "a call does not state this input");
    }
  }
  return {};
}

/// The plan of a run, whose machines are the peers of a script. Errors: those of `run_deployment`
/// before anything runs.
template <class Datum>
constexpr result<machine_plan> plan_of(const deployment& d, const registry& kernels,
                                       const fault::script& s, view<machine_role> roles,
                                       view<machine_call<Datum>> calls, view<machine_list> lists) {
  const auto named = roles_of(s, roles);
  if (!named) return named.error();
  for (const partition& part : d.parts().partitions) {
    bool is_there = false;
    for (const text& role : *named) is_there = is_there || role == part.role;
    if (!is_there)
      return make_error(errc::simulation_failed, part.role.view(), "no machine has this class");
  }
  if (error e = check_lists(d.parts(), *named, lists); e.code != errc::none) return e;
  for (const machine_call<Datum>& c : calls)
    if (error e = check_call(d.parts(), *named, c); e.code != errc::none) return e;
  machine_plan out(d, kernels, *named);
  for (const machine_list& l : lists) {
    const auto list = machines_of(s, l);
    if (!list) return list.error();
    out.set_list(l.input.view(), *list);
  }
  return out;
}

/// How messages are carried: a history needs the call of each.
constexpr machine_options messages_of(const machine_run_options& options) {
  machine_options out = options.messages;
  out.keeps_sends = out.keeps_sends || options.keep_records;
  return out;
}

/// What the machines have told, and the history of a run, become its report.
template <class Datum, class Machines>
constexpr void take_report(machine_report<Datum>& out, const Machines& all, fault::recorder& keeper,
                           const fault::accrual_detector& watch) {
  static_cast<machine_log<Datum>&>(out) = all.log();
  out.slots_kept = all.filled();
  out.records.swap(keeper.records);
  out.judgements = watch.judgements();
}

/// Parameters of the network of a run.
constexpr fault::network_options network_of(const machine_run_options& options) {
  fault::network_options out;
  out.service_ns = options.service_ns;
  out.most_events = options.most_events;
  out.knobs[fault::knob::backoff_cap_ns] = options.backoff_cap_ns;
  return out;
}

}  // namespace detail

/// Runs the programs of a deployment on the machines of a script, under its faults, and calls the
/// workflow at the given times. Messages pass the gates of `fault::peer_network`
/// (docs/explanation/faults.md), on whose records the invariants are checked after every event.
///
/// With one machine in each list to which a value is sent, and no fault that ends a message, each
/// call gives every output once, and the outputs are those of the workflow run whole. A value that
/// is sent to several machines has an output for each. What a machine computes is lost when it
/// crashes; calls are not made again.
///
/// Errors, before anything runs: `simulation_failed` for a machine that the script does not have,
/// or with two classes; for a class with a program and no machine; for an input of machines whose
/// name is no class of a machine and that has no list; for a list of an input that no program has;
/// for a call of a machine that is not of the host's class, or that does not state an input. What
/// happens in the run is `machine_report::failure` and `failures`. O(events · log events + nodes
/// run · executions of a machine).
template <class Datum, class Gates = fault::standard_gates, class Evaluate>
constexpr result<machine_report<Datum>> run_deployment(
    const deployment& d, const registry& kernels, const fault::script& s, view<machine_role> roles,
    view<machine_call<Datum>> calls, Evaluate&& evaluate, const machine_run_options& options = {}) {
  auto plan = detail::plan_of<Datum>(d, kernels, s, roles, calls, options.lists);
  if (!plan) return plan.error();
  using program = machines<Datum, std::remove_reference_t<Evaluate>>;
  program all(*plan, calls, evaluate, detail::messages_of(options));
  machine_report<Datum> out;
  out.run.counts = fault::tally(s.peers.size());
  fault::checker check(s.peers.size());
  fault::trace_hash trace;
  fault::recorder keeper;
  keeper.keeps = options.keep_records;
  fault::accrual_detector watch(s.peers.size(), options.watch_peers, options.watching);
  fault::observe_all history(check, out.run.counts, trace, keeper, watch, all);
  fault::peer_network<program,
                      fault::observe_all<fault::checker, fault::tally, fault::trace_hash,
                                         fault::recorder, fault::accrual_detector, program>,
                      Gates>
      net(s, all, history, detail::network_of(options));
  if (const auto ran = net.run(); !ran) out.failure = ran.error();
  fault::conclude(out.run, check, trace, net.processed());
  all.collect(net);
  detail::take_report(out, all, keeper, watch);
  return out;
}

}  // namespace wf
