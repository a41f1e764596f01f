// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/timeline_svg.hpp>
#include <wf/report/simulation/utilisation_svg.hpp>
#include <wf/report/simulation/zoom.hpp>

namespace wf {

namespace detail {

/// The most rows of a table in a report of a run.
inline constexpr std::size_t most_run_rows = 100;

/// The name of a run in headings.
constexpr text_view name_of_run(const run_account& a) {
  return a.name.empty() ? text_view("a simulation") : a.name.view();
}

/// The labels of the resources of a task, such as "link 3, link 8".
constexpr text labels_of_resources(const run_account& a, const run_task& t) {
  text out;
  for (const std::uint32_t r : a.resources_of(t))
    out << (out.empty() ? "" : ", ") << a.resources[r].label.view();
  return out;
}

/// The reason why a segment of the critical path could not begin earlier: the task whose end it
/// waited for, or, in a queue, the one that held the resource until the end of the segment. O(tasks
/// + uses) for a queue, else O(1).
constexpr text awaited_of(const run_account& a, const path_segment& s) {
  const run_task& t = a.tasks[s.task];
  if (s.reason != path_reason::queue) {
    const bool queued = t.start > t.ready;
    if (queued) return "its turn in the queue";
    return t.cause == run_task::none ? text("nothing: the run begins")
                                     : text("the end of ") << a.tasks[t.cause].label.view();
  }
  text out = labels_of_resources(a, t);
  for (const run_task& other : a.tasks) {
    if (other.use_end != s.to || other.use_begin == other.use_end) continue;
    for (const std::uint32_t r : a.resources_of(other))
      if (t.resources.count != 0 && r == a.resources_of(t)[0])
        return out << ", held by " << other.label.view();
  }
  return out;
}

/// The indices of the longest segments, at most `most_run_rows`, in the order of time.
constexpr table<std::size_t> longest_segments(const run_path& path) {
  table<std::size_t> out;
  for (std::size_t i = 0; i < path.segments.size(); ++i) out.push_back(i);
  if (out.size() <= most_run_rows) return out;
  stable_sort(out, [&](std::size_t x, std::size_t y) {
    const path_segment &p = path.segments[x], &q = path.segments[y];
    return p.to - p.from > q.to - q.from;
  });
  out.resize(most_run_rows);
  stable_sort(out, [](std::size_t x, std::size_t y) { return x < y; });
  return out;
}

/// Adds the table of the critical path, saying how many segments are left out.
constexpr void add_path_table(html_page& page, const run_account& a, const run_path& path) {
  const table<std::size_t> shown = longest_segments(path);
  table<table<text>> rows{{"task", "reason", "from", "to", "time", "on", "waited for"}};
  for (const std::size_t i : shown) {
    const path_segment& s = path.segments[i];
    const run_task& t = a.tasks[s.task];
    rows.push_back({t.label, to_text(s.reason), grouped_text(s.from), grouped_text(s.to),
                    grouped_text(s.to - s.from), labels_of_resources(a, t), awaited_of(a, s)});
  }
  page.add_table(rows);
  if (shown.size() < path.segments.size())
    page.add_paragraph(
        (text("The ") << shown.size() << " longest of " << path.segments.size() << " parts.")
            .view());
}

/// The rows of the figures of a run, without the header.
constexpr table<table<text>> run_figures(const run_account& a, view<resource_usage> usage,
                                         const run_path& path) {
  std::int64_t runs = 0, transfers = 0;
  for (const run_task& t : a.tasks) {
    runs += t.role == run_role::host ? 1 : 0;
    transfers += t.role == run_role::link ? 1 : 0;
  }
  table<table<text>> rows;
  rows.push_back({text("makespan, ") << a.unit.view(), grouped_text(a.makespan)});
  for (std::size_t k = 0; k < path_reasons; ++k)
    rows.push_back({text("critical path: ") << to_text(static_cast<path_reason>(k)),
                    grouped_text(path.ticks[k])});
  rows.push_back({"tasks that compute", grouped_text(runs)});
  rows.push_back({"transfers", grouped_text(transfers)});
  for (const run_role role : {run_role::host, run_role::link}) {
    table<std::uint32_t> all;
    std::int64_t used = 0;
    for (std::uint32_t r = 0; r < a.resources.size(); ++r) {
      if (a.resources[r].role != role) continue;
      all.push_back(r);
      used += usage[r].tasks != 0 ? 1 : 0;
    }
    const bool host = role == run_role::host;
    rows.push_back({host ? "hosts used" : "links used",
                    grouped_text(used)
                        << " of " << grouped_text(static_cast<std::int64_t>(all.size())).view()});
    rows.push_back({host ? "mean use of the hosts" : "mean use of the links",
                    text() << mean_use_percent(a, usage, all) << " %"});
  }
  return rows;
}

/// Adds the table of the links, those that moved most first, saying how many are left out. O(links
/// log links).
constexpr void add_link_table(html_page& page, const run_account& a, view<resource_usage> usage) {
  table<std::uint32_t> links;
  for (std::uint32_t r = 0; r < usage.size(); ++r)
    if (a.resources[r].role == run_role::link && usage[r].tasks != 0) links.push_back(r);
  if (links.empty()) return;
  stable_sort(links,
              [&](std::uint32_t x, std::uint32_t y) { return usage[x].work > usage[y].work; });
  const std::size_t shown = links.size() < most_run_rows ? links.size() : most_run_rows;
  table<table<text>> rows{{"link", "transfers", "moved", "of what it could", "time in use"}};
  for (std::size_t i = 0; i < shown; ++i) {
    const run_resource& link = a.resources[links[i]];
    const resource_usage& u = usage[links[i]];
    const auto percent = static_cast<std::int64_t>(load_percent(a, link, u) + 0.5);
    rows.push_back({link.label, grouped_text(static_cast<std::int64_t>(u.tasks)),
                    grouped_text(u.work), link.rate > 0 ? text() << percent << " %" : text("–"),
                    text() << mean_use_percent(a, usage, {&links[i], 1}) << " %"});
  }
  page.add_heading("Links", 3);
  page.add_table(rows);
  if (shown < links.size())
    page.add_paragraph(
        (text("The ") << shown << " of " << links.size() << " that moved most.").view());
}

}  // namespace detail

/// Adds a report of a simulated run to a page: its figures, the timeline and the use of hosts and
/// links over time, which can be zoomed together, what each link moved, and the critical path with
/// what each part waited for; of more than `detail::most_run_rows` links or parts, the largest.
/// Names are escaped. O(tasks · (log tasks + lanes) + uses · log uses + resources).
constexpr html_page& add_run(html_page& page, const run_account& a) {
  const run_path path = critical_path_of(a);
  const table<resource_usage> usage = utilisation_of(a);
  page.add_heading((text("Run of ") << detail::name_of_run(a)).view());
  table<table<text>> figures{{"figure", "value"}};
  for (table<text>& row : detail::run_figures(a, usage, path))
    figures.push_back(static_cast<table<text>&&>(row));
  page.add_table(figures);
  page.add_heading("Timeline", 3);
  detail::add_zoom(page);
  page.add_picture(run_timeline_svg(a).view(),
                   "Above, the critical path by the reason why time passes; below, the tasks of "
                   "each host and the transfers on each link. Tasks of the critical path are "
                   "outlined. Hovering shows names and times.");
  page.add_heading("Use of hosts and links", 3);
  page.add_picture(run_utilisation_svg(a).view(),
                   "The full height is the capacity; on the right, the mean over the run.");
  detail::add_link_table(page, a, usage);
  page.add_heading("Critical path", 3);
  detail::add_path_table(page, a, path);
  return page;
}

}  // namespace wf
