// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>
#include <wf/core/integer.hpp>
#include <wf/core/text/text.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/select/pareto/optimise.hpp>
#include <wf/select/pareto/pareto.hpp>

namespace wf {

namespace detail {

/// The range of values of an axis, with round tick marks.
struct chart_axis {
  std::int64_t low = 0, high = 1;  ///< values at the ends
  std::int64_t step = 1;           ///< distance of the tick marks: 1, 2 or 5 times a power of ten,
                                   ///< in units of the values

  constexpr chart_axis() = default;
  /// Covers the values from `least` to `most` with a margin of a twentieth.
  constexpr chart_axis(std::int64_t least, std::int64_t most) {
    const std::int64_t span = most > least ? most - least : 1;
    const std::int64_t around = span / 20 + 1;
    low = least > around ? least - around : 0;
    high = most + around;
    const std::int64_t room = (high - low) / 5;
    while (step <= room / 10) step *= 10;
    if (step * 5 <= room)
      step *= 5;
    else if (step * 2 <= room)
      step *= 2;
  }
  constexpr std::int64_t first_mark() const { return (low + step - 1) / step * step; }
  /// Position of a value on a line of `length`, in its unit; values beyond the ends are clamped.
  constexpr std::int64_t place(std::int64_t value, std::int64_t length) const {
    if (value <= low) return 0;
    if (value >= high) return length;
    return static_cast<std::int64_t>(int128{value - low} * length / (high - low));
  }
};

/// Draws the points of a front in the plane of its first two metrics, the third as their shade.
class front_drawing {
 public:
  constexpr front_drawing(const pareto_front& front, view<text> names)
      : front_(front), names_(names) {
    for (std::uint32_t i = 0; i < max_objectives; ++i) axis_[i] = axis_of(i);
  }

  constexpr text draw() {
    begin_svg(out_, "front", left + width + right, top + height + bottom);
    if (front_.metrics.size() == 2) draw_dominated();
    draw_axes();
    for (const objective_box& box : front_.open) draw_box(box);
    for (const pareto_point& point : front_.points) draw_point(point);
    return static_cast<text&&>(out_ << "</svg>\n");
  }

 private:
  static constexpr std::int64_t left = 110, right = 30, top = 30, bottom = 50, width = 640,
                                height = 400;

  constexpr chart_axis axis_of(std::uint32_t i) const {
    std::int64_t least = unbounded, most = 0;
    for (const pareto_point& point : front_.points) {
      if (point.value[i] < least) least = point.value[i];
      if (point.value[i] > most) most = point.value[i];
    }
    for (const objective_box& box : front_.open) {
      if (box.low[i] < least) least = box.low[i];
      if (box.high[i] != unbounded && box.high[i] > most) most = box.high[i];
    }
    return least <= most ? chart_axis(least, most) : chart_axis();
  }
  constexpr std::int64_t x_of(std::int64_t value) const {
    return left + axis_[0].place(value, width);
  }
  constexpr std::int64_t y_of(std::int64_t value) const {
    return top + height - axis_[1].place(value, height);
  }

  constexpr void draw_axes() {
    for (std::int64_t mark = axis_[0].first_mark(); mark <= axis_[0].high; mark += axis_[0].step) {
      const std::int64_t x = x_of(mark);
      out_ << "<path class=\"grid\" d=\"M" << x << ' ' << top << 'v' << height
           << "\"/><text class=\"axis\" x=\"" << x << "\" y=\"" << top + height + 16 << "\">";
      out_.grouped(mark) << "</text>\n";
    }
    for (std::int64_t mark = axis_[1].first_mark(); mark <= axis_[1].high; mark += axis_[1].step) {
      const std::int64_t y = y_of(mark);
      out_ << "<path class=\"grid\" d=\"M" << left << ' ' << y << 'h' << width
           << "\"/><text class=\"lane\" x=\"" << left - 8 << "\" y=\"" << y + 4 << "\">";
      out_.grouped(mark) << "</text>\n";
    }
    out_ << "<path class=\"edge\" d=\"M" << left << ' ' << top << 'v' << height << 'h' << width
         << "\"/>\n<text x=\"" << left + width / 2 << "\" y=\"" << top + height + 38 << "\">";
    escape_html(out_, name_of(0));
    out_ << "</text>\n<text x=\"" << left << "\" y=\"" << top - 12 << "\">";
    escape_html(out_, name_of(1));
    out_ << "</text>\n";
    if (front_.metrics.size() < 3) return;
    out_ << "<text class=\"lane\" x=\"" << left + width << "\" y=\"" << top - 12
         << "\">darker: more ";
    escape_html(out_, name_of(2));
    out_ << "</text>\n";
  }

  /// Shades the region dominated by the proven points.
  constexpr void draw_dominated() {
    bool begun = false;
    for (const pareto_point& point : front_.points) {
      if (!point.proven) continue;
      const std::int64_t x = x_of(point.value[0]);
      if (!begun) out_ << "<path fill=\"#eef3f8\" d=\"M" << x << ' ' << top;
      begun = true;
      out_ << 'H' << x << 'V' << y_of(point.value[1]);
    }
    if (begun) out_ << 'H' << left + width << 'V' << top << "z\"/>\n";
  }

  constexpr void draw_box(const objective_box& box) {
    const std::int64_t x = x_of(box.low[0]), y = y_of(box.high[1]);
    out_ << "<rect fill=\"#f2c488\" fill-opacity=\".35\" x=\"" << x << "\" y=\"" << y
         << "\" width=\"" << least_size(x_of(box.high[0]) - x) << "\" height=\""
         << least_size(y_of(box.low[1]) - y) << "\"><title>open: ";
    for (std::uint32_t i = 0; i < front_.metrics.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      escape_html(out_, name_of(i));
      out_ << " from ";
      out_.grouped(box.low[i]);
      if (box.high[i] != unbounded) (out_ << " to ").grouped(box.high[i]);
    }
    out_ << "</title></rect>\n";
  }
  static constexpr std::int64_t least_size(std::int64_t size) { return size < 2 ? 2 : size; }

  constexpr void draw_point(const pareto_point& point) {
    const std::int64_t share =
        front_.metrics.size() == 3 ? axis_[2].place(point.value[2], 100) : std::int64_t{60};
    out_ << "<circle class=\"box\" r=\"4.5\" cx=\"" << x_of(point.value[0]) << "\" cy=\""
         << y_of(point.value[1]) << "\" fill=\"";
    if (point.proven)
      out_ << "rgb(" << 210 - share * 18 / 10 << ',' << 228 - share * 14 / 10 << ','
           << 246 - share * 8 / 10 << ')';
    else
      out_ << "#fff";
    out_ << "\"><title>";
    for (std::uint32_t i = 0; i < front_.metrics.size(); ++i) {
      out_ << (i == 0 ? "" : ", ");
      out_.grouped(point.value[i]) << ' ';
      escape_html(out_, name_of(i));
    }
    out_ << (point.proven ? "" : ", not proven") << "</title></circle>\n";
  }

  constexpr text_view name_of(std::uint32_t i) const {
    return i < names_.size() ? names_[i].view() : text_view("metric");
  }

  const pareto_front& front_;
  view<text> names_;
  chart_axis axis_[max_objectives];
  text out_;
};

}  // namespace detail

/// A front as SVG: its points in the plane of the first two metrics (proven ones filled, with three
/// metrics darker for larger values of the third), the dominated region shaded, and the open region
/// in orange; hovering shows the values. `names` are those of the metrics. O(points + boxes).
constexpr text to_svg(const pareto_front& front, view<text> names) {
  return detail::front_drawing(front, names).draw();
}

/// The front of a workflow's plans as SVG, axes labelled by metric and unit.
constexpr text to_svg(const pareto_plans& plans) {
  table<text> names;
  for (const metric_spec& m : plans.metrics)
    names.push_back(text() << m.name << " (" << m.unit << ')');
  return to_svg(plans.front, names);
}

}  // namespace wf
