// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/schedule/task_graph.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/simulate/trace.hpp>

namespace wf {

namespace detail {

/// Draws a lane for each processor and, below, a panel for each resource over one time axis.
class schedule_drawing {
 public:
  constexpr schedule_drawing(const execution_trace& t, const task_graph& g, view<text_view> kinds,
                             text_view unit)
      : t_(t), g_(g), kinds_(kinds), unit_(unit), span_(larger(t.makespan, 1)) {
    for (const trace_event& e : t.events) lanes_ = larger(lanes_, std::int64_t{e.where.column} + 1);
    lane_ = larger(lesser(26, 640 / lanes_), 1);
  }

  constexpr text draw() {
    const auto panels = static_cast<std::int64_t>(g_.resources.size());
    const std::int64_t below = top + lanes_ * lane_;
    const std::int64_t height = below + panels * (panel + gap);
    text out;
    begin_svg(out, "timeline", left + width + right, height + 40);
    draw_axis(out, t_.makespan, left, width, height, unit_);
    table<std::int64_t> busy(static_cast<std::size_t>(lanes_));
    for (const trace_event& e : t_.events)
      if (e.kind == trace_kind::execute) {
        draw_task(out, e);
        busy[static_cast<std::size_t>(e.where.column)] += e.end - e.begin;
      }
    for (const trace_event& e : t_.events)
      if (e.kind == trace_kind::transfer && e.where != e.destination && e.end > e.begin)
        draw_transfer(out, e);
    for (std::int64_t p = 0; p < lanes_ && lane_ >= 11; ++p) {
      const std::int64_t y = top + p * lane_ + lane_ / 2 + 4;
      out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\"" << y << "\">"
          << (g_.processors == 0 ? "task " : "processor ") << p << "</text>";
      figure(out, y) << static_cast<std::int64_t>(int128{busy[static_cast<std::size_t>(p)]} * 100 /
                                                  span_)
                     << " %</text>\n";
    }
    for (std::uint32_t r = 0; r < g_.resources.size(); ++r)
      draw_resource(out, r, below + r * (panel + gap) + gap);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t left = 90, width = 1000, right = 110, top = 6, panel = 60, gap = 16;

  constexpr std::int64_t x_of(std::int64_t time) const {
    return left + static_cast<std::int64_t>(int128{time} * width / span_);
  }
  constexpr std::int64_t middle_of(const rectangle& where) const {
    return top + where.column * lane_ + lane_ / 2;
  }
  static constexpr text& figure(text& out, std::int64_t y) {
    return out << "<text class=\"lane\" x=\"" << left + width + 8 << "\" y=\"" << y
               << "\" style=\"text-anchor:start\">";
  }

  constexpr void draw_task(text& out, const trace_event& e) const {
    const text_view label = g_.tasks[e.op].label.view();
    const std::int64_t x = x_of(e.begin), wide = larger(x_of(e.end) - x, 1);
    out << "<g><title>";
    escape_html(out, label);
    out << ": ";
    out.grouped(e.begin) << " to ";
    out.grouped(e.end) << ' ' << unit_;
    for (const resource_demand& d : g_.demands)
      if (d.task == e.op) {
        out << ", ";
        escape_html(out, g_.resources[d.resource].label.view());
        out << ' ';
        out.grouped(d.amount);
      }
    out << "</title><rect class=\"run\" x=\"" << x << "\" y=\"" << top + e.where.column * lane_
        << "\" width=\"" << wide << "\" height=\"" << lane_ << "\" fill=\""
        << colour_of(e.op < kinds_.size() ? kinds_[e.op] : label) << "\"/>";
    if (lane_ >= 11) draw_fitted_label(out, label, x + wide / 2, middle_of(e.where) + 4, wide);
    out << "</g>\n";
  }
  constexpr void draw_transfer(text& out, const trace_event& e) const {
    out << "<path class=\"edge\" d=\"M" << x_of(e.begin) << ' ' << middle_of(e.where) << 'L'
        << x_of(e.end) << ' ' << middle_of(e.destination) << "\"/>\n";
  }

  struct change {
    std::int64_t time = 0, amount = 0;
  };
  // The demand over time as a step function; the full height is the capacity.
  constexpr void draw_resource(text& out, std::uint32_t r, std::int64_t y) const {
    const table<std::int64_t> demand = g_.demands_on(r);
    table<change> changes;
    for (const trace_event& e : t_.events)
      if (e.kind == trace_kind::execute && e.begin < e.end && demand[e.op] != 0) {
        changes.push_back({e.begin, demand[e.op]});
        changes.push_back({e.end, -demand[e.op]});
      }
    stable_sort(changes, [](const change& a, const change& b) { return a.time < b.time; });
    const std::int64_t capacity = larger(g_.resources[r].capacity, 1);
    const auto height_of = [&](std::int64_t used) {
      return static_cast<std::int64_t>(int128{used} * panel / capacity);
    };
    out << "<rect class=\"grid\" fill=\"none\" x=\"" << left << "\" y=\"" << y << "\" width=\""
        << width << "\" height=\"" << panel << "\"/>";
    out << "<path fill=\"#8fb8de\" d=\"M" << left << ' ' << y + panel;
    std::int64_t used = 0, most = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      used += changes[i].amount;
      if (i + 1 < changes.size() && changes[i + 1].time == changes[i].time) continue;
      most = larger(most, used);
      out << 'H' << x_of(changes[i].time) << 'V' << y + panel - height_of(used);
    }
    out << 'H' << x_of(t_.makespan) << 'V' << y + panel << "Z\"/>";
    out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\"" << y + panel / 2 + 4 << "\">";
    escape_html(out, g_.resources[r].label.view());
    out << "</text>";
    figure(out, y + 10) << "of ";
    out.grouped(g_.resources[r].capacity) << "</text>";
    figure(out, y + panel / 2 + 4) << "most ";
    out.grouped(most) << "</text>\n";
  }

  const execution_trace& t_;
  const task_graph& g_;
  view<text_view> kinds_;
  text_view unit_;
  std::int64_t span_ = 1, lanes_ = 1, lane_ = 1;
};

}  // namespace detail

/// A Gantt chart as SVG, of a schedule (`trace_of`) or of its replay (`simulate`): one lane for
/// each processor with its tasks, lines for what moves between processors, and below one panel for
/// each resource with the amount in use, whose full height is the capacity. On the right, the busy
/// share of the time and the largest amount. `kinds` by task give the colours (without them: the
/// labels), `unit` is that of the times. Hovering shows labels, times and demands. O(tasks ·
/// (demands + resources) + edges). Precondition: the trace is one of the graph.
constexpr text schedule_svg(const execution_trace& t, const task_graph& g,
                            view<text_view> kinds = {}, text_view unit = "units of time") {
  return detail::schedule_drawing(t, g, kinds, unit).draw();
}

}  // namespace wf
