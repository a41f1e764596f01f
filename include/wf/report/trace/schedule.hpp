// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/schedule/task_graph.hpp>
#include <wf/report/trace/events.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// The trace of a schedule (`trace_of`, `simulate`) in the Chrome JSON format that ui.perfetto.dev
/// opens: one thread for each processor (process "processors") and for each reader of transfers
/// (process "transfers"). A unit of time is shown as a microsecond. O(events). Precondition: the
/// trace is one of the graph.
constexpr text to_perfetto(const execution_trace& t, const task_graph& g) {
  trace_event_writer out;
  out.name_process(1, "processors");
  out.name_process(2, "transfers");
  for (const trace_event& e : t.events) {
    const bool runs = e.kind == trace_kind::execute;
    if (!runs && e.begin == e.end) continue;
    text name(g.tasks[e.op].label);
    if (!runs) name << " to " << g.tasks[e.reader].label.view();
    out.slice({runs ? 1 : 2, runs ? std::int64_t{e.where.column} : std::int64_t{e.reader}},
              name.view(), int128{e.begin} * 1000, (int128{e.end} - e.begin) * 1000);
  }
  return out.finish();
}

}  // namespace wf
