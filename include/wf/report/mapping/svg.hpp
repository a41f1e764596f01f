// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/batch/memory_profile.hpp>
#include <wf/report/graph/svg.hpp>

namespace wf {

namespace detail {

/// Draws two panels of lanes over one time axis: operators, and below them the bytes in every PE.
class mapping_drawing {
 public:
  constexpr mapping_drawing(const mapping& m, const workload& w, view<text_view> kinds,
                            std::int64_t memory_bytes)
      : m_(m), w_(w), kinds_(kinds), profiles_(memory_profiles(m, w)) {
    const auto elements = static_cast<std::int64_t>(m.busy.size());
    // Lanes share about 560 pixels; a row of PEs fits its label.
    lane_ = lesser(18, larger(560 / elements, 1));
    lane_ = larger(lane_, ceil_div(14, m.columns));
    height_ = lane_ * elements;
    span_ = larger(m.makespan, 1);
    full_ = larger(larger(memory_bytes, m.most_memory()), 1);
  }

  constexpr text draw() {
    text out;
    begin_svg(out, "timeline", left + width + right, 2 * (height_ + title) + 40);
    out << "<g transform=\"translate(0 " << title << ")\">\n";
    draw_axis(out, m_.makespan, left, width, 2 * height_ + title);
    out << "</g>\n";
    panel(out, title, "operators", "busy");
    out << "<g transform=\"translate(" << left << ' ' << title << ")\">\n";
    for (std::uint32_t op : m_.sequence) draw_operator(out, op);
    out << "</g>\n";
    const std::int64_t below = height_ + 2 * title;
    panel(out, below, "memory", "most bytes");
    out << "<g transform=\"translate(" << left << ' ' << below << ")\">\n";
    draw_memory(out);
    return out << "</g>\n</svg>\n";
  }

 private:
  static constexpr std::int64_t left = 60, width = 1000, right = 110, title = 20;

  constexpr std::int64_t x_of(std::int64_t cycle) const {
    return static_cast<std::int64_t>(int128{cycle} * width / span_);
  }

  // Draws a panel's title, the names of its rows, and the heading of the figures on its right.
  constexpr void panel(text& out, std::int64_t top, text_view name, text_view figure) {
    out << "<text class=\"lane\" x=\"" << left + 4 << "\" y=\"" << top - 6
        << "\" style=\"text-anchor:start\">" << name << "</text><text class=\"lane\" x=\""
        << left + width + 8 << "\" y=\"" << top - 6 << "\" style=\"text-anchor:start\">" << figure
        << "</text>\n";
    for (std::int32_t row = 0; row < m_.rows; ++row) {
      out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\""
          << top + (2 * row + 1) * m_.columns * lane_ / 2 + 4 << "\">row " << row << "</text>";
      if (lane_ >= 11)
        for (std::int32_t column = 0; column < m_.columns; ++column)
          figure_of(out, top + (row * m_.columns + column) * lane_ + lane_ / 2 + 4, row, column,
                    figure == "busy");
      else
        row_figure(out, top + (2 * row + 1) * m_.columns * lane_ / 2 + 4, row, figure == "busy");
      out << '\n';
    }
  }
  constexpr void begin_figure(text& out, std::int64_t y) const {
    out << "<text class=\"lane\" x=\"" << left + width + 8 << "\" y=\"" << y
        << "\" style=\"text-anchor:start\">";
  }
  constexpr void figure_of(text& out, std::int64_t y, std::int32_t row, std::int32_t column,
                           bool busy) const {
    begin_figure(out, y);
    const auto e = static_cast<std::size_t>(row * m_.columns + column);
    if (busy)
      out << static_cast<std::int64_t>(int128{m_.busy[e]} * 100 / span_) << " %";
    else
      out.grouped(m_.high_water[e]);
    out << "</text>";
  }
  // Lanes are too thin for a figure each: a row shows its mean or maximum.
  constexpr void row_figure(text& out, std::int64_t y, std::int32_t row, bool busy) const {
    int128 sum = 0;
    std::int64_t most = 0;
    for (std::int32_t column = 0; column < m_.columns; ++column) {
      const auto e = static_cast<std::size_t>(row * m_.columns + column);
      sum += m_.busy[e];
      most = larger(most, m_.high_water[e]);
    }
    begin_figure(out, y);
    if (busy)
      out << static_cast<std::int64_t>(sum * 100 / span_ / m_.columns) << " %";
    else
      out.grouped(most);
    out << "</text>";
  }

  constexpr void draw_operator(text& out, std::uint32_t op) const {
    const placement& p = m_.operators[op];
    const std::int64_t x = x_of(p.start), wide = larger(x_of(p.finish) - x, 1);
    const std::int64_t high = p.where.columns * lane_;
    const text_view label = w_.operators[op].label.view();
    out << "<g><title>";
    escape_html(out, label);
    out << ": cycles ";
    out.grouped(p.start) << " to ";
    out.grouped(p.finish) << ", " << to_text(p.where).view() << " cut " << p.how.first_parts << 'x'
                          << p.how.second_parts << "</title>";
    for (std::int32_t row = p.where.row; row < p.where.row + p.where.rows; ++row) {
      const std::int64_t y = (std::int64_t{row} * m_.columns + p.where.column) * lane_;
      out << "<rect class=\"run\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << wide
          << "\" height=\"" << high << "\" fill=\""
          << colour_of(op < kinds_.size() ? kinds_[op] : label) << "\"/>";
      if (row == p.where.row && high >= 11)
        draw_fitted_label(out, label, x + wide / 2, y + high / 2 + 4, wide);
    }
    out << "</g>\n";
  }
  // Adjacent lanes with equal profiles are drawn as one.
  constexpr void draw_memory(text& out) const {
    for (std::size_t first = 0; first < profiles_.size();) {
      std::size_t end = first + 1;
      while (end < profiles_.size() && same(profiles_[first], profiles_[end])) ++end;
      for (std::size_t i = 0; i < profiles_[first].size(); ++i) {
        const memory_step& s = profiles_[first][i];
        if (s.bytes == 0) continue;
        const std::int64_t x = x_of(s.time), until = profiles_[first][i + 1].time;
        const auto percent = static_cast<std::int64_t>(int128{s.bytes} * 100 / full_);
        out << "<g><title>PE " << first;
        if (end > first + 1) out << " to " << end - 1;
        out << ": ";
        out.grouped(s.bytes) << " bytes in cycles ";
        out.grouped(s.time) << " to ";
        out.grouped(until) << "</title><rect x=\"" << x << "\" y=\""
                           << static_cast<std::int64_t>(first) * lane_ << "\" width=\""
                           << larger(x_of(until) - x, 1) << "\" height=\""
                           << static_cast<std::int64_t>(end - first) * lane_ << "\" fill=\"rgb("
                           << 240 - percent * 2 << ',' << 246 - percent * 13 / 10 << ','
                           << 252 - percent * 6 / 10 << ")\"/></g>\n";
      }
      first = end;
    }
  }
  static constexpr bool same(const memory_profile& a, const memory_profile& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

  const mapping& m_;
  const workload& w_;
  view<text_view> kinds_;
  table<memory_profile> profiles_;
  std::int64_t lane_ = 1, height_ = 0, span_ = 1, full_ = 1;
};

}  // namespace detail

/// A mapping as SVG, operators and memory over one time axis. Above, one lane per PE, row by row:
/// an operator covers the lanes of its rectangle from start to finish, with its name if there is
/// room, in the colour of its kind (`kinds` by operator; without them, by its name). Below, the
/// same lanes, darker for more bytes in the PE; `memory_bytes`, the capacity of a PE, is darkest
/// (0: the maximum over all PEs). On the right, the busy share of time and the maximum bytes of the
/// PEs. Hovering shows names, cycles and bytes. O(operators · PEs).
constexpr text mapping_svg(const mapping& m, const workload& w, view<text_view> kinds = {},
                           std::int64_t memory_bytes = 0) {
  return detail::mapping_drawing(m, w, kinds, memory_bytes).draw();
}

}  // namespace wf
