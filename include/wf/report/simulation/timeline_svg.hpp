// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/lanes.hpp>
#include <wf/report/simulation/usage_rows.hpp>

namespace wf {

/// Scale and detail of the picture of a simulated run.
struct run_timeline_options {
  /// End of the time axis, in ticks; at least the makespan is drawn. Two runs with the same end
  /// have one scale.
  std::int64_t span = 0;
  /// Above so many boxes (a transfer has one on each link of its route) the picture shows the use
  /// of the resources over time rather than tasks.
  std::size_t most_boxes = 5'000;
};

namespace detail {

/// Draws the timeline of a run.
class run_timeline {
 public:
  constexpr run_timeline(const run_account& a, const run_timeline_options& o)
      : a_(a), usage_(utilisation_of(a)), path_(critical_path_of(a)) {
    axis_.span = larger(larger(o.span, a.makespan), 1);
    std::size_t boxes = 0;
    for (const run_task& t : a.tasks)
      if (t.role != run_role::delay) boxes += t.resources.count;
    cells_ = boxes > o.most_boxes;
    critical_.resize(a.tasks.size());
    for (const path_segment& s : path_.segments)
      if (s.reason != path_reason::queue) critical_[s.task] = 1;
  }

  constexpr text draw() {
    if (cells_) {
      add_cells(run_role::host);
      add_cells(run_role::link);
    } else {
      add_lanes();
    }
    std::int64_t lanes[2]{};  // of hosts, of links
    for (const group& g : groups_) lanes[static_cast<std::size_t>(g.row.role)] += g.lanes;
    host_lane_ = larger(lesser(18, 360 / larger(lanes[0], 1)), 4);
    link_lane_ = larger(lesser(12, 260 / larger(lanes[1], 1)), 3);
    std::int64_t height = gap;
    for (const group& g : groups_) height += height_of(g) + gap;
    text out;
    begin_svg(out, "timeline", run_axis::left + run_axis::width + run_axis::right,
              path_strip_height + height + 40);
    draw_axis(out, axis_.span, run_axis::left, run_axis::width, path_strip_height + height,
              escaped(a_.unit.view()).view());
    draw_path_strip(out, a_, path_, axis_);
    draw_groups(out, height);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t gap = 3;
  // The lanes of a resource, or a row of cells.
  struct group {
    usage_row row;
    table<lane_box> boxes;
    std::int64_t lanes = 1;
  };

  constexpr std::int64_t lane_of(const group& g) const {
    return g.row.role == run_role::host ? host_lane_ : link_lane_;
  }
  constexpr std::int64_t height_of(const group& g) const { return g.lanes * lane_of(g); }
  constexpr void add_cells(run_role role) {
    for (usage_row& row : usage_rows_of(a_, usage_, role))
      groups_.push_back({static_cast<usage_row&&>(row), {}, 1});
  }
  constexpr void add_lanes() {
    for (resource_lanes& r : lanes_of(a_)) {
      const run_resource& resource = a_.resources[r.resource];
      groups_.push_back(
          {{resource.label, resource.role, {}}, static_cast<table<lane_box>&&>(r.boxes), r.lanes});
    }
  }

  constexpr void draw_groups(text& out, std::int64_t height) const {
    std::int64_t y = gap, labelled = -11;
    for (const group& g : groups_) {
      const std::int64_t middle = y + height_of(g) / 2;
      if (middle - labelled >= 11) {
        run_axis::label(out, g.row.label.view(), path_strip_height + middle + 4);
        labelled = middle;
      }
      y += height_of(g) + gap;
    }
    run_axis::begin_zoom(out, path_strip_height, height);
    y = gap;
    for (const group& g : groups_) {
      out << "<rect fill=\"#f5f7fa\" x=\"0\" y=\"" << y << "\" width=\"" << run_axis::width
          << "\" height=\"" << height_of(g) << "\"/>\n";
      if (cells_)
        draw_usage_cells(out, g.row, usage_percent(a_, usage_, g.row, axis_.span), y, lane_of(g));
      for (const bool critical : {false, true})
        for (const lane_box& b : g.boxes)
          if ((critical_[b.task] != 0) == critical)
            draw_task(out, b, y + b.lane * lane_of(g), lane_of(g));
      y += height_of(g) + gap;
    }
    run_axis::end_zoom(out);
  }
  constexpr void draw_task(text& out, const lane_box& b, std::int64_t y, std::int64_t lane) const {
    const run_task& t = a_.tasks[b.task];
    const text_view label = t.label.view();
    const std::int64_t x = axis_.x_of(t.use_begin), wide = larger(axis_.x_of(t.use_end) - x, 1);
    out << "<g><title>";
    escape_html(out, label);
    out << ": ";
    out.grouped(t.start) << " to ";
    out.grouped(t.finish) << ' ';
    escape_html(out, a_.unit.view());
    if (t.start > t.ready) (out << ", waited ").grouped(t.start - t.ready) << " in the queue";
    out << "</title><rect class=\"" << (critical_[b.task] != 0 ? "run critical" : "run")
        << "\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << wide << "\" height=\"" << lane
        << "\" fill=\"" << colour_of(kind_of_label(label)) << '"';
    if (critical_[b.task] != 0) out << " style=\"stroke:#1b2430;stroke-width:1.5\"";
    out << "/>";
    if (lane >= 11) draw_fitted_label(out, label, x + wide / 2, y + lane / 2 + 4, wide);
    out << "</g>\n";
  }

  const run_account& a_;
  table<resource_usage> usage_;
  run_path path_;
  run_axis axis_;
  table<char> critical_;
  table<group> groups_;
  std::int64_t host_lane_ = 1, link_lane_ = 1;
  bool cells_ = false;
};

}  // namespace detail

/// The timeline of a simulated run as SVG. On top, the critical path by the reason why time passes;
/// below, the tasks of each host that was used, in as many lanes as ran at a time, then the
/// transfers on each link. Tasks of the critical path are outlined; the colour is that of the
/// label up to its first digit or blank. Hovering shows names and times. Delays are on the critical
/// path only. With more than `most_boxes` boxes, hosts and links are rows of cells, darker where
/// more is in use, and at most `detail::most_usage_rows` rows each, so that the picture of a run of
/// any size has at most 30,000 elements.
/// O(tasks · (log tasks + lanes) + uses · log uses + resources).
constexpr text run_timeline_svg(const run_account& a, const run_timeline_options& o = {}) {
  return detail::run_timeline(a, o).draw();
}

}  // namespace wf
