// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/graph/svg.hpp>
#include <wf/simulate/account/critical_path.hpp>

namespace wf::detail {

/// The colour of a reason on the critical path.
constexpr text_view reason_colour(path_reason r) {
  constexpr text_view colours[path_reasons] = {"#5b8fc7", "#e39a3b", "#b9bfc9", "#d4605a"};
  return colours[static_cast<std::size_t>(r)];
}

/// The kind of a task, which gives its colour: its label up to the first digit or blank.
constexpr text_view kind_of_label(text_view label) {
  std::size_t n = 0;
  while (n < label.size() && label[n] != ' ' && (label[n] < '0' || label[n] > '9')) ++n;
  return {label.data(), n};
}

/// A text with what markup forbids replaced.
constexpr text escaped(text_view characters) {
  text out;
  escape_html(out, characters);
  return out;
}

/// The time axis that all pictures of a run share, so that they can be compared and zoomed
/// together. What depends on time is in an inner `svg` of class "zoom", whose x begins at the axis.
struct run_axis {
  static constexpr std::int64_t left = 110;    ///< pixels before the axis
  static constexpr std::int64_t width = 1000;  ///< pixels of the axis
  static constexpr std::int64_t right = 70;    ///< pixels after the axis
  std::int64_t span = 1;                       ///< its end in ticks, positive

  /// The pixel of a time, counted from the begin of the axis.
  constexpr std::int64_t x_of(std::int64_t time) const {
    return static_cast<std::int64_t>(int128{time} * width / span);
  }
  /// Begins the inner `svg`.
  static constexpr void begin_zoom(text& out, std::int64_t y, std::int64_t height) {
    out << "<svg class=\"zoom\" x=\"" << left << "\" y=\"" << y << "\" width=\"" << width
        << "\" height=\"" << height << "\"><g>\n";
  }
  /// Ends the inner `svg`.
  static constexpr void end_zoom(text& out) { out << "</g></svg>\n"; }
  /// Writes a label to the left of the axis.
  static constexpr void label(text& out, text_view label, std::int64_t y) {
    out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\"" << y << "\">";
    const bool fits = label.size() <= 17;
    escape_html(out, fits ? label : whole_characters(label, 16));
    out << (fits ? "</text>\n" : "…</text>\n");
  }
};

/// Height of the legend and the strip together.
inline constexpr std::int64_t path_strip_height = 48;

/// Draws the legend of the reasons with their ticks and shares of the makespan.
constexpr void draw_path_legend(text& out, const run_path& path, std::int64_t makespan,
                                text_view unit) {
  for (std::size_t k = 0; k < path_reasons; ++k) {
    const auto r = static_cast<path_reason>(k);
    const auto x = static_cast<std::int64_t>(run_axis::left + k * 250);
    out << "<rect class=\"legend\" x=\"" << x << "\" y=\"6\" width=\"12\" height=\"12\" fill=\""
        << reason_colour(r) << "\"/><text class=\"lane\" style=\"text-anchor:start\" x=\"" << x + 18
        << "\" y=\"16\">" << to_text(r) << ": ";
    out.grouped(path.of(r)) << ' ';
    escape_html(out, unit);
    out << " (" << static_cast<std::int64_t>(int128{path.of(r)} * 100 / larger(makespan, 1))
        << " %)</text>\n";
  }
}

/// Draws the critical path as a strip of segments in the colours of their reasons, below a legend.
/// Segments narrower than a pixel are left out unless they cross into the next one, so there are at
/// most as many as the axis has pixels, and their widths are the one of the makespan.
constexpr void draw_path_strip(text& out, const run_account& a, const run_path& path,
                               const run_axis& axis) {
  draw_path_legend(out, path, a.makespan, a.unit.view());
  run_axis::label(out, "critical path", 38);
  run_axis::begin_zoom(out, 26, 16);
  for (const path_segment& s : path.segments) {
    const std::int64_t x = axis.x_of(s.from), wide = axis.x_of(s.to) - x;
    if (wide == 0) continue;
    out << "<g><title>" << to_text(s.reason) << ": ";
    escape_html(out, a.tasks[s.task].label.view());
    out << ", ";
    out.grouped(s.from) << " to ";
    out.grouped(s.to) << ' ';
    escape_html(out, a.unit.view());
    out << "</title><rect class=\"segment\" x=\"" << x << "\" y=\"0\" width=\"" << wide
        << "\" height=\"16\" fill=\"" << reason_colour(s.reason) << "\"/></g>\n";
  }
  run_axis::end_zoom(out);
}

}  // namespace wf::detail
