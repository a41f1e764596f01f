// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/simulate/fault/network_program.hpp>
#include <wf/simulate/fault/storm.hpp>

namespace wf::fault {

/// The peer on which a node of a network runs, both by name.
struct node_placement {
  text node;  ///< name of the node
  text peer;  ///< name of the peer in the script
};

/// How a network of processes runs on peers.
struct network_run_options {
  std::int64_t budget_ns = 60'000'000'000;  ///< time that a message has, in nanoseconds
  std::uint32_t retries = 63;               ///< attempts of a message after the first
  std::int64_t service_ns = 10'000;         ///< time that a peer takes for a message, nanoseconds
  /// Longest wait of the backoff gate, unless the script sets it: below the budget by so much that
  /// a peer that comes back is found in time. Nanoseconds.
  std::int64_t backoff_cap_ns = 1'000'000'000;
  std::uint64_t most_events = 1 << 24;  ///< more are taken for a run without an end
};

/// What a run of a network under a script showed.
template <class Datum>
struct network_report {
  /// `none`: the outputs are complete. Otherwise the error of a process, a deadlock whose message
  /// names the cycle, or `simulation_failed` with the peer that is lost as its subject.
  error failure;
  /// By node, then by output, then in the order in which they were emitted; times are those of the
  /// peer's clock. Empty after a failure.
  table<network_output<Datum>> outputs;
  table<std::uint32_t> starved;  ///< nodes that keep data because others are missing
  std::uint32_t restarts = 0;    ///< of peers with nodes
  run_report run;  ///< observations, the trace's digest, and a broken invariant if any
};

namespace detail {

/// The peer of each node. Errors: `simulation_failed`, naming the node.
template <class P>
constexpr result<table<std::uint32_t>> peers_of_nodes(const network<P>& n, const script& s,
                                                      view<node_placement> placement) {
  const auto refuse = [](text_view subject, text_view sentence) {
    return make_error(errc::simulation_failed, subject, sentence);
  };
  constexpr std::uint32_t none = UINT32_MAX;
  table<std::uint32_t> out(n.nodes.size(), none), owner(n.platform.slots.size(), none);
  for (const node_placement& x : placement) {
    std::uint32_t found = none;
    const std::uint32_t p = find_peer(s, x.peer.view());
    if (p == s.peers.size()) return refuse(x.node.view(), "its peer is not in the script");
    for (std::uint32_t i = 0; i < n.nodes.size(); ++i) {
      if (!(n.nodes[i].name == x.node)) continue;
      if (found != none) return refuse(x.node.view(), "two nodes have this name");
      found = i;
    }
    if (found == none) return refuse(x.node.view(), "the network has no node of this name");
    if (out[found] != none) return refuse(x.node.view(), "it is placed twice");
    out[found] = p;
  }
  for (std::uint32_t i = 0; i < n.nodes.size(); ++i) {
    const auto& node = n.nodes[i];
    if (out[i] == none) return refuse(node.name.view(), "it is placed on no peer");
    if (node.where.kind != sim_resource::slots)
      return refuse(node.name.view(), "its host has shared cores; peers have hosts with slots");
    std::uint32_t& peer = owner[node.where.index];
    if (peer != none && peer != out[i])
      return refuse(node.name.view(), "its host belongs to another peer");
    peer = out[i];
  }
  return out;
}

/// Checks data from outside as `network::run` does.
template <class P>
constexpr result<nothing> check_inputs(const network<P>& n,
                                       view<network_input<typename P::datum>> inputs) {
  network<P> copy(n);
  table<std::uint32_t> all(n.nodes.size());
  const network_peer<P> whole(copy, inputs, all, 0);
  if (whole.failure().code != errc::none) return whole.failure();
  return nothing{};
}

}  // namespace detail

/// Runs a network of processes on the peers of a script, under its faults. A tick of the network is
/// a nanosecond. Data between nodes of one peer are passed at once; between peers they are messages
/// with retries, whatever link the edge has. A peer that crashes loses its processes, their data
/// and its outputs; when it restarts, all peers begin the network anew
/// (docs/explanation/faults.md).
///
/// If what each process emits depends on the data of each of its inputs, in their order, and
/// neither on time nor on how data of several inputs alternate (Kahn: "The semantics of a simple
/// language for parallel programming", 1974), the outputs are those of `network::run`, to the bit.
///
/// Errors, before anything runs: those of `network::validate` and of its inputs;
/// `simulation_failed` for a placement that is not one peer for each node, a host of two peers, or
/// a host with shared cores. What happens in the run is `network_report::failure`.
/// O(events · log events) and a copy of the network for each peer and restart.
template <process P, class Gates = standard_gates>
constexpr result<network_report<typename P::datum>> run_network(
    const network<P>& n, const script& s, view<node_placement> placement,
    view<network_input<typename P::datum>> inputs = {}, const network_run_options& options = {}) {
  if (const auto valid = n.validate(); !valid) return valid.error();
  if (const auto valid = detail::check_inputs(n, inputs); !valid) return valid.error();
  const auto peer_of = detail::peers_of_nodes(n, s, placement);
  if (!peer_of) return peer_of.error();
  network_report<typename P::datum> out;
  out.run.counts = tally(s.peers.size());
  checker check(s.peers.size());
  trace_hash trace;
  network_program<P> program(n, inputs, *peer_of, s.peers,
                             {options.budget_ns, options.retries, -1});
  observe_all history(check, out.run.counts, trace);
  network_options of_peers;
  of_peers.service_ns = options.service_ns;
  of_peers.most_events = options.most_events;
  of_peers.knobs[knob::backoff_cap_ns] = options.backoff_cap_ns;
  peer_network<network_program<P>, observe_all<checker, tally, trace_hash>, Gates> net(
      s, program, history, of_peers);
  const auto ran = net.run();
  conclude(out.run, check, trace, net.processed());
  if (!ran)
    out.failure = ran.error();
  else if (const auto ended = program.finish([&](std::uint32_t p) { return net.active(p); });
           !ended)
    out.failure = ended.error();
  else {
    out.outputs = program.outputs();
    out.starved = program.starved();
  }
  out.restarts = program.restarts();
  return out;
}

}  // namespace wf::fault
