// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/mapping/schedule_svg.hpp>
#include <wf/report/page/html.hpp>
#include <wf/simulate/program/schedule.hpp>

namespace wf {

/// Adds a report of a schedule to a page: its figures, the Gantt chart, and one line for each task.
/// O(tasks · (demands + resources) + edges). Precondition: the schedule is one of the graph.
constexpr html_page& add_schedule(html_page& page, const task_graph& g, const task_schedule& s,
                                  view<text_view> kinds = {}, text_view unit = "units of time") {
  const auto grouped = [](std::int64_t n) {
    text out;
    out.grouped(n);
    return out;
  };
  page.add_heading((text("Schedule of ") << g.name.view()).view());
  table<table<text>> figures{{text("figure"), text("value")}};
  figures.push_back({text() << "makespan, " << unit, grouped(s.makespan)});
  figures.push_back({text() << "proven lower bound, " << unit, grouped(s.bound)});
  figures.push_back({text("search"), text(to_text(s.status))});
  page.add_table(figures);
  page.add_picture(schedule_svg(trace_of(g, s), g, kinds, unit).view(),
                   "One lane a processor; below, what is in use of each resource. Hovering shows "
                   "names and times.");
  table<table<text>> lines{{text("task"), text("processor"), text("start"), text("finish")}};
  for (std::uint32_t t = 0; t < s.tasks.size(); ++t)
    lines.push_back({g.tasks[t].label, grouped(s.tasks[t].processor), grouped(s.tasks[t].start),
                     grouped(s.tasks[t].finish)});
  return page.add_table(lines);
}

}  // namespace wf
