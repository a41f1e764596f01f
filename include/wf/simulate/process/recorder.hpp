// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/integer.hpp>
#include <wf/simulate/process/network.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// An observer that records the runs of processes and the data that moved, as `execution_trace`
/// describes; signals of order are not listed. The edges must outlive it.
template <class Datum>
class trace_recorder {
 public:
  /// Records into a trace.
  template <process P>
  constexpr trace_recorder(const network<P>& n, execution_trace& out) : edges_(n.edges), out_(out) {
    for (const auto& e : n.edges) {
      const view<expected_input> inputs = n.nodes[e.to].process.inputs();
      signal_.push_back(inputs[e.input].use == usage::order ? 1 : 0);
    }
  }

  /// A process ran.
  constexpr void execute(std::uint32_t node, std::int64_t begin, std::int64_t end,
                         std::int64_t bytes) {
    out_.events.push_back({trace_kind::execute, node, node, begin, end, {}, {}, bytes});
  }
  /// A datum moved over an edge; `sent` is when it was handed to the link.
  constexpr void transfer(std::uint32_t edge, std::int64_t sent, std::int64_t begin,
                          std::int64_t end, std::int64_t bytes) {
    out_.link_waiting = saturating_add(out_.link_waiting, begin - sent);
    if (signal_[edge] != 0) return;
    const network_edge<Datum>& e = edges_[edge];
    out_.events.push_back({trace_kind::transfer, e.from, e.to, begin, end, {}, {}, bytes});
  }

 private:
  view<network_edge<Datum>> edges_;
  execution_trace& out_;
  table<char> signal_;  // by edge
};

/// Runs a network and returns its trace; the network is consumed. Errors: those of `network::run`.
template <process P>
constexpr result<execution_trace> simulate(network<P> n,
                                           view<network_input<typename P::datum>> inputs = {}) {
  execution_trace out;
  if (const auto valid = n.validate(); !valid) return valid.error();
  auto outcome = n.run(inputs, trace_recorder<typename P::datum>(n, out));
  if (!outcome) return outcome.error();
  out.makespan = outcome->makespan;
  out.processed = outcome->processed;
  out.accounts = static_cast<table<resource_account>&&>(outcome->accounts);
  return out;
}

}  // namespace wf
