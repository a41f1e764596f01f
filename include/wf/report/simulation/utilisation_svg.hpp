// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/simulation/usage_rows.hpp>

namespace wf {

namespace detail {

/// Draws a panel for each row of resources.
class run_usage_drawing {
 public:
  constexpr run_usage_drawing(const run_account& a, std::int64_t span)
      : a_(a), usage_(utilisation_of(a)) {
    axis_.span = larger(larger(span, a.makespan), 1);
    for (const run_role role : {run_role::host, run_role::link})
      for (usage_row& row : usage_rows_of(a, usage_, role))
        rows_.push_back(static_cast<usage_row&&>(row));
  }

  constexpr text draw() const {
    const std::int64_t height = gap + static_cast<std::int64_t>(rows_.size()) * (panel + gap);
    text out;
    begin_svg(out, "usage", run_axis::left + run_axis::width + run_axis::right, height + 40);
    draw_axis(out, axis_.span, run_axis::left, run_axis::width, height,
              escaped(a_.unit.view()).view());
    std::int64_t y = gap;
    for (const usage_row& row : rows_) {
      run_axis::label(out, row.label.view(), y + panel / 2 + 4);
      out << "<text class=\"lane\" x=\"" << run_axis::left + run_axis::width + 52 << "\" y=\""
          << y + panel / 2 + 4 << "\">" << mean_use_percent(a_, usage_, row.resources)
          << " %</text>\n";
      y += panel + gap;
    }
    run_axis::begin_zoom(out, 0, height);
    y = gap;
    for (const usage_row& row : rows_) {
      draw_row(out, row, y);
      y += panel + gap;
    }
    run_axis::end_zoom(out);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t panel = 24, gap = 6;
  static constexpr std::size_t most_steps = 400;

  constexpr void draw_row(text& out, const usage_row& row, std::int64_t y) const {
    const bool host = row.role == run_role::host;
    out << "<rect fill=\"#f5f7fa\" x=\"0\" y=\"" << y << "\" width=\"" << run_axis::width
        << "\" height=\"" << panel << "\"/><path class=\"use\" fill=\""
        << reason_colour(host ? path_reason::compute : path_reason::link) << "\" d=\"M0 "
        << y + panel;
    const auto to = [&](std::int64_t x, int128 part, int128 all) {
      out << 'H' << x << 'V' << y + panel - static_cast<std::int64_t>(part * panel / all);
    };
    if (row.resources.size() == 1 && usage_[row.resources[0]].steps.size() <= most_steps) {
      const run_resource& r = a_.resources[row.resources[0]];
      for (const usage_step& s : usage_[row.resources[0]].steps)
        to(axis_.x_of(s.time), lesser(s.in_use, larger(r.capacity, 1)), larger(r.capacity, 1));
    } else {
      const table<std::int64_t> percent = usage_percent(a_, usage_, row, axis_.span);
      for (std::size_t i = 0; i < percent.size(); ++i)
        if (i == 0 || percent[i] != percent[i - 1])
          to(static_cast<std::int64_t>(i) * run_axis::width / usage_bins, percent[i], 100);
      to(run_axis::width, 0, 1);
    }
    out << "Z\"><title>" << escaped(row.label.view()).view() << "</title></path>\n";
  }

  const run_account& a_;
  table<resource_usage> usage_;
  run_axis axis_;
  table<usage_row> rows_;
};

}  // namespace detail

/// The use of hosts and links over time as SVG: a panel for each that was used, whose full height
/// is its capacity (a link of a route counts as in use while anything moves over it), with the
/// mean over the makespan on the right. Steps are exact; a resource with more than 400 of them is
/// drawn by its mean in each of `detail::usage_bins` intervals, and so are neighbours that share a
/// panel, if there are more than `detail::most_usage_rows` hosts or links. The axis ends at `span`
/// or the makespan, whichever is later. O(uses · log uses + resources).
constexpr text run_utilisation_svg(const run_account& a, std::int64_t span = 0) {
  return detail::run_usage_drawing(a, span).draw();
}

}  // namespace wf
