// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/batch/mapping.hpp>
#include <wf/report/mapping/svg.hpp>

namespace wf {

namespace detail {

/// Draws segments one after the other along the time axis, and their stages over the lanes of their
/// PEs.
class batch_drawing {
 public:
  constexpr batch_drawing(const batch_mapping& m, const workload& w, const pe_array& array)
      : m_(m), w_(w), array_(array) {
    lane_ = larger(lesser(18, larger(560 / array.elements(), 1)), ceil_div(14, array.columns));
    height_ = lane_ * array.elements();
    span_ = larger(m.makespan, 1);
  }

  constexpr text draw() {
    text out;
    begin_svg(out, "timeline", left + width + right, height_ + title + 40);
    out << "<text class=\"lane\" x=\"" << left + 4 << "\" y=\"" << title - 6
        << "\" style=\"text-anchor:start\">stages; darker where more of a PE's memory is taken"
        << "</text>\n<g transform=\"translate(0 " << title << ")\">\n";
    draw_axis(out, m_.makespan, left, width, height_);
    for (std::int32_t row = 0; row < array_.rows; ++row)
      out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\""
          << (2 * row + 1) * array_.columns * lane_ / 2 + 4 << "\">row " << row << "</text>\n";
    for (const pipeline_segment& g : m_.segments)
      for (std::uint32_t s = g.stages.first; s < g.stages.first + g.stages.count; ++s)
        draw_stage(out, g, m_.stages[s]);
    return out << "</g>\n</svg>\n";
  }

 private:
  static constexpr std::int64_t left = 60, width = 1080, right = 40, title = 20;

  constexpr std::int64_t x_of(std::int64_t cycle) const {
    return left + static_cast<std::int64_t>(int128{cycle} * width / span_);
  }
  constexpr text_view label(std::uint32_t k) const {
    return w_.operators[m_.operators[k].op].label.view();
  }
  constexpr void draw_stage(text& out, const pipeline_segment& g, const pipeline_stage& s) const {
    const std::int64_t x = x_of(g.start), wide = larger(x_of(g.finish) - x, 1);
    const auto percent = array_.memory_bytes == 0
                             ? std::int64_t{0}
                             : static_cast<std::int64_t>(int128{s.bytes} * 100 /
                                                         larger(array_.memory_bytes, s.bytes));
    out << "<g><title>";
    for (std::uint32_t k = 0; k < s.operators.count; ++k) {
      if (k != 0) out << ", ";
      escape_html(out, label(s.operators.first + k));
    }
    out << ": " << to_text(s.where).view() << ", cycles ";
    out.grouped(g.start) << " to ";
    out.grouped(g.finish) << ", " << g.rounds << " rounds of " << g.sub_batch << ", from beat "
                          << s.depth << ", ";
    out.grouped(s.bytes) << " bytes in a PE</title>";
    for (std::int32_t row = s.where.row; row < s.where.row + s.where.rows; ++row) {
      const std::int64_t y = (std::int64_t{row} * array_.columns + s.where.column) * lane_;
      const std::int64_t high = s.where.columns * lane_;
      out << "<rect class=\"run\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << wide
          << "\" height=\"" << high << "\" fill=\"rgb(" << 226 - percent * 12 / 10 << ','
          << 236 - percent * 8 / 10 << ',' << 246 - percent * 4 / 10 << ")\"/>";
      if (row == s.where.row && s.operators.count != 0) name(out, x, y, wide, high, s);
    }
    out << "</g>\n";
  }
  /// Writes the label of a stage's first operator and the number of the others, if there is room.
  constexpr void name(text& out, std::int64_t x, std::int64_t y, std::int64_t wide,
                      std::int64_t high, const pipeline_stage& s) const {
    text words(label(s.operators.first));
    if (s.operators.count > 1) words << " + " << s.operators.count - 1;
    if (high >= 11) draw_fitted_label(out, words.view(), x + wide / 2, y + high / 2 + 4, wide);
  }

  const batch_mapping& m_;
  const workload& w_;
  const pe_array& array_;
  std::int64_t lane_ = 1, height_ = 0, span_ = 1;
};

}  // namespace detail

/// A batch mapping as SVG: one lane per PE, row by row; a stage covers the lanes of its rectangle
/// for the time of its segment, darker for a larger share of the PEs' memory. Hovering shows its
/// operators, rounds and bytes. O(stages · rows + operators).
constexpr text batch_svg(const batch_mapping& m, const workload& w, const pe_array& array) {
  return detail::batch_drawing(m, w, array).draw();
}

}  // namespace wf
