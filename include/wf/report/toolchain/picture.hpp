// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/report/page/columns.hpp>
#include <wf/report/page/html.hpp>
#include <wf/report/toolchain/toolchain.hpp>

namespace wf {

namespace detail {

// Draws a chain from top to bottom, with boxes of equal width per depth.
class chain_drawing {
 public:
  constexpr explicit chain_drawing(const toolchain_outline& w) : w_(w) {}

  constexpr text draw() {
    measure();
    std::int64_t y = margin + line_height;
    label(w_.in, y - 4);
    y = arrow(y, last_piece);
    y = draw_chain(0, w_.steps.size(), y);
    y = arrow(y, last_piece);
    label(w_.out, y + line_height - 4);
    text out;
    begin_svg(out, "toolchain", width_ + 2 * margin, y + line_height + margin);
    return out << body_.view() << "</svg>\n";
  }

 private:
  static constexpr std::int64_t margin = 5, inset = 14, box_height = 36, title_height = 24,
                                line_height = 16, first_piece = 8, last_piece = 16;
  static constexpr std::size_t longest = 48;
  static constexpr const char* shades[] = {"#f4f6f9", "#e6eaf0"};

  // Upper estimates of character widths in pixels, for the style's two sizes: only browsers know
  // them exactly.
  static constexpr std::int64_t name_width(text_view t) {
    return static_cast<std::int64_t>(columns_of(t)) * 8;
  }
  static constexpr std::int64_t label_width(text_view t) {
    return static_cast<std::int64_t>(columns_of(t)) * 7;
  }

  constexpr void measure() {
    widen(label_width(shortened(w_.in, longest).view()), 0);
    widen(label_width(shortened(w_.out, longest).view()), 0);
    for (std::size_t i = 0; i < w_.steps.size(); ++i) {
      const step_description& s = w_.steps[i];
      widen(name_width(title_of(i).view()) + 20, s.depth);
      for (text_view stage : {s.in, s.out})
        widen(label_width(shortened(stage, longest).view()) + 8, s.depth);
      const std::size_t next = w_.end_of(i);
      if (next < w_.steps.size() && w_.steps[next].depth == s.depth)
        widen(label_width(between(i, next).view()) + 8, s.depth);
    }
  }
  constexpr void widen(std::int64_t inner, std::uint32_t depth) {
    const std::int64_t outer = inner + 2 * inset * std::int64_t{depth};
    if (outer > width_) width_ = outer;
  }

  constexpr text between(std::size_t from, std::size_t to) const {
    return shortened(stage_between(w_.steps[from].out, w_.steps[to].in).view(), longest);
  }
  // The text in the box of a step, or above its inner steps.
  constexpr text title_of(std::size_t row) const {
    text title = shortened(w_.name_of(row), longest);
    if (w_.has_inside(row) && w_.steps[row].fallible) title << " (may fail)";
    return title;
  }
  constexpr std::int64_t middle() const { return margin + width_ / 2; }

  constexpr void words(const char* kind, text_view characters, std::int64_t baseline) {
    body_ << "<text" << kind << " x=\"" << middle() << "\" y=\"" << baseline << "\">";
    escape_html(body_, characters);
    body_ << "</text>\n";
  }
  constexpr void label(text_view stage, std::int64_t baseline) {
    words(" class=\"type\"", shortened(stage, longest).view(), baseline);
  }
  constexpr std::int64_t piece(std::int64_t y, std::int64_t length) {
    body_ << "<path class=\"edge\" d=\"M" << middle() << ' ' << y << 'v' << length << "\"/>\n";
    return y + length;
  }
  // Draws the last piece of an arrow; returns its end.
  constexpr std::int64_t arrow(std::int64_t y, std::int64_t length) {
    const std::int64_t end = piece(y, length - 6) + 6;
    body_ << "<path fill=\"#8a95a3\" d=\"M" << middle() - 4 << ' ' << end - 7 << "h8l-4 7z\"/>\n";
    return end;
  }
  constexpr std::int64_t labelled_arrow(std::int64_t y, text_view stage) {
    y = piece(y, first_piece) + line_height;
    label(stage, y - 4);
    return arrow(y, last_piece);
  }

  // Begins a group with a tooltip.
  constexpr void box(std::size_t row, std::int64_t y, std::int64_t height, text_view fill) {
    const step_description& s = w_.steps[row];
    const std::int64_t shift = inset * std::int64_t{s.depth};
    body_ << "<g><title>";
    escape_html(body_, s.path);
    body_ << ": ";
    escape_html(body_, s.in);
    body_ << " to ";
    escape_html(body_, s.out);
    body_ << (s.fallible ? ", may fail" : "") << "</title><rect x=\"" << margin + shift << "\" y=\""
          << y << "\" width=\"" << width_ - 2 * shift << "\" height=\"" << height
          << "\" rx=\"4\" fill=\"" << fill << "\" class=\"box\"/>\n";
  }

  constexpr std::int64_t draw_chain(std::size_t first, std::size_t last, std::int64_t y) {
    for (std::size_t i = first; i < last; i = w_.end_of(i)) {
      if (i != first) y = labelled_arrow(y, stages_before_.view());
      y = w_.has_inside(i) ? draw_frame(i, y) : draw_box(i, y);
      const std::size_t next = w_.end_of(i);
      if (next < last) stages_before_ = between(i, next);
    }
    return y;
  }
  constexpr std::int64_t draw_box(std::size_t row, std::int64_t y) {
    const bool may_fail = w_.steps[row].fallible;
    box(row, y, box_height, colour_of(w_.name_of(row)));
    words("", title_of(row).view(), y + (may_fail ? 15 : 22));
    if (may_fail) words(" class=\"type\"", "may fail", y + 29);
    body_ << "</g>\n";
    return y + box_height;
  }
  // The frame lies behind the inner steps, whose height is known only afterwards.
  constexpr std::int64_t draw_frame(std::size_t row, std::int64_t top) {
    const std::size_t first = row + 1, end = w_.end_of(row);
    std::size_t last = first;
    for (std::size_t i = first; i < end; i = w_.end_of(i)) last = i;
    text behind = static_cast<text&&>(body_);
    body_ = text();
    const step_description& s = w_.steps[row];
    std::int64_t y = top + title_height;
    y = s.in == w_.steps[first].in ? arrow(y, last_piece) : labelled_arrow(y, w_.steps[first].in);
    y = draw_chain(first, end, y);
    y = s.out == w_.steps[last].out ? arrow(y, last_piece) : labelled_arrow(y, w_.steps[last].out);
    text inside = static_cast<text&&>(body_);
    body_ = static_cast<text&&>(behind);
    box(row, top, y - top, shades[s.depth % 2]);
    words("", title_of(row).view(), top + 16);
    body_ << "</g>\n" << inside.view();
    return y;
  }

  toolchain_outline w_;
  text body_;
  text stages_before_;
  std::int64_t width_ = 150;
};

}  // namespace detail

/// A toolchain as SVG: its steps from top to bottom, inner steps in a frame, the stages on the
/// arrows; hovering shows a step's path and stages in full. The picture contains its style. O(steps
/// · depth).
constexpr text to_svg(const toolchain_outline& w) { return detail::chain_drawing(w).draw(); }

/// The steps of a toolchain as rows of cells, the first one the header: the argument of
/// `html_page::add_table`. O(steps).
constexpr table<table<text>> to_rows(const toolchain_outline& w) {
  table<table<text>> rows;
  rows.push_back({text("step"), text("takes"), text("returns"), text("may fail")});
  for (const step_description& s : w.steps)
    rows.push_back({text(s.path), text(s.in), text(s.out), text(s.fallible ? "yes" : "no")});
  return rows;
}

/// A toolchain as an HTML page: its picture and a table of its steps.
constexpr text to_html(const toolchain_outline& w) {
  html_page page(w.name.empty() ? text_view("Toolchain") : w.name);
  page.add_picture(to_svg(w).view(), (text("From ") << w.in << " to " << w.out).view());
  page.add_table(to_rows(w));
  return page.page();
}

}  // namespace wf
