// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/map/mapping.hpp>
#include <wf/report/explain.hpp>

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

// A calm palette: an operator keeps its colour from picture to picture.
constexpr text_view colour_of(text_view kind) {
  constexpr text_view palette[] = {"#8fb8de", "#a8d0a2", "#f2c488", "#d4b3d9",
                                   "#e8a6a1", "#9fd3cf", "#d9d08f", "#b9bfc9"};
  return palette[hash_text(kind) % 8];
}

// Where the boxes of a layered drawing stand.
struct layout {
  table<std::uint32_t> layer;  // by box
  table<std::int64_t> x;       // by box: left edge
  std::int64_t width = 0;
  std::uint32_t layers = 0;
};

inline constexpr std::int64_t box_width = 150, box_height = 36, box_gap = 18, layer_gap = 34;

// Boxes are inputs that something reads next to nodes: number i is node i, then the inputs.
class layered_drawing {
 public:
  constexpr explicit layered_drawing(const graph_view& g) : graph_(g) {}

  constexpr text draw() {
    place();
    text out;
    const std::int64_t height = place_.layers * (box_height + layer_gap) + 10;
    out << "<svg class=\"dag\" viewBox=\"0 0 " << place_.width << ' ' << height << "\" width=\""
        << place_.width << "\" height=\"" << height << "\">\n";
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) draw_edges(out, i);
    for (std::uint32_t i = 0; i < boxes(); ++i) draw_box(out, i);
    return out << "</svg>\n";
  }

 private:
  constexpr std::uint32_t boxes() const {
    return static_cast<std::uint32_t>(graph_.nodes.size() + inputs_.size());
  }
  constexpr bool is_input(std::uint32_t box) const { return box >= graph_.nodes.size(); }
  constexpr std::uint32_t box_of_value(value_id id) const {
    const node_id producer = graph_[id].producer;
    if (producer != node_id::none) return index_of(producer);
    return input_box_[index_of(id)];
  }

  constexpr void place() {
    input_box_ = table<std::uint32_t>(graph_.values.size());
    for (std::uint32_t i = 0; i < graph_.values.size(); ++i) {
      if (graph_.values[i].producer != node_id::none) continue;
      input_box_[i] = boxes();
      inputs_.push_back(static_cast<value_id>(i));
    }
    assign_layers();
    order_layers();
  }

  // Longest path from the inputs; an input stands just above its first reader.
  constexpr void assign_layers() {
    place_.layer = table<std::uint32_t>(boxes());
    const auto order = topological_order(graph_);
    for (node_id id : *order) {
      std::uint32_t layer = 1;
      for (value_id operand : graph_.inputs_of(graph_[id])) {
        const std::uint32_t box = box_of_value(operand);
        if (!is_input(box) && place_.layer[box] + 1 > layer) layer = place_.layer[box] + 1;
      }
      place_.layer[index_of(id)] = layer;
      if (layer + 1 > place_.layers) place_.layers = layer + 1;
    }
    for (std::uint32_t k = 0; k < inputs_.size(); ++k) {
      std::uint32_t first = place_.layers;
      for (const node& n : graph_.nodes)
        for (value_id operand : graph_.inputs_of(n))
          if (operand == inputs_[k]) {
            const std::uint32_t reader =
                place_.layer[static_cast<std::size_t>(&n - graph_.nodes.begin())];
            if (reader < first) first = reader;
          }
      place_.layer[graph_.nodes.size() + k] = first == 0 || first == place_.layers ? 0 : first - 1;
    }
    if (place_.layers == 0) place_.layers = 1;
  }

  // Barycentres of the layer above, a few sweeps; then left to right, each layer centred.
  constexpr void order_layers() {
    table<table<std::uint32_t>> rows(place_.layers);
    for (std::uint32_t b = 0; b < boxes(); ++b) rows[place_.layer[b]].push_back(b);
    place_.x = table<std::int64_t>(boxes());
    std::size_t widest = 1;
    for (const auto& row : rows) widest = row.size() > widest ? row.size() : widest;
    place_.width = static_cast<std::int64_t>(widest) * (box_width + box_gap) + box_gap;
    for (auto& row : rows) spread(row);
    for (int sweep = 0; sweep < 6; ++sweep)
      for (auto& row : rows) {
        table<std::int64_t> wish(boxes());
        for (std::uint32_t b : row) wish[b] = barycentre(b);
        for (std::size_t i = 1; i < row.size(); ++i)
          for (std::size_t j = i; j > 0 && wish[row[j]] < wish[row[j - 1]]; --j) {
            const std::uint32_t moved = row[j];
            row[j] = row[j - 1];
            row[j - 1] = moved;
          }
        spread(row);
      }
  }
  constexpr void spread(const table<std::uint32_t>& row) {
    const auto used = static_cast<std::int64_t>(row.size()) * (box_width + box_gap) - box_gap;
    std::int64_t x = (place_.width - used) / 2;
    for (std::uint32_t b : row) {
      place_.x[b] = x;
      x += box_width + box_gap;
    }
  }
  constexpr std::int64_t barycentre(std::uint32_t box) const {
    std::int64_t sum = 0, count = 0;
    const auto take = [&](std::uint32_t other) {
      sum += place_.x[other];
      ++count;
    };
    if (is_input(box)) {
      for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
        for (value_id operand : graph_.inputs_of(graph_.nodes[i]))
          if (box_of_value(operand) == box) take(i);
    } else {
      for (value_id operand : graph_.inputs_of(graph_.nodes[box])) take(box_of_value(operand));
    }
    return count == 0 ? place_.x[box] : sum / count;
  }

  constexpr std::int64_t top(std::uint32_t box) const {
    return 5 + place_.layer[box] * (box_height + layer_gap);
  }

  constexpr void draw_edges(text& out, std::uint32_t reader) const {
    for (value_id operand : graph_.inputs_of(graph_.nodes[reader])) {
      const std::uint32_t from = box_of_value(operand);
      const std::int64_t x0 = place_.x[from] + box_width / 2, y0 = top(from) + box_height;
      const std::int64_t x1 = place_.x[reader] + box_width / 2, y1 = top(reader);
      const std::int64_t bend = (y1 - y0) / 2;
      out << "<path class=\"edge\" d=\"M" << x0 << ' ' << y0 << 'C' << x0 << ' ' << y0 + bend << ' '
          << x1 << ' ' << y1 - bend << ' ' << x1 << ' ' << y1 << "\"/>\n";
    }
  }

  constexpr void draw_box(text& out, std::uint32_t box) const {
    const value_id shown = is_input(box) ? inputs_[box - graph_.nodes.size()]
                                         : graph_view::output_of(graph_.nodes[box]);
    text head;
    text_view fill = "#ffffff";
    if (is_input(box)) {
      head << graph_.text_of(graph_[shown].name);
    } else {
      const node& n = graph_.nodes[box];
      if (n.name.count != 0) head << graph_.text_of(n.name) << " = ";
      head << graph_.op_name(n);
      fill = colour_of(graph_.op_name(n));
    }
    if (head.size() > 22) head = text() << head.view().part(0, 21) << "…";
    const bool output = graph_.is_output(shown);
    out << "<g><title>";
    if (!is_input(box))
      escape_html(out, node_term(graph_, static_cast<node_id>(box)).view());
    else
      escape_html(out, head.view());
    const value_type& t = graph_[shown].type;
    out << "</title><rect x=\"" << place_.x[box] << "\" y=\"" << top(box) << "\" width=\""
        << box_width << "\" height=\"" << box_height << "\" rx=\"" << (is_input(box) ? 18 : 4)
        << "\" fill=\"" << fill << "\" class=\"" << (output ? "box result" : "box")
        << "\"/><text x=\"" << place_.x[box] + box_width / 2 << "\" y=\"" << top(box) + 15 << "\">";
    escape_html(out, head.view());
    out << "</text><text class=\"type\" x=\"" << place_.x[box] + box_width / 2 << "\" y=\""
        << top(box) + 29 << "\">" << name_of(t.type) << ' ' << to_text(t.shape).view()
        << "</text></g>\n";
  }

  graph_view graph_;
  table<value_id> inputs_;
  table<std::uint32_t> input_box_;
  layout place_;
};

}  // namespace detail

/// A graph as SVG in layers from inputs to outputs; outputs have a thick frame, hovering shows the
/// term. The classes `dag`, `edge`, `box` and `type` are styled by the page (report/html.hpp).
/// O(nodes²) at worst, for the crossing reduction.
constexpr text to_svg(const graph_view& g) { return detail::layered_drawing(g).draw(); }

namespace detail {

constexpr void draw_axis(text& out, std::int64_t makespan, std::int64_t left, std::int64_t width,
                         std::int64_t height) {
  for (int tick = 0; tick <= 8; ++tick) {
    const std::int64_t x = left + width * tick / 8;
    out << "<line class=\"grid\" x1=\"" << x << "\" y1=\"0\" x2=\"" << x << "\" y2=\"" << height
        << "\"/><text class=\"axis\" x=\"" << x << "\" y=\"" << height + 14 << "\">";
    out.grouped(static_cast<std::int64_t>(int128{makespan} * tick / 8)) << "</text>\n";
  }
  out << "<text class=\"axis\" x=\"" << left + width / 2 << "\" y=\"" << height + 30
      << "\">cycles</text>\n";
}

}  // namespace detail

/// The timeline of a mapping as SVG: one lane a PE, row by row; an operator is drawn over the lanes
/// of its rectangle from start to finish, in a colour by its kind; hovering shows name and
/// interval. `kinds` names each operator's kind. O(operators · rows of their rectangles).
constexpr text timeline_svg(const mapping& m, const workload& w, view<text_view> kinds) {
  const std::int64_t left = 60, width = 1080, lane = 5;
  const std::int64_t lanes = std::int64_t{m.rows} * m.columns;
  const std::int64_t height = lanes * lane;
  text out;
  out << "<svg class=\"timeline\" viewBox=\"0 0 1180 " << height + 40
      << "\" width=\"1180\" height=\"" << height + 40 << "\">\n";
  detail::draw_axis(out, m.makespan, left, width, height);
  for (std::int32_t row = 0; row < m.rows; ++row)
    out << "<text class=\"lane\" x=\"" << left - 6 << "\" y=\""
        << (row * m.columns + m.columns / 2) * lane + 8 << "\">row " << row << "</text>\n";
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

/// The utilisation map of a mapping as SVG: one square a PE, darker the busier, with the percentage
/// of the time it runs and the most bytes that lie in it. O(PEs).
constexpr text utilisation_svg(const mapping& m) {
  const std::int64_t cell = 72;
  text out;
  out << "<svg class=\"heat\" viewBox=\"0 0 " << m.columns * cell << ' ' << m.rows * cell
      << "\" width=\"" << m.columns * cell << "\" height=\"" << m.rows * cell << "\">\n";
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
