// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/batch/mapping.hpp>
#include <wf/report/mapping/json.hpp>

namespace wf {

/// The version of the JSON form of a batch mapping that `to_json` writes.
inline constexpr int batch_json_version = 1;

/// A batch mapping as JSON, for other tools: makespan, bound, status; the segments with their
/// rounds, their stages with PEs and bytes, and the operators of the stages with their cuts, cycles
/// and DRAM bytes. `w` is the mapped workload. O(operators).
constexpr text to_json(const batch_mapping& m, const workload& w) {
  text out = "{\n  \"format\": \"wf-batch-mapping\",\n  \"version\": ";
  out << batch_json_version << ",\n  \"workload\": ";
  append_json_string(out, w.name.view());
  const auto field = [&](text_view before, text_view name, std::int64_t n) {
    detail::append_json_integer(out << before << '"' << name << "\": ", n);
  };
  field(",\n  ", "batch", w.batch);
  field(",\n  ", "makespan", m.makespan);
  field(",\n  ", "bound", m.bound);
  out << ",\n  \"status\": \"" << to_text(m.status) << '"';
  field(",\n  ", "dram_bytes", m.dram_bytes());
  out << ",\n  \"segments\": [";
  for (std::uint32_t i = 0; i < m.segments.size(); ++i) {
    const pipeline_segment& g = m.segments[i];
    out << (i == 0 ? "\n    {" : ",\n    {");
    field("", "start", g.start);
    field(", ", "finish", g.finish);
    field(", ", "rounds", g.rounds);
    field(", ", "sub_batch", g.sub_batch);
    field(", ", "link_cycles", g.link_cycles);
    out << ", \"stages\": [";
    for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s) {
      const pipeline_stage& stage = m.stages[s];
      out << (s == g.stages.first ? "\n      {" : ",\n      {");
      field("", "row", stage.where.row);
      field(", ", "column", stage.where.column);
      field(", ", "rows", stage.where.rows);
      field(", ", "columns", stage.where.columns);
      field(", ", "depth", stage.depth);
      field(", ", "bytes", stage.bytes);
      out << ", \"operators\": [";
      for (std::uint32_t k = 0; k < stage.operators.count; ++k) {
        const stage_operator& o = m.operators[stage.operators.first + k];
        out << (k == 0 ? "\n        {\"label\": " : ",\n        {\"label\": ");
        append_json_string(out, w.operators[o.op].label.view());
        field(", ", "first_parts", o.first_parts);
        field(", ", "second_parts", o.second_parts);
        out << ", \"holds_weights\": " << (o.holds_weights ? "true" : "false");
        field(", ", "cycles", o.cycles);
        field(", ", "first_cycles", o.first_cycles);
        field(", ", "working_bytes", o.working_bytes);
        field(", ", "weight_bytes", o.weight_bytes);
        field(", ", "fetched_bytes", o.fetched_bytes);
        field(", ", "stored_bytes", o.stored_bytes);
        out << '}';
      }
      out << "\n      ]}";
    }
    out << "\n    ]}";
  }
  return out << (m.segments.empty() ? "]" : "\n  ]") << "\n}\n";
}

}  // namespace wf
