// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <wf/core/text/text.hpp>

namespace wf {

namespace detail {

// Number of terminal columns: all bytes except UTF-8 continuation bytes.
constexpr std::size_t columns_of(text_view t) {
  std::size_t columns = 0;
  for (const char c : t) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return columns;
}

// The prefix of a text that fits `columns`, each character taking one.
constexpr text shortened(text_view t, std::size_t columns) {
  if (columns_of(t) <= columns) return text(t);
  std::size_t end = 0;
  for (std::size_t seen = 0; seen < columns; ++end)
    if (end + 1 == t.size() || (t[end + 1] & 0xc0) != 0x80) ++seen;
  return text(t.part(0, end)) << "…";
}

constexpr void add_spaces(text& out, std::size_t count) {
  for (; count > 0; --count) out << ' ';
}

constexpr table<std::size_t> widths_of(view<table<text>> rows, std::size_t least) {
  table<std::size_t> widths(rows[0].size(), least);
  if (!widths.empty()) widths[0] = 0;
  for (const table<text>& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      if (const std::size_t columns = columns_of(row[c].view()); columns > widths[c])
        widths[c] = columns;
  return widths;
}

}  // namespace detail

/// Rows of cells in aligned columns, the first one left-aligned and the others right-aligned, every
/// line indented by two. All columns but the first are at least `least` characters wide; no row may
/// have more cells than the first one. O(characters).
constexpr text to_columns(view<table<text>> rows, std::size_t least = 0) {
  text out;
  if (rows.empty()) return out;
  const table<std::size_t> widths = detail::widths_of(rows, least);
  for (const table<text>& row : rows) {
    if (!row.empty()) out << "  " << row[0].view();
    if (row.size() > 1) detail::add_spaces(out, widths[0] - detail::columns_of(row[0].view()));
    for (std::size_t c = 1; c < row.size(); ++c) {
      detail::add_spaces(out, 2 + widths[c] - detail::columns_of(row[c].view()));
      out << row[c].view();
    }
    out << '\n';
  }
  return out;
}

}  // namespace wf
