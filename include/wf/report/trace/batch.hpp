// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/trace/events.hpp>
#include <wf/simulate/replay/batch.hpp>

namespace wf {

/// The replay of a batch mapping in the Chrome JSON format that ui.perfetto.dev opens: one thread
/// for each stage of the current segment (process "stages"), and one for the DRAM transfers
/// (process "DRAM"). A cycle is shown as a microsecond. `w` is the workload that `m` maps. O(events
/// + operators).
constexpr text to_perfetto(const batch_trace& t, const batch_mapping& m, const workload& w) {
  trace_event_writer out;
  out.name_process(1, "stages");
  out.name_process(2, "DRAM");
  table<std::uint32_t> stage_of(m.operators.size());
  for (const pipeline_segment& g : m.segments)
    for (std::uint32_t s = 0; s < g.stages.count; ++s) {
      const range run = m.stages[g.stages.first + s].operators;
      for (std::uint32_t k = run.first; k < run.first + run.count; ++k) stage_of[k] = s;
    }
  for (const batch_event& e : t.events) {
    const bool runs = e.kind == batch_event_kind::execute;
    text name(e.kind == batch_event_kind::load ? "load " : runs ? "" : "store ");
    name << w.operators[m.operators[e.op].op].label.view();
    out.slice({runs ? 1 : 2, runs ? std::int64_t{stage_of[e.op]} : 0}, name.view(),
              int128{e.begin} * 1000, (int128{e.end} - e.begin) * 1000);
    out.argument("segment", std::int64_t{e.segment});
    out.argument("round", e.round);
  }
  return out.finish();
}

}  // namespace wf
