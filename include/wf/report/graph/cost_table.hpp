// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/cost/cost_table.hpp>
#include <wf/report/graph/labels.hpp>
#include <wf/report/page/columns.hpp>

namespace wf {

/// The optional rows of a written table, besides the totals.
struct cost_table_style {
  /// Adds a row for each node.
  bool nodes = true;
  /// Adds a row for each domain, if there are several.
  bool domains = true;
};

namespace detail {

// A row's node as labels name it; else the row's own name.
constexpr text row_name(const cost_table_row& row, const value_labels& labels) {
  return labels.knows(row.node) ? labels.definition(row.node) : row.name;
}

}  // namespace detail

/// The table as rows of cells, the first one the header: the argument of `html_page::add_table`.
/// Nodes are named by `value_labels`, or, if the graph has no such node, as in the table. O(cells).
constexpr table<table<text>> to_rows(const cost_table& t, const graph_view& g,
                                     const cost_table_style& style = {}) {
  table<table<text>> rows;
  table<text> head{text("node")};
  for (const metric_spec& m : t.metrics) head.push_back(text() << m.name << " (" << m.unit << ')');
  rows.push_back(head);
  const auto add = [&](text name, const table<cost_figure>& figures) {
    table<text> cells;
    cells.push_back(static_cast<text&&>(name));
    for (const cost_figure& f : figures) cells.push_back(to_text(f));
    rows.push_back(static_cast<table<text>&&>(cells));
  };
  if (style.nodes) {
    const value_labels labels(g);
    for (const cost_table_row& row : t.nodes) add(detail::row_name(row, labels), row.figures);
  }
  if (style.domains && t.domains.size() > 1)
    for (const cost_table_row& row : t.domains)
      add(text("all of ") << row.name.view(), row.figures);
  add(text("total"), t.totals);
  return rows;
}

/// The table in aligned columns, figures right-aligned, every line indented by two. O(cells).
constexpr text to_text(const cost_table& t, const graph_view& g,
                       const cost_table_style& style = {}) {
  return to_columns(to_rows(t, g, style), 14);
}

/// The table in Markdown, figures right-aligned, totals in bold. O(cells).
constexpr text to_markdown(const cost_table& t, const graph_view& g,
                           const cost_table_style& style = {}) {
  const table<table<text>> rows = to_rows(t, g, style);
  text out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool bold = r + 1 == rows.size();
    for (const text& cell : rows[r]) {
      out << (bold ? "| **" : "| ");
      for (const char c : cell.view()) {
        if (c == '|' || c == '*' || c == '_') out << '\\';
        out << c;
      }
      out << (bold ? "** " : " ");
    }
    out << "|\n";
    if (r != 0) continue;
    for (std::size_t c = 0; c < rows[0].size(); ++c) out << (c == 0 ? "|---" : "|---:");
    out << "|\n";
  }
  return out;
}

namespace detail {

constexpr void write_csv_cell(text& out, text_view cell) {
  bool plain = true;
  for (const char c : cell) plain = plain && c != ',' && c != '"' && c != '\n';
  if (plain) {
    out << cell;
    return;
  }
  out << '"';
  for (const char c : cell) {
    if (c == '"') out << '"';
    out << c;
  }
  out << '"';
}

constexpr void write_csv_row(text& out, text_view kind, text_view name,
                             const table<cost_figure>& figures) {
  out << kind << ',';
  write_csv_cell(out, name);
  for (const cost_figure& f : figures) {
    text cell;
    if (f.defined && (f.unknown == 0 || f.has_known())) {
      if (f.unknown != 0) cell << ">=";
      write_known(cell, f.known, false);
    }
    out << ',';
    write_csv_cell(out, cell.view());
    out << ',';
    if (f.defined) out << f.unknown;
  }
  out << '\n';
}

}  // namespace detail

/// The table as comma-separated values (RFC 4180): kind (node, domain, total), name, and for each
/// metric the unformatted figure and its number of unknown nodes. A figure that is only a lower
/// bound begins with ">=", an unknown one is empty.
constexpr text to_csv(const cost_table& t, const graph_view& g) {
  text out("kind,name");
  for (const metric_spec& m : t.metrics) {
    out << ',';
    detail::write_csv_cell(out, m.name);
    out << ',';
    detail::write_csv_cell(out, (text(m.name) << " unknown").view());
  }
  out << '\n';
  const value_labels labels(g);
  for (const cost_table_row& row : t.nodes)
    detail::write_csv_row(out, "node", detail::row_name(row, labels).view(), row.figures);
  for (const cost_table_row& row : t.domains)
    detail::write_csv_row(out, "domain", row.name.view(), row.figures);
  const bool named = validate_references(g).has_value();
  detail::write_csv_row(out, "total", named ? g.text_of(g.name) : text_view(), t.totals);
  return out;
}

}  // namespace wf
