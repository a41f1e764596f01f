// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/map/array/pe_array.hpp>
#include <wf/simulate/process/process.hpp>

namespace wf {

/// The kind of a trace event.
enum class trace_kind : std::uint8_t {
  execute,   ///< an operator ran on PEs
  transfer,  ///< a result moved to a reader
};

/// One activity with a duration: the execution of an operator or the transfer of its result. Times
/// are in the simulation's unit (cycles for a mapping).
struct trace_event {
  trace_kind kind = trace_kind::execute;  ///< execution or transfer
  /// The operator that ran, or the producer of the data moved.
  std::uint32_t op = 0;
  /// Consumer of the data; equal to `op` for an execution.
  std::uint32_t reader = 0;
  std::int64_t begin = 0;  ///< start time
  std::int64_t end = 0;    ///< end time, exclusive
  /// The PEs of `op`; empty if the simulation has no placement.
  rectangle where;
  /// The PEs of the reader; equal to `where` for an execution.
  rectangle destination;
  /// Bytes transferred, or produced by an execution.
  std::int64_t bytes = 0;

  friend constexpr bool operator==(const trace_event&, const trace_event&) = default;
};

/// The record of a simulation run. Events are sorted by end time; ties keep the order in which the
/// simulation processed them.
struct execution_trace {
  table<trace_event> events;  ///< executions and transfers
  /// Time at which the last operator finishes.
  std::int64_t makespan = 0;
  /// Total time that transfers waited for links.
  std::int64_t link_waiting = 0;
  /// Total delay of operators by the DRAM: the time between the end of their computation and the
  /// end of their DRAM traffic.
  std::int64_t dram_waiting = 0;
  /// Number of simulation events processed.
  std::uint64_t processed = 0;
  /// Resource usage of each operator's process, by operator index.
  table<resource_account> accounts;

  friend constexpr bool operator==(const execution_trace&, const execution_trace&) = default;
};

/// Human-readable text, one event per line: "784..1568 execute 3 8x8@(0,0) 200704 B".
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
