// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/batch/memory_profile.hpp>
#include <wf/report/trace/events.hpp>

namespace wf {

/// A mapping in the Chrome JSON format that ui.perfetto.dev opens: one thread for each PE (process
/// "PEs") with the operators that run on it, and one counter for each PE (process "memory") with
/// its bytes in use. A cycle is shown as a microsecond. `w` is the mapped workload. O(operators ·
/// PEs).
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
