// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <wf/core/container/table.hpp>

namespace wf::logic {

/// A position along an axis.
using position = std::int32_t;

/// The entries of a tensor that are present, as columns: row r stands at the positions
/// `columns[0][r], columns[1][r], ...`, no two rows at the same ones. A relation has no values.
struct relation {
  std::uint32_t rank = 0;          ///< number of columns, at most `max_rank`
  bool valued = false;             ///< false: a relation, whose entries are true
  std::size_t rows = 0;            ///< number of entries
  table<table<position>> columns;  ///< `rank` columns of `rows` positions
  table<double> values;            ///< by row, if `valued`

  constexpr relation() = default;
  /// A relation or tensor without entries.
  constexpr relation(std::uint32_t of_rank, bool has_values)
      : rank(of_rank), valued(has_values), columns(of_rank) {}

  /// Appends a row, which must stand at new positions; `at` has `rank` positions.
  constexpr void append(const position* at, double value = 1) {
    for (std::uint32_t c = 0; c < rank; ++c) columns[c].push_back(at[c]);
    if (valued) values.push_back(value);
    ++rows;
  }
  /// Copies the positions of a row to `at`, which has room for `rank` of them.
  constexpr void positions(std::size_t row, position* at) const {
    for (std::uint32_t c = 0; c < rank; ++c) at[c] = columns[c][row];
  }
};

namespace detail {

/// The least and the number of positions of a column; no positions in an empty one.
struct column_bounds {
  position low = 0;
  std::uint64_t size = 0;
  /// Widens the bounds to a position.
  constexpr void include(position p) {
    if (size == 0) {
      low = p;
      size = 1;
    } else if (p < low) {
      size += static_cast<std::uint64_t>(static_cast<std::int64_t>(low) - p);
      low = p;
    } else if (const auto place = offset(p); place >= size) {
      size = place + 1;
    }
  }
  /// Widens the bounds to those of another column.
  constexpr void include(const column_bounds& other) {
    if (other.size == 0) return;
    include(other.low);
    include(other.at(other.size - 1));
  }
  /// The position at a place.
  constexpr position at(std::uint64_t place) const {
    return static_cast<position>(std::int64_t{low} + static_cast<std::int64_t>(place));
  }
  /// The place of a position, from 0; at least `size` if it is out of bounds.
  constexpr std::uint64_t offset(position p) const {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(p) - low);
  }
};

/// True if positions, in ascending order and different, are all within some bounds and no others.
constexpr bool are_all_of(const column_bounds& b, view<position> ascending) {
  return ascending.size() == b.size &&
         (b.size == 0 ||
          (ascending[0] == b.low && ascending[ascending.size() - 1] == b.at(b.size - 1)));
}

constexpr column_bounds bounds_of(view<position> column) {
  column_bounds b;
  if (column.empty()) return b;
  position low = column[0], high = column[0];
  for (const position p : column) {
    low = p < low ? p : low;
    high = high < p ? p : high;
  }
  b.include(low);
  b.include(high);
  return b;
}

/// Sorts row numbers by one column, keeping the order of equals: counting sort, by 16 bits at a
/// time. O(rows + range of the positions, at most 2^16).
constexpr void sort_by_column(table<std::uint32_t>& rows, view<position> column) {
  const column_bounds b = bounds_of(column);
  table<std::uint32_t> sorted(rows.size());
  for (unsigned shift = 0; shift < 32 && (b.size - 1) >> shift != 0; shift += 16) {
    const std::uint64_t most = (b.size - 1) >> shift;
    table<std::uint32_t> starts((most < 0xffff ? static_cast<std::size_t>(most) : 0xffff) + 2);
    const auto digit = [&](std::uint32_t r) {
      return static_cast<std::size_t>(b.offset(column[r]) >> shift & 0xffff);
    };
    for (const std::uint32_t r : rows) ++starts[digit(r) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const std::uint32_t r : rows) sorted[starts[digit(r)]++] = r;
    rows.swap(sorted);
  }
}

/// The numbers of the rows in lexicographic order of the listed columns.
constexpr table<std::uint32_t> sorted_rows(const relation& r, view<std::uint32_t> by) {
  table<std::uint32_t> rows(r.rows);
  for (std::uint32_t i = 0; i < r.rows; ++i) rows[i] = i;
  if (r.rows < 2) return rows;
  for (std::size_t c = by.size(); c-- > 0;) sort_by_column(rows, r.columns[by[c]]);
  return rows;
}

/// The numbers of the rows in lexicographic order of all positions.
constexpr table<std::uint32_t> sorted_rows(const relation& r) {
  table<std::uint32_t> all(r.rank);
  for (std::uint32_t c = 0; c < r.rank; ++c) all[c] = c;
  return sorted_rows(r, all);
}

/// A column in another order of rows.
template <class T>
constexpr table<T> reordered(view<T> column, view<std::uint32_t> rows) {
  table<T> out;
  out.reserve(rows.size());
  for (const std::uint32_t r : rows) out.push_back(column[r]);
  return out;
}

}  // namespace detail

/// True if the entries are in lexicographic order of their positions. O(rank · rows).
constexpr bool is_sorted(const relation& r) {
  for (std::size_t row = 1; row < r.rows; ++row) {
    std::uint32_t c = 0;
    while (c < r.rank && r.columns[c][row - 1] == r.columns[c][row]) ++c;
    if (c < r.rank && r.columns[c][row] < r.columns[c][row - 1]) return false;
  }
  return true;
}

/// True if the entries are those of a dense tensor of these extents, in row-major order.
/// O(rank · rows).
constexpr bool is_row_major(const relation& r, view<std::int64_t> extents) {
  std::uint64_t cells = r.rank == extents.size() ? 1 : 0;
  for (const std::int64_t e : extents) {
    if (e < 1 || cells > r.rows) return false;
    cells *= static_cast<std::uint64_t>(e);
  }
  if (cells != r.rows || cells == 0) return false;
  std::size_t repeats = 1;
  std::uint32_t differs = 0;
  for (std::size_t c = extents.size(); c-- > 0 && differs == 0;) {
    const position* at = r.columns[c].data();
    const position* const end = at + r.rows;
    const auto extent = static_cast<position>(extents[c]);
    while (at != end && differs == 0) {
      if (repeats == 1) {
        for (position p = 0; p < extent; ++p) differs |= static_cast<std::uint32_t>(at[p] ^ p);
        at += extent;
        continue;
      }
      for (position p = 0; p < extent; ++p, at += repeats)
        for (std::size_t i = 0; i < repeats; ++i) differs |= static_cast<std::uint32_t>(at[i] ^ p);
    }
    repeats *= static_cast<std::size_t>(extent);
  }
  return differs == 0;
}

/// Moves to the next position of a dense tensor in row-major order; from the last, to the first.
constexpr void next_position(view<std::int64_t> extents, position* at) {
  for (std::size_t c = extents.size(); c-- > 0;) {
    if (++at[c] < extents[c]) return;
    at[c] = 0;
  }
}

/// The same entries in lexicographic order of their positions. O(rank · rows).
constexpr relation sorted(const relation& r) {
  const table<std::uint32_t> order = detail::sorted_rows(r);
  relation out(r.rank, r.valued);
  out.rows = r.rows;
  for (std::uint32_t c = 0; c < r.rank; ++c)
    out.columns[c] = detail::reordered<position>(r.columns[c], order);
  if (r.valued) out.values = detail::reordered<double>(r.values, order);
  return out;
}

}  // namespace wf::logic
