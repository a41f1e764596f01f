// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>

#include <wf/core/diagnosis/result.hpp>

namespace wf {

/// The processing elements (PEs) in rows `row` … `row + rows - 1` and columns `column` … `column +
/// columns - 1` of an array. Zero rows: no rectangle, the place of an operator that only renames
/// data.
struct rectangle {
  std::int32_t row = 0;      ///< uppermost row
  std::int32_t column = 0;   ///< leftmost column
  std::int32_t rows = 0;     ///< number of rows
  std::int32_t columns = 0;  ///< number of columns

  /// Number of PEs.
  constexpr std::int64_t area() const { return std::int64_t{rows} * columns; }
  /// True if it contains no PE.
  constexpr bool empty() const { return rows <= 0 || columns <= 0; }
  /// True if the PE at (r, c) belongs to it.
  constexpr bool contains(std::int32_t r, std::int32_t c) const {
    return r >= row && r < row + rows && c >= column && c < column + columns;
  }
  friend constexpr bool operator==(const rectangle&, const rectangle&) = default;
};

/// True if two rectangles share a PE.
constexpr bool overlap(const rectangle& a, const rectangle& b) {
  return a.row < b.row + b.rows && b.row < a.row + a.rows && a.column < b.column + b.columns &&
         b.column < a.column + a.columns;
}

/// The text "4x8@(0,0)": rows by columns, then row and column of the upper left PE.
constexpr text to_text(const rectangle& r) {
  return text() << r.rows << 'x' << r.columns << "@(" << r.row << ',' << r.column << ')';
}

/// A two-dimensional array of equal processing elements, connected by a mesh and fed by one DRAM.
/// Time is counted in cycles; all figures are integers.
///
/// The DRAM bandwidth is striped over the PEs: each owns the share dram_bytes_per_cycle / (rows ·
/// columns), so concurrent operators never compete for it.
struct pe_array {
  /// Maximum number of PEs of an array.
  static constexpr std::int64_t max_elements = 4096;

  std::int32_t rows = 1;     ///< rows of PEs, at least 1
  std::int32_t columns = 1;  ///< columns of PEs, at least 1
  /// Multiply-accumulates per cycle of one PE.
  std::int64_t macs_per_cycle = 1;
  /// Elementwise operations (add, compare, …) per cycle of one PE.
  std::int64_t vector_ops_per_cycle = 1;
  /// Memory of one PE in bytes.
  std::int64_t memory_bytes = 0;
  /// Bandwidth of one directed mesh link, and of one PE's port, in bytes per cycle.
  std::int64_t link_bytes_per_cycle = 1;
  /// Latency between neighbouring PEs in cycles.
  std::int64_t hop_latency = 0;
  /// DRAM bandwidth of the whole array in bytes per cycle.
  std::int64_t dram_bytes_per_cycle = 1;
  /// Defective PEs, which must not be used, as row · columns + column.
  table<std::uint32_t> dead;

  /// Number of PEs, dead ones included.
  constexpr std::int64_t elements() const { return std::int64_t{rows} * columns; }
  /// The rectangle of all PEs, dead ones included.
  constexpr rectangle whole() const { return {0, 0, rows, columns}; }
  /// Row-major index of a PE in tables over all PEs.
  constexpr std::uint32_t index(std::int32_t row, std::int32_t column) const {
    return static_cast<std::uint32_t>(row * columns + column);
  }
  /// True if the rectangle lies inside the array and has no dead PE. O(dead PEs).
  constexpr bool usable(const rectangle& r) const {
    if (r.empty() || r.row < 0 || r.column < 0 || r.rows > rows - r.row ||
        r.columns > columns - r.column)
      return false;
    for (std::uint32_t e : dead) {
      const auto width = static_cast<std::uint32_t>(columns);
      if (r.contains(static_cast<std::int32_t>(e / width), static_cast<std::int32_t>(e % width)))
        return false;
    }
    return true;
  }
};

/// The usable rectangle with the most PEs, among equals the first by shape and position; empty if
/// all PEs are dead. O(1) without dead PEs, else O(rows² · columns² · dead PEs).
constexpr rectangle largest_usable(const pe_array& a) {
  if (a.dead.empty()) return a.whole();
  rectangle best;
  for (std::int32_t r = 1; r <= a.rows; ++r)
    for (std::int32_t c = 1; c <= a.columns; ++c) {
      if (std::int64_t{r} * c <= best.area()) continue;
      for (std::int32_t y = 0; y + r <= a.rows; ++y)
        for (std::int32_t x = 0; x + c <= a.columns; ++x)
          if (std::int64_t{r} * c > best.area() && a.usable({y, x, r, c})) best = {y, x, r, c};
    }
  return best;
}

/// Disjoint usable rectangles, chosen greedily: each is the largest one that is disjoint from those
/// before it. Ends after four, or before the first one with less than an eighth of the first one's
/// PEs. Empty if all PEs are dead.
constexpr table<rectangle> usable_regions(const pe_array& a) {
  table<rectangle> out;
  pe_array left = a;
  while (out.size() < 4) {
    const rectangle r = largest_usable(left);
    if (r.empty() || (!out.empty() && 8 * r.area() < out[0].area())) break;
    out.push_back(r);
    if (r.area() == a.elements()) break;
    for (std::int32_t y = r.row; y < r.row + r.rows; ++y)
      for (std::int32_t x = r.column; x < r.column + r.columns; ++x)
        left.dead.push_back(a.index(y, x));
  }
  return out;
}

/// Checks an array. Errors: `invalid_problem`, naming the figure, if a rate or side is not
/// positive, another figure is negative, there are more than `max_elements` PEs, or a dead PE is
/// out of range.
constexpr result<nothing> validate(const pe_array& a) {
  const auto wrong = [](text_view figure, text_view sentence) {
    return make_error(errc::invalid_problem, figure, sentence);
  };
  if (a.rows <= 0) return wrong("rows", "a PE array needs at least one row");
  if (a.columns <= 0) return wrong("columns", "a PE array needs at least one column");
  if (a.elements() > pe_array::max_elements)
    return wrong("rows", "a PE array may have at most 4096 PEs");
  if (a.macs_per_cycle <= 0) return wrong("macs_per_cycle", "a rate must be positive");
  if (a.vector_ops_per_cycle <= 0) return wrong("vector_ops_per_cycle", "a rate must be positive");
  if (a.link_bytes_per_cycle <= 0) return wrong("link_bytes_per_cycle", "a rate must be positive");
  if (a.dram_bytes_per_cycle <= 0) return wrong("dram_bytes_per_cycle", "a rate must be positive");
  if (a.memory_bytes < 0) return wrong("memory_bytes", "a size must not be negative");
  if (a.hop_latency < 0) return wrong("hop_latency", "a time must not be negative");
  for (std::uint32_t e : a.dead)
    if (e >= a.elements()) return wrong("dead", "a dead PE lies outside the array");
  return nothing{};
}

}  // namespace wf
