// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/partition/deployment.hpp>
#include <wf/partition/traffic.hpp>
#include <wf/report/graph/svg.hpp>
#include <wf/report/partition/cut_layout.hpp>

namespace wf {

/// What the picture of a cut shows.
struct cut_svg_options {
  /// Nodes (inputs, outputs) of a class that are listed; "… and 43 more" stands for the others.
  /// Nodes that send or receive are listed always.
  std::size_t most_nodes = 17;
};

/// What each wire of a program carries, by edge: "0: f64 [4] · 32 B · batch 0"; bytes are those of
/// `traffic`, a polynomial if shapes are symbolic, and "? B" if `traffic` fails; "0: trigger ·
/// batch 0" carries nothing. O(edges · programs).
constexpr table<text> wire_labels(const partitioned_program& p,
                                  const registry& kernels = builtin_registry()) {
  const auto carried = traffic(p, kernels);
  table<text> out;
  for (std::uint32_t k = 0; k < p.edges.size(); ++k) {
    const wire_edge& e = p.edges[k];
    text label;
    label << k << ": ";
    if (e.transport == wire_transport::trigger) {
      label << "trigger";
    } else {
      label << detail::class_rows::type_text(e.type) << " · ";
      std::int64_t bytes = -1;
      if (carried && (*carried)[k].bytes.is_constant())
        if (const auto whole = to_int64((*carried)[k].bytes.constant()); whole) bytes = *whole;
      if (bytes >= 0)
        label.grouped(bytes) << " B";
      else if (carried)
        label << detail::shortened(to_text((*carried)[k].bytes).view(), 32) << " B";
      else
        label << "? B";
    }
    label << " · batch " << e.batch;
    out.push_back(static_cast<text&&>(label));
  }
  return out;
}

namespace detail {

/// Draws the boxes of programs and the wires between them.
class cut_drawing {
 public:
  constexpr cut_drawing(const partitioned_program& p, const registry& kernels,
                        const cut_svg_options& o)
      : p_(p), labels_(wire_labels(p, kernels)), layout_(p, rows_of(p, kernels, o), labels_) {}

  constexpr text draw() const {
    text out;
    begin_svg(out, "cut", layout_.width(), layout_.height());
    out << "<style>svg.cut text.row,svg.cut text.wire{text-anchor:start}"
           "svg.cut text.row.type{text-anchor:end}svg.cut text.wire{font-size:10.5px;fill:#1b2430}"
           "svg.cut text.badge{font-size:10px;fill:#5c4400}svg.cut text.role{font-weight:600}"
           ".gate{fill:#fff3cf;stroke:#c9a23a}.cable{fill:none;stroke-width:1.5}</style>\n";
    for (std::uint32_t i = 0; i < p_.partitions.size(); ++i) draw_box(out, i);
    for (std::uint32_t k = 0; k < p_.edges.size(); ++k) draw_wire(out, k);
    for (std::uint32_t k = 0; k < p_.edges.size(); ++k) draw_label(out, k);
    return out << "</svg>\n";
  }

 private:
  static constexpr table<table<class_row>> rows_of(const partitioned_program& p,
                                                   const registry& kernels,
                                                   const cut_svg_options& o) {
    table<table<class_row>> out;
    for (const partition& part : p.partitions) {
      const graph_view g = part.workflow.view();
      out.push_back(class_rows(g, kernels, o.most_nodes).rows());
    }
    return out;
  }
  // Wires of one batch have one colour.
  constexpr text_view colour(std::uint32_t k) const {
    constexpr text_view palette[] = {"#2f6db3", "#b3532f", "#2f8a57", "#7d4fa8",
                                     "#9a7a1c", "#3a7f8c", "#a83f6f", "#55606e"};
    return palette[p_.edges[k].batch % 8];
  }
  static constexpr void words(text& out, text_view kind, std::int64_t x, std::int64_t y,
                              text_view characters) {
    out << "<text class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\">";
    escape_html(out, characters);
    out << "</text>";
  }
  static constexpr void rectangle(text& out, text_view kind, std::int64_t x, std::int64_t y,
                                  std::int64_t width, std::int64_t height, std::int64_t round,
                                  text_view fill) {
    out << "<rect class=\"" << kind << "\" x=\"" << x << "\" y=\"" << y << "\" width=\"" << width
        << "\" height=\"" << height << "\" rx=\"" << round << '"';
    if (!fill.empty()) out << " fill=\"" << fill << '"';
    out << "/>";
  }

  constexpr void draw_box(text& out, std::uint32_t i) const {
    const class_box& b = layout_.boxes()[i];
    const partition& part = p_.partitions[i];
    out << "<g class=\"class\">";
    rectangle(out, "box class", b.x, b.y, b.width, b.height, 5, "#ffffff");
    out << "<path fill=\"" << colour_of(part.role.view()) << "\" fill-opacity=\".45\" d=\"M"
        << b.x + 1 << ' ' << b.y + cut_layout::head_height - 3 << 'v'
        << -cut_layout::head_height + 9 << "q0 -5 5 -5h" << b.width - 12 << "q5 0 5 5v"
        << cut_layout::head_height - 9 << "z\"/>";
    words(out, "role", b.x + b.width / 2, b.y + 16, shortened(part.role.view(), 40).view());
    words(out, "type", b.x + b.width / 2, b.y + 30, shortened(part.name.view(), 44).view());
    for (std::size_t r = 0; r < b.rows.size(); ++r) {
      if (r > 0 && section(b.rows[r]) != section(b.rows[r - 1]))
        out << "<path class=\"grid\" d=\"M" << b.x + 8 << ' ' << b.tops[r] << 'h' << b.width - 16
            << "\"/>";
      draw_row(out, b, b.rows[r], b.tops[r]);
    }
    out << "</g>\n";
  }
  static constexpr int section(const class_row& r) {
    return r.kind == class_row_kind::input ? 0 : r.kind == class_row_kind::output ? 2 : 1;
  }
  static constexpr void draw_row(text& out, const class_box& b, const class_row& r,
                                 std::int64_t top) {
    const std::int64_t base = top + 14, left = b.x + cut_layout::text_left;
    const bool is_node = r.kind == class_row_kind::node;
    if (r.kind != class_row_kind::folded)
      rectangle(out, r.kind == class_row_kind::output ? "box result" : "box", b.x + 10, top + 5, 10,
                10, r.kind == class_row_kind::input ? 5 : 2,
                is_node ? colour_of(r.kind_name) : text_view("#ffffff"));
    words(out, r.kind == class_row_kind::folded ? "row axis" : "row", left, base, r.words.view());
    if (!r.type.empty()) words(out, "row type", b.x + b.width - 8, base, r.type.view());
    std::int64_t x = left;
    for (const gate_badge& g : r.badges) {
      const std::int64_t wide = cut_layout::width_of(g);
      out << "<g><title>";
      escape_html(out, g.summary);
      out << "</title>";
      rectangle(out, "gate", x, top + cut_layout::row_height, wide, 15, 7, {});
      words(out, "badge", x + wide / 2, top + cut_layout::row_height + 11, g.label.view());
      out << "</g>";
      x += wide + 4;
    }
  }

  constexpr void draw_wire(text& out, std::uint32_t k) const {
    const wire_edge& e = p_.edges[k];
    const wire_route& r = layout_.routes()[k];
    const class_box &from = layout_.boxes()[e.from], &to = layout_.boxes()[e.to];
    const std::int64_t begin = r.leaves_right ? from.x + from.width : from.x;
    const std::int64_t end = r.enters_left ? to.x : to.x + to.width;
    const std::int64_t forward = r.enters_left ? 1 : -1;
    out << "<g><title>";
    escape_html(out, p_.partitions[e.from].role.view());
    out << " to ";
    escape_html(out, p_.partitions[e.to].role.view());
    out << ", wire ";
    escape_html(out, labels_[k].view());
    out << "</title><path class=\"cable\" stroke=\"" << colour(k) << '"';
    if (e.transport == wire_transport::trigger) out << " stroke-dasharray=\"5 3\"";
    out << " d=\"M" << begin << ' ' << r.from_y << 'H' << r.out_lane;
    if (!r.is_direct) out << 'V' << r.track << 'H' << r.in_lane;
    out << 'V' << r.to_y << 'H' << end - 6 * forward << "\"/><path fill=\"" << colour(k)
        << "\" d=\"M" << end - 8 * forward << ' ' << r.to_y - 4 << "v8L" << end << ' ' << r.to_y
        << "z\"/></g>\n";
  }
  constexpr void draw_label(text& out, std::uint32_t k) const {
    const wire_route& r = layout_.routes()[k];
    words(out, "wire", r.label_x, r.label_y, labels_[k].view());
    out << '\n';
  }

  const partitioned_program& p_;
  table<text> labels_;
  cut_layout layout_;
};

}  // namespace detail

/// A program that is cut for several classes of machines as SVG. Each program is a box with its
/// class, its inputs, its nodes in topological order and its outputs; the gates of a message are
/// badges on the node that receives or sends. Wires are arrows with what they carry; one that
/// carries nothing is dashed, and those of one batch have one colour. A machine that sends to its
/// own class has a loop below its box. Hovering shows what gates do, and the ends of wires.
/// `kernels` must know all operators of gates. The program must have been cut, with or without
/// gates and analysed edges. O(nodes + classes² + wires² + wires · programs).
constexpr text cut_svg(const partitioned_program& p, const registry& kernels = builtin_registry(),
                       const cut_svg_options& options = {}) {
  return detail::cut_drawing(p, kernels, options).draw();
}
/// The same of a program whose messages are guarded.
constexpr text cut_svg(const guarded_program& p, const registry& kernels = builtin_registry(),
                       const cut_svg_options& options = {}) {
  return cut_svg(p.parts(), kernels, options);
}
/// The same of a deployment.
constexpr text cut_svg(const deployment& d, const registry& kernels = builtin_registry(),
                       const cut_svg_options& options = {}) {
  return cut_svg(d.parts(), kernels, options);
}

}  // namespace wf
