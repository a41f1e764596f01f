// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/array/mapping.hpp>
#include <wf/report/graph/labels.hpp>

namespace wf {

namespace detail {

constexpr void escape_html(text& out, text_view t) {
  for (char c : t) {
    if (c == '<') {
      out << "&lt;";
    } else if (c == '>') {
      out << "&gt;";
    } else if (c == '&') {
      out << "&amp;";
    } else if (c == '"') {
      out << "&quot;";
    } else {
      out << c;
    }
  }
}

// A calm palette; an operator has the same colour in all pictures.
constexpr text_view colour_of(text_view kind) {
  constexpr text_view palette[] = {"#8fb8de", "#a8d0a2", "#f2c488", "#d4b3d9",
                                   "#e8a6a1", "#9fd3cf", "#d9d08f", "#b9bfc9",
                                   "#c3a995", "#9fb6a4", "#b3b5e6", "#e9b9cf"};
  const std::uint64_t h = hash_text(kind);
  return palette[(h ^ h >> 32) % 12];
}

// Begins a picture with its size and its own style, so that it needs no surrounding page.
constexpr void begin_svg(text& out, text_view kind, std::int64_t width, std::int64_t height) {
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"" << kind << "\" viewBox=\"0 0 "
      << width << ' ' << height << "\" width=\"" << width << "\" height=\"" << height
      << "\">\n<style>"
      << "svg{display:block;background:#fff}svg text{font:12px system-ui,sans-serif;"
      << "text-anchor:middle;fill:#1b2430}svg text.type{font-size:10.5px;fill:#46505e}"
      << "svg.heat text.type{fill:#1b2430}svg text.axis{font-size:11px;fill:#5a6675}"
      << "svg text.lane{text-anchor:end;font-size:11px;fill:#5a6675}"
      << ".edge{fill:none;stroke:#8a95a3;stroke-width:1.2}.box{stroke:#5a6675;stroke-width:1}"
      << ".result{stroke:#1b2430;stroke-width:2.5}.grid{stroke:#e1e6ed}"
      << ".run{stroke:#fff;stroke-width:.4}</style>\n";
}

// Items are boxes, followed by the bends at which edges pass the layers they cross. Boxes are the
// nodes, followed by the inputs: box i is node i.
class layered_drawing {
 public:
  constexpr explicit layered_drawing(const graph_view& g) : graph_(g), labels_(g) {}

  constexpr text draw() {
    place();
    text out;
    begin_svg(out, "dag", width_, top(0) + layers_ * (box_height + layer_gap) - layer_gap + margin);
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) draw_edges(out, i);
    for (std::uint32_t i = 0; i < boxes(); ++i) draw_box(out, i);
    return out << "</svg>\n";
  }

 private:
  static constexpr std::int64_t box_width = 150, box_height = 36, bend_width = 8, gap = 18,
                                layer_gap = 34, margin = 5;

  constexpr std::uint32_t boxes() const {
    return static_cast<std::uint32_t>(graph_.nodes.size() + inputs_.size());
  }
  constexpr bool is_input(std::uint32_t box) const { return box >= graph_.nodes.size(); }
  constexpr std::uint32_t box_of_value(value_id id) const {
    const node_id producer = graph_[id].producer;
    if (producer != node_id::none) return index_of(producer);
    return input_box_[index_of(id)];
  }
  constexpr std::int64_t width_of(std::uint32_t item) const {
    return item < boxes() ? box_width : bend_width;
  }
  constexpr std::int64_t middle(std::uint32_t item) const { return x_[item] + width_of(item) / 2; }
  constexpr std::int64_t top(std::uint32_t layer) const {
    return margin + layer * (box_height + layer_gap);
  }

  constexpr void place() {
    input_box_ = table<std::uint32_t>(graph_.values.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].producer != node_id::none) continue;
      input_box_[i] = boxes();
      inputs_.push_back(static_cast<value_id>(i));
    }
    assign_layers();
    bend_edges();
    order_layers();
  }

  // Layers by the longest path from the inputs; an input lies just above its first reader.
  constexpr void assign_layers() {
    layer_ = table<std::uint32_t>(boxes());
    const auto order = topological_order(graph_);
    for (node_id id : *order) {
      std::uint32_t layer = 1;
      for (value_id operand : graph_.inputs_of(graph_[id])) {
        const std::uint32_t box = box_of_value(operand);
        if (!is_input(box) && layer_[box] + 1 > layer) layer = layer_[box] + 1;
      }
      layer_[index_of(id)] = layer;
      if (layer + 1 > layers_) layers_ = layer + 1;
    }
    for (std::size_t k = graph_.nodes.size(); k < boxes(); ++k) layer_[k] = layers_;
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      for (value_id operand : graph_.inputs_of(graph_.nodes[i])) {
        const std::uint32_t box = box_of_value(operand);
        if (is_input(box) && layer_[i] - 1 < layer_[box]) layer_[box] = layer_[i] - 1;
      }
    for (std::size_t k = graph_.nodes.size(); k < boxes(); ++k)
      if (layer_[k] == layers_) layer_[k] = 0;
    if (layers_ == 0) layers_ = 1;
  }

  // A value's edges share one bend in every layer between its box and its last reader.
  constexpr void bend_edges() {
    table<std::uint32_t> last(graph_.values.size());
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
      for (value_id operand : graph_.inputs_of(graph_.nodes[i]))
        if (layer_[i] > last[index_of(operand)]) last[index_of(operand)] = layer_[i];
    first_bend_ = table<std::uint32_t>(graph_.values.size());
    above_ = table<std::uint32_t>(boxes());
    for (std::uint32_t v = 0; v < graph_.values.size(); ++v) {
      first_bend_[v] = static_cast<std::uint32_t>(layer_.size());
      std::uint32_t above = box_of_value(static_cast<value_id>(v));
      for (std::uint32_t l = layer_[above] + 1; l < last[v]; ++l) {
        above_.push_back(above);
        above = static_cast<std::uint32_t>(layer_.size());
        layer_.push_back(l);
      }
    }
  }
  // The item from which an operand's edge enters the reader.
  constexpr std::uint32_t last_before(value_id operand, std::uint32_t reader) const {
    const std::uint32_t from = box_of_value(operand), crossed = layer_[reader] - layer_[from] - 1;
    return crossed == 0 ? from : first_bend_[index_of(operand)] + crossed - 1;
  }

  // Orders each layer by barycentres of the layer above (for inputs: of their readers), in a few
  // sweeps.
  constexpr void order_layers() {
    table<table<std::uint32_t>> rows(layers_);
    for (std::uint32_t i = 0; i < layer_.size(); ++i) rows[layer_[i]].push_back(i);
    x_ = table<std::int64_t>(layer_.size());
    for (const auto& row : rows) {
      std::int64_t used = gap;
      for (std::uint32_t item : row) used += width_of(item) + gap;
      width_ = used > width_ ? used : width_;
    }
    for (const auto& row : rows) {
      for (std::uint32_t item : row) x_[item] = width_ / 2;
      settle(row);
    }
    for (int sweep = 0; sweep < 6; ++sweep)
      for (auto& row : rows) {
        table<std::int64_t> wish(layer_.size());
        for (std::uint32_t item : row) wish[item] = barycentre(item);
        for (std::size_t i = 1; i < row.size(); ++i)
          for (std::size_t j = i; j > 0 && wish[row[j]] < wish[row[j - 1]]; --j) {
            const std::uint32_t moved = row[j];
            row[j] = row[j - 1];
            row[j - 1] = moved;
          }
        for (std::uint32_t item : row) x_[item] = wish[item] - width_of(item) / 2;
        settle(row);
      }
  }
  // Separates the items of a row symmetrically and moves them into the picture.
  constexpr void settle(const table<std::uint32_t>& row) {
    table<std::int64_t> right(row.size());
    std::int64_t least = gap;
    for (std::size_t i = 0; i < row.size(); ++i) {
      right[i] = x_[row[i]] > least ? x_[row[i]] : least;
      least = right[i] + width_of(row[i]) + gap;
    }
    std::int64_t most = width_ - gap;
    for (std::size_t i = row.size(); i-- > 0;) {
      const std::int64_t fits = most - width_of(row[i]);
      const std::int64_t left = x_[row[i]] < fits ? x_[row[i]] : fits;
      x_[row[i]] = (left + right[i]) / 2;
      most = left - gap;
    }
    least = gap;
    for (std::uint32_t item : row) {
      if (x_[item] < least) x_[item] = least;
      least = x_[item] + width_of(item) + gap;
    }
    most = width_ - gap;
    for (std::size_t i = row.size(); i-- > 0;) {
      const std::int64_t fits = most - width_of(row[i]);
      if (x_[row[i]] > fits) x_[row[i]] = fits;
      most = x_[row[i]] - gap;
    }
  }
  constexpr std::int64_t barycentre(std::uint32_t item) const {
    if (item >= boxes()) return middle(above_[item]);
    std::int64_t sum = 0, count = 0;
    const std::uint32_t first = is_input(item) ? 0 : item;
    const auto end = is_input(item) ? static_cast<std::uint32_t>(graph_.nodes.size()) : item + 1;
    for (std::uint32_t i = first; i < end; ++i)
      for (value_id operand : graph_.inputs_of(graph_.nodes[i])) {
        if (is_input(item) && box_of_value(operand) != item) continue;
        sum += middle(is_input(item) ? i : last_before(operand, i));
        ++count;
      }
    return count == 0 ? middle(item) : sum / count;
  }

  constexpr void draw_edges(text& out, std::uint32_t reader) const {
    for (value_id operand : graph_.inputs_of(graph_.nodes[reader])) {
      const std::uint32_t from = box_of_value(operand);
      std::int64_t x = middle(from);
      out << "<path class=\"edge\" d=\"M" << x << ' ' << top(layer_[from]) + box_height;
      for (std::uint32_t l = layer_[from] + 1; l <= layer_[reader]; ++l) {
        const bool last = l == layer_[reader];
        const std::uint32_t item =
            last ? reader : first_bend_[index_of(operand)] + l - layer_[from] - 1;
        const std::int64_t bend = top(l) - layer_gap / 2, to = middle(item);
        out << 'C' << x << ' ' << bend << ' ' << to << ' ' << bend << ' ' << to << ' ' << top(l);
        if (!last) out << 'V' << top(l) + box_height;
        x = to;
      }
      out << "\"/>\n";
    }
  }

  // A node's first result, or none.
  constexpr value_id result_of(std::uint32_t box) const {
    const node& n = graph_.nodes[box];
    return n.outputs.count == 0 ? value_id::none : graph_view::output_of(n);
  }

  // The text of a box: a name, an operator, or both.
  constexpr text head_of(std::uint32_t box, value_id shown) const {
    text head;
    if (shown != value_id::none && (is_input(box) || labels_.is_named(shown)))
      head << labels_.of(shown);
    if (!is_input(box)) head << (head.empty() ? "" : " = ") << graph_.op_name(graph_.nodes[box]);
    if (head.size() > 22) head = text() << head.view().part(0, 21) << "…";
    return head;
  }

  constexpr void draw_box(text& out, std::uint32_t box) const {
    const value_id shown = is_input(box) ? inputs_[box - graph_.nodes.size()] : result_of(box);
    const text_view fill =
        is_input(box) ? text_view("#ffffff") : colour_of(graph_.op_name(graph_.nodes[box]));
    const std::int64_t y = top(layer_[box]);
    out << "<g><title>";
    if (!is_input(box))
      escape_html(out, labels_.definition(static_cast<node_id>(box)).view());
    else
      escape_html(out, labels_.of(shown));
    const bool output = shown != value_id::none && graph_.is_output(shown);
    out << "</title><rect x=\"" << x_[box] << "\" y=\"" << y << "\" width=\"" << box_width
        << "\" height=\"" << box_height << "\" rx=\"" << (is_input(box) ? 18 : 4) << "\" fill=\""
        << fill << "\" class=\"" << (output ? "box result" : "box") << "\"/><text x=\""
        << middle(box) << "\" y=\"" << y + 15 << "\">";
    escape_html(out, head_of(box, shown).view());
    out << "</text>";
    if (shown != value_id::none)
      out << "<text class=\"type\" x=\"" << middle(box) << "\" y=\"" << y + 29 << "\">"
          << name_of(graph_[shown].type.type) << ' ' << to_text(graph_[shown].type.shape).view()
          << "</text>";
    out << "</g>\n";
  }

  graph_view graph_;
  value_labels labels_;
  table<value_id> inputs_;
  table<std::uint32_t> input_box_;   // by value
  table<std::uint32_t> first_bend_;  // by value: its first bend; it has one per crossed layer
  table<std::uint32_t> layer_;       // by item
  table<std::uint32_t> above_;       // by item; for a bend the item from which the edge comes
  table<std::int64_t> x_;            // by item: left edge
  std::int64_t width_ = 0;
  std::uint32_t layers_ = 0;
};

}  // namespace detail

/// A graph as SVG in layers from inputs to outputs; outputs have a thick frame, hovering shows the
/// term. The picture contains its style. For a graph without a `topological_order`: the error.
/// O(nodes²) in the worst case, for the crossing reduction.
constexpr text to_svg(const graph_view& g) {
  const auto order = topological_order(g);
  if (order) return detail::layered_drawing(g).draw();
  text out;
  detail::begin_svg(out, "dag", 640, 40);
  out << "<text x=\"320\" y=\"24\">";
  detail::escape_html(out, to_text(order.error()).view());
  return static_cast<text&&>(out << "</text>\n</svg>\n");
}

namespace detail {

/// The longest prefix of at most `size` bytes that ends between two characters.
constexpr text_view whole_characters(text_view t, std::size_t size) {
  while (size > 0 && (static_cast<unsigned char>(t[size]) & 0xc0) == 0x80) --size;
  return t.part(0, size);
}

/// Draws a label in a box of some width, cut to the room there (about 6 pixels a character), or
/// nothing if there is room for less than three characters. `x`: the middle of the box.
constexpr void draw_fitted_label(text& out, text_view label, std::int64_t x, std::int64_t y,
                                 std::int64_t width) {
  const auto room = static_cast<std::size_t>(width > 8 ? (width - 8) / 6 : 0);
  if (room < 3) return;
  out << "<text class=\"type\" x=\"" << x << "\" y=\"" << y << "\">";
  const bool short_enough = label.size() <= room;
  escape_html(out, short_enough ? label : whole_characters(label, room - 1));
  out << (short_enough ? "</text>" : "…</text>");
}

constexpr void draw_axis(text& out, std::int64_t makespan, std::int64_t left, std::int64_t width,
                         std::int64_t height, text_view unit = "cycles") {
  for (int tick = 0; tick <= 8; ++tick) {
    const std::int64_t x = left + width * tick / 8;
    out << "<line class=\"grid\" x1=\"" << x << "\" y1=\"0\" x2=\"" << x << "\" y2=\"" << height
        << "\"/><text class=\"axis\" x=\"" << x << "\" y=\"" << height + 14 << "\">";
    out.grouped(static_cast<std::int64_t>(int128{makespan} * tick / 8)) << "</text>\n";
  }
  out << "<text class=\"axis\" x=\"" << left + width / 2 << "\" y=\"" << height + 30 << "\">"
      << unit << "</text>\n";
}

}  // namespace detail

/// The timeline of a mapping as SVG: one lane per PE, row by row; an operator covers the lanes of
/// its rectangle from start to finish, in the colour of its kind; hovering shows name and interval
/// in cycles. `kinds` names each operator's kind. O(operators · rows of their rectangles).
constexpr text timeline_svg(const mapping& m, const workload& w, view<text_view> kinds) {
  const std::int64_t left = 60, width = 1080;
  const std::int64_t lane = m.columns > 2    ? 5
                            : m.columns == 2 ? 8
                                             : 16;  // a row is high enough for its
                                                    // label
  const std::int64_t lanes = std::int64_t{m.rows} * m.columns;
  const std::int64_t height = lanes * lane;
  text out;
  detail::begin_svg(out, "timeline", left + width + 40, height + 40);
  detail::draw_axis(out, m.makespan, left, width, height);
  for (std::int32_t row = 0; row < m.rows; ++row)
    out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\""
        << (2 * row + 1) * m.columns * lane / 2 + 4 << "\">row " << row << "</text>\n";
  const std::int64_t span = m.makespan > 0 ? m.makespan : 1;
  for (std::uint32_t op : m.sequence) {
    const placement& p = m.operators[op];
    const auto x = static_cast<std::int64_t>(int128{p.start} * width / span);
    auto wide = static_cast<std::int64_t>(int128{p.finish} * width / span) - x;
    if (wide < 1) wide = 1;
    out << "<g><title>";
    detail::escape_html(out, w.operators[op].label.view());
    out << ": cycles ";
    out.grouped(p.start) << " to ";
    out.grouped(p.finish) << ", " << to_text(p.where).view() << "</title>";
    for (std::int32_t row = p.where.row; row < p.where.row + p.where.rows; ++row)
      out << "<rect class=\"run\" x=\"" << left + x << "\" y=\""
          << (row * m.columns + p.where.column) * lane << "\" width=\"" << wide << "\" height=\""
          << p.where.columns * lane << "\" fill=\""
          << detail::colour_of(op < kinds.size() ? kinds[op] : text_view("operator")) << "\"/>";
    out << "</g>\n";
  }
  return out << "</svg>\n";
}

/// The utilisation map of a mapping as SVG: one square per PE, darker for busier ones, with the
/// percentage of busy time and the maximum of its memory in bytes. O(PEs).
constexpr text utilisation_svg(const mapping& m) {
  const std::int64_t cell = 72;
  text out;
  detail::begin_svg(out, "heat", m.columns * cell, m.rows * cell);
  for (std::int32_t row = 0; row < m.rows; ++row) {
    for (std::int32_t column = 0; column < m.columns; ++column) {
      const ratio u = m.utilisation(row, column);
      const auto percent =
          u.denominator == 0 ? std::int64_t{0}
                             : static_cast<std::int64_t>(int128{u.numerator} * 100 / u.denominator);
      const auto bytes = m.high_water[static_cast<std::size_t>(row * m.columns + column)];
      const std::int64_t x = column * cell, y = row * cell;
      out << "<g><title>PE (" << row << ", " << column << ")</title><rect x=\"" << x + 1
          << "\" y=\"" << y + 1 << "\" width=\"" << cell - 2 << "\" height=\"" << cell - 2
          << "\" fill=\"rgb(" << 240 - percent * 17 / 10 << ',' << 246 - percent * 11 / 10 << ','
          << 252 - percent * 5 / 10 << ")\"/><text x=\"" << x + cell / 2 << "\" y=\""
          << y + cell / 2 << "\">" << percent << " %</text><text class=\"type\" x=\""
          << x + cell / 2 << "\" y=\"" << y + cell / 2 + 16 << "\">" << (bytes + 1023) / 1024
          << " KiB</text></g>\n";
    }
  }
  return out << "</svg>\n";
}

}  // namespace wf
