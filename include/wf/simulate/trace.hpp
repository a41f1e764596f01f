// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/pe_array.hpp>
#include <wf/simulate/process.hpp>

namespace wf {

/// What a line of a trace tells of.
enum class trace_kind : std::uint8_t {
  execute,   ///< an operator ran on PEs
  transfer,  ///< a result moved to a reader
};

/// Something that took time in a simulation.
struct trace_event {
  trace_kind kind = trace_kind::execute;  ///< an execution or a transfer
  /// The operator that ran, or made what moved.
  std::uint32_t op = 0;
  /// The reader of a transfer; `op` for an execution.
  std::uint32_t reader = 0;
  std::int64_t begin = 0;  ///< the first moment
  std::int64_t end = 0;    ///< the moment after the last
  /// The PEs of `op`; empty if the simulation knows no places.
  rectangle where;
  /// The PEs of the reader; `where` for an execution.
  rectangle destination;
  /// Bytes moved, or put out by an execution.
  std::int64_t bytes = 0;

  friend constexpr bool operator==(const trace_event&, const trace_event&) = default;
};

/// What happened in a simulation, in the order of the ends, ties in the order of the events.
struct execution_trace {
  table<trace_event> events;  ///< what took time
  /// When the last operator was finished.
  std::int64_t makespan = 0;
  /// Time that transfers waited for links, summed up.
  std::int64_t link_waiting = 0;
  /// Time that operators waited for the DRAM after they could have been finished, summed up.
  std::int64_t dram_waiting = 0;
  /// Events processed.
  std::uint64_t processed = 0;
  /// What each operator's process used up, by operator.
  table<resource_account> accounts;

  friend constexpr bool operator==(const execution_trace&, const execution_trace&) = default;
};

/// The trace as lines for reading: "784..1568 execute 3 8x8@(0,0) 200704 B".
constexpr text to_text(const execution_trace& t) {
  text out;
  out << "makespan " << t.makespan << ", " << t.processed << " events, transfers waited "
      << t.link_waiting;
  if (t.dram_waiting != 0) out << ", operators waited for the DRAM " << t.dram_waiting;
  out << '\n';
  for (const trace_event& e : t.events) {
    out << "  " << e.begin << ".." << e.end;
    if (e.kind == trace_kind::execute)
      out << " execute " << e.op << ' ' << to_text(e.where).view();
    else
      out << " transfer " << e.op << " -> " << e.reader << ' ' << to_text(e.where).view() << " -> "
          << to_text(e.destination).view();
    out << ' ' << e.bytes << " B\n";
  }
  return out;
}

}  // namespace wf
