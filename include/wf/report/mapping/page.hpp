// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/mapping/svg.hpp>
#include <wf/report/page/html.hpp>

namespace wf {

/// Adds a report of a mapping to a page: its figures, the timeline of operators and memory, the
/// utilisation of the PEs, and one line per operator. `kinds` names each operator's kind, for the
/// colours; `memory_bytes` is the capacity of a PE, 0 if unknown. O(operators · PEs).
constexpr html_page& add_mapping(html_page& page, const mapping& m, const workload& w,
                                 view<text_view> kinds = {}, std::int64_t memory_bytes = 0) {
  const auto array = text() << m.rows << 'x' << m.columns << " PEs";
  page.add_heading((text("Mapping of ") << w.name.view() << " onto " << array.view()).view());
  table<table<text>> figures{{text("figure"), text("value")}};
  const auto figure = [&](text_view name, text value) {
    figures.push_back({text(name), static_cast<text&&>(value)});
  };
  figure("makespan, cycles", detail::grouped_text(m.makespan));
  figure("proven lower bound, cycles", detail::grouped_text(m.bound));
  figure("gap", detail::percent(m.gap()));
  figure("search", text(to_text(m.status)));
  figure("PEs busy", detail::percent(m.utilisation()));
  figure("most bytes in a PE", detail::grouped_text(m.most_memory()));
  if (memory_bytes > 0) figure("bytes of a PE", detail::grouped_text(memory_bytes));
  page.add_table(figures);
  page.add_picture(mapping_svg(m, w, kinds, memory_bytes).view(),
                   "One lane a PE. Above: what runs on it; below: the bytes that lie in it, darker "
                   "the more. Hovering shows names, cycles and bytes.");
  page.add_picture(utilisation_svg(m).view(),
                   "The part of the time in which each PE runs, and the most bytes in it.");
  table<table<text>> lines{{text("operator"), text("start"), text("finish"), text("cycles"),
                            text("PEs"), text("cut"), text("working bytes"), text("result bytes")}};
  for (std::uint32_t op : m.sequence) {
    const placement& p = m.operators[op];
    lines.push_back({w.operators[op].label, detail::grouped_text(p.start),
                     detail::grouped_text(p.finish), detail::grouped_text(p.how.cycles),
                     to_text(p.where), text() << p.how.first_parts << 'x' << p.how.second_parts,
                     detail::grouped_text(p.how.working_bytes),
                     detail::grouped_text(p.result_bytes)});
  }
  return page.add_table(lines);
}

}  // namespace wf
