// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/memory_profile.hpp>
#include <wf/report/trace_events.hpp>
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

/// A mapping in the same format: one thread for each PE (process "PEs") with the operators that run
/// on it, and one counter for each PE (process "memory") with the bytes that lie in it. A cycle is
/// shown as a microsecond. `w` is the workload it maps. O(operators · PEs).
constexpr text to_perfetto(const mapping& m, const workload& w) {
  trace_event_writer out;
  out.name_process(1, "PEs");
  out.name_process(2, "memory");
  const auto name = [&](std::int64_t element) {
    return text() << "PE (" << element / m.columns << ", " << element % m.columns << ')';
  };
  for (std::uint32_t e = 0; e < m.busy.size(); ++e) out.name_thread({1, e}, name(e).view());
  for (std::uint32_t op : m.sequence) {
    const placement& p = m.operators[op];
    for (std::int32_t y = p.where.row; y < p.where.row + p.where.rows; ++y)
      for (std::int32_t x = p.where.column; x < p.where.column + p.where.columns; ++x) {
        out.slice({1, std::int64_t{y} * m.columns + x}, w.operators[op].label.view(),
                  int128{p.start} * 1000, (int128{p.finish} - p.start) * 1000);
        out.argument("place", to_text(p.where).view());
        out.argument("working bytes", p.how.working_bytes);
        out.argument("result bytes", p.result_bytes);
      }
  }
  const table<memory_profile> profiles = memory_profiles(m, w);
  for (std::uint32_t e = 0; e < profiles.size(); ++e)
    for (const memory_step& s : profiles[e])
      out.counter(2, name(e).view(), int128{s.time} * 1000, "bytes", s.bytes);
  return out.finish();
}

}  // namespace wf
