// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/array/workload.hpp>
#include <wf/report/trace/events.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

/// A trace in the Chrome JSON format that ui.perfetto.dev opens: one thread for each upper left PE
/// of a rectangle (process "PEs") and for each reader of transfers (process "transfers"). A cycle
/// is shown as a microsecond. O(events).
constexpr text to_perfetto(const execution_trace& t, const workload& w, std::int32_t columns) {
  trace_event_writer out;
  out.name_process(1, "PEs");
  out.name_process(2, "transfers");
  for (const trace_event& e : t.events) {
    const bool runs = e.kind == trace_kind::execute;
    text name(w.operators[e.op].label);
    if (!runs) name << " to " << w.operators[e.reader].label.view();
    const rectangle& place = runs ? e.where : e.destination;
    const trace_track track = {runs ? 1 : 2, runs ? std::int64_t{place.row} * columns + place.column
                                                  : std::int64_t{e.reader}};
    out.slice(track, name.view(), int128{e.begin} * 1000, (int128{e.end} - e.begin) * 1000);
    out.argument("place", to_text(place).view());
    out.argument("bytes", e.bytes);
  }
  return out.finish();
}

}  // namespace wf
