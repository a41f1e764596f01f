// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/simulate/process/network.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// An observer that records the runs of processes and the data that moved, as `execution_trace`
/// describes; signals of order are not listed. The network must outlive it.
template <process P>
class trace_recorder {
 public:
  /// Records into a trace.
  constexpr trace_recorder(const network<P>& n, execution_trace& out) : n_(n), out_(out) {}

  /// A process ran.
  constexpr void execute(std::uint32_t node, std::int64_t begin, std::int64_t end,
                         std::int64_t bytes) {
    out_.events.push_back({trace_kind::execute, node, node, begin, end, {}, {}, bytes});
  }
  /// A datum moved over an edge; `sent` is when it was handed to the link.
  constexpr void transfer(std::uint32_t edge, std::int64_t sent, std::int64_t begin,
                          std::int64_t end, std::int64_t bytes) {
    out_.link_waiting = saturating_add(out_.link_waiting, begin - sent);
    const auto& e = n_.edges[edge];
    const view<expected_input> inputs = n_.nodes[e.to].process.inputs();
    if (inputs[e.input].use == usage::order) return;
    out_.events.push_back({trace_kind::transfer, e.from, e.to, begin, end, {}, {}, bytes});
  }

 private:
  const network<P>& n_;
  execution_trace& out_;
};

/// Runs a network and fills its trace, into which the accounts are moved. Errors: those of
/// `network::run`.
template <process P>
constexpr result<network_outcome<typename P::datum>> run_traced(
    network<P>& n, view<network_input<typename P::datum>> inputs, execution_trace& out) {
  auto outcome = n.run(inputs, trace_recorder<P>(n, out));
  if (!outcome) return outcome;
  out.makespan = outcome->makespan;
  out.processed = outcome->processed;
  out.accounts = static_cast<table<resource_account>&&>(outcome->accounts);
  return outcome;
}

/// Runs a network and returns its trace; the network is consumed. Errors: those of `network::run`.
template <process P>
constexpr result<execution_trace> simulate(network<P> n,
                                           view<network_input<typename P::datum>> inputs = {}) {
  execution_trace out;
  if (const auto outcome = run_traced(n, inputs, out); !outcome) return outcome.error();
  return out;
}

}  // namespace wf
