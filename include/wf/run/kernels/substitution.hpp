// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <wf/run/kernels/fused_product.hpp>

// Triangular systems with many right-hand sides, on the tiles of products: a panel of right-hand
// sides is packed; for each of its tiles the product with the solved rows is subtracted, and the
// rest is solved in registers. Source: F. Van Zee, R. van de Geijn, BLIS: a framework for rapidly
// instantiating BLAS functionality, 2015 (the gemmtrsm kernel).
namespace wf::compute {

/// Triangular part of a matrix.
enum class triangle : std::uint8_t {
  lower,       ///< the diagonal and the elements below
  upper,       ///< the diagonal and the elements above
  unit_lower,  ///< the elements below an implicit unit diagonal
  unit_upper,  ///< the elements above an implicit unit diagonal
};

/// True for triangles above the diagonal.
constexpr bool is_upper(triangle kind) {
  return kind == triangle::upper || kind == triangle::unit_upper;
}
/// True for triangles with an implicit unit diagonal.
constexpr bool has_unit_diagonal(triangle kind) {
  return kind == triangle::unit_lower || kind == triangle::unit_upper;
}

/// Rows of the largest triangle that `substitution` solves: packed, it stays in the second cache.
inline constexpr Eigen::Index max_substitution = 256;
/// Rows of the smallest triangle for which `substitution` is fastest.
inline constexpr Eigen::Index min_substitution = 16;

/// Elements of scratch storage that `substitution` needs for a triangle of n rows, with a panel of
/// right-hand sides for each thread of the current team.
template <class Real>
std::int64_t substitution_scratch(std::int64_t n) {
  using namespace detail;
  const std::int64_t rows = std::min<std::int64_t>(n, max_substitution) + tile_columns;
  const auto panels = static_cast<std::int64_t>(team::current().size());
  return rows * rows / 2 + rows * (2 * tile_columns + panels * tile_rows<Real>)+16;
}

/// A packed triangle for repeated substitution; lives in the scratch storage. The current team
/// shares many right-hand sides, each solved as by one thread.
template <class Real>
class substitution {
 public:
  /// Packs the triangle T of an n×n matrix, n ≤ `max_substitution`, given as a sum of one term. Its
  /// diagonal must have no zero. Scratch storage: see `substitution_scratch`.
  substitution(triangle kind, Eigen::Index n, const matrix_sum<const Real>& t, Real* scratch)
      : kind_(kind), n_(n) {
    const auto address = reinterpret_cast<std::uintptr_t>(scratch);
    panels_ = scratch + (64 - address % 64) % 64 / sizeof(Real);
    slivers_ = panels_ + static_cast<Eigen::Index>(team::current().size()) * panel_size();
    pack(t);
  }

  /// X = T⁻¹·X for an n×m matrix X, given as a sum of one term.
  void run(const matrix_sum<Real>& x, Eigen::Index m) const { run(x, m, false); }
  /// The same for an n×n matrix X with the triangular shape of T, whose other elements stay zero.
  void run_triangle(const matrix_sum<Real>& x) const { run(x, n_, true); }

 private:
  void run(const matrix_sum<Real>& x, Eigen::Index m, bool is_triangle) const {
    using namespace detail;
    matrix_sum<const Real> from;
    from.rows = x.rows, from.columns = x.columns;
    from.add(x.elements[0], 1, n_, m);
    const row_packing<Real, tile_rows<Real>> packing(from, true);
    const std::size_t parts = product_parts(n_, m, n_ / 2);
    if (parts == 1) return run(x, packing, {0, m}, m, is_triangle, panels_);
    const work_shape work = !is_triangle ? work_shape::even
                            : is_upper() ? work_shape::rising
                                         : work_shape::falling;
    const auto begin = [&](std::size_t part) {
      return part_begin(part, parts, m, tile_rows<Real>, work);
    };
    team::current().each_part(parts, [&](std::size_t part) {
      run(x, packing, {begin(part), begin(part + 1)}, m, is_triangle,
          panels_ + static_cast<Eigen::Index>(part) * panel_size());
    });
  }
  struct columns {
    Eigen::Index first, end;
  };
  void run(const matrix_sum<Real>& x,
           const detail::row_packing<Real, detail::tile_rows<Real>>& packing, const columns& which,
           Eigen::Index m, bool is_triangle, Real* panel) const {
    using namespace detail;
    for (Eigen::Index first = which.first; first < which.end; first += tile_rows<Real>) {
      const Eigen::Index count = std::min(tile_rows<Real>, m - first);
      packing.pack(panel, first, count, 0, n_);
      std::fill_n(panel + n_ * tile_rows<Real>, (padded(n_) - n_) * tile_rows<Real>, Real(0));
      const Eigen::Index begin =
          is_triangle && !is_upper() ? first / tile_columns * tile_columns : 0;
      const Eigen::Index end = is_triangle && is_upper() ? padded(first + count) : padded(n_);
      solve_panel(panel, (count + lanes<Real> - 1) / lanes<Real>, begin, end);
      unpack(panel, x, first, count);
    }
  }
  Eigen::Index panel_size() const { return (n_ + detail::tile_columns) * detail::tile_rows<Real>; }
  static Eigen::Index padded(Eigen::Index rows) {
    return (rows + detail::tile_columns - 1) / detail::tile_columns * detail::tile_columns;
  }
  bool is_upper() const { return compute::is_upper(kind_); }
  // First column, and number of columns, of the solved part that rows from `row` on are multiplied
  // with.
  Eigen::Index known_from(Eigen::Index row) const {
    return is_upper() ? std::min(n_, row + detail::tile_columns) : 0;
  }
  Eigen::Index known(Eigen::Index row) const { return is_upper() ? n_ - known_from(row) : row; }
  // Size of a packed sliver of `columns` columns with its triangle by rows, whose diagonal is
  // inverted.
  static Eigen::Index size_of(Eigen::Index columns) {
    return (columns + detail::tile_columns) * detail::tile_columns;
  }

  void pack(const matrix_sum<const Real>& t) const {
    using namespace detail;
    const row_packing<Real, tile_columns> packing(t, false);
    Real* to = slivers_;
    for (Eigen::Index row = 0; row < n_; row += tile_columns) {
      packing.pack(to, row, tile_columns, known_from(row), known(row));
      pack_triangle(to + known(row) * tile_columns, t, row);
      to += size_of(known(row));
    }
  }
  void pack_triangle(Real* to, const matrix_sum<const Real>& t, Eigen::Index row) const {
    using namespace detail;
    for (Eigen::Index i = 0; i < tile_columns; ++i)
      for (Eigen::Index j = 0; j < tile_columns; ++j) {
        Real& at = to[i * tile_columns + j];
        const bool is_inside = row + i < n_ && row + j < n_;
        const auto element = [&] {
          return t.elements[0][t.rows.at(row + i) + t.columns.at(row + j)];
        };
        if (i == j)
          at = is_inside && !has_unit_diagonal(kind_) ? Real(1) / element() : Real(1);
        else
          at = is_inside && (i < j) == is_upper() ? element() : 0;
      }
  }

  // Rows before `begin` and from `end` on are zero; both are multiples of `tile_columns`.
  void solve_panel(Real* panel, Eigen::Index packets, Eigen::Index begin, Eigen::Index end) const {
    using namespace detail;
    const Real* at = slivers_;
    for (Eigen::Index row = 0; row < (is_upper() ? end : begin); row += tile_columns)
      at += size_of(known(row));
    for (Eigen::Index done = begin; done < end; done += tile_columns) {
      const Eigen::Index row = is_upper() ? begin + end - tile_columns - done : done;
      if (is_upper()) at -= size_of(known(row));
      const Eigen::Index first = std::max(known_from(row), begin);
      const Eigen::Index depth = std::min(known_from(row) + known(row), end) - first;
      packet<Real> sum[tile_packets * tile_columns];
      multiply_tile(packets, depth, panel + first * tile_rows<Real>,
                    at + (first - known_from(row)) * tile_columns, sum);
      solve_tile(packets, at + known(row) * tile_columns, panel + row * tile_rows<Real>, sum);
      if (!is_upper()) at += size_of(known(row));
    }
  }
  void solve_tile(Eigen::Index packets, const Real* t, Real* x,
                  const detail::packet<Real>* product) const {
    if constexpr (detail::tile_packets == 3)
      if (packets == 3) return solve_tile(detail::first_indices<3>(), t, x, product);
    if (packets == 2) return solve_tile(detail::first_indices<2>(), t, x, product);
    solve_tile(detail::first_indices<1>(), t, x, product);
  }
  // Solves a few rows for some packets of right-hand sides, after subtracting their product.
  template <Eigen::Index... V>
  void solve_tile(detail::indices<V...>, const Real* t, Real* x,
                  const detail::packet<Real>* product) const {
    using namespace Eigen::internal;
    using namespace detail;
    constexpr Eigen::Index rows = tile_columns, packets = sizeof...(V);
    packet<Real> left[rows][packets];
    for (Eigen::Index i = 0; i < rows; ++i)
      ((left[i][V] = psub(pload<packet<Real>>(x + i * tile_rows<Real> + V * lanes<Real>),
                          product[packets * i + V])),
       ...);
    const auto solve_row = [&](Eigen::Index i, Eigen::Index begin, Eigen::Index end) {
      const packet<Real> inverted = pset1<packet<Real>>(t[i * rows + i]);
      ((left[i][V] = pmul(left[i][V], inverted)), ...);
      for (Eigen::Index j = begin; j < end; ++j) {
        const packet<Real> factor = pset1<packet<Real>>(-t[j * rows + i]);
        ((left[j][V] = pmadd(left[i][V], factor, left[j][V])), ...);
      }
    };
    if (is_upper())
      for (Eigen::Index i = rows; i-- > 0;) solve_row(i, 0, i);
    else
      for (Eigen::Index i = 0; i < rows; ++i) solve_row(i, i + 1, rows);
    for (Eigen::Index i = 0; i < rows; ++i)
      (pstore(x + i * tile_rows<Real> + V * lanes<Real>, left[i][V]), ...);
  }

  void unpack(const Real* panel, const matrix_sum<Real>& x, Eigen::Index first,
              Eigen::Index count) const {
    using namespace detail;
    Eigen::Index row = 0;
    if (x.rows.is_run(0, n_))
      for (; row + lanes<Real> <= n_; row += lanes<Real>) unpack_rows(panel, x, row, first, count);
    const bool is_run = x.columns.is_run(first, count);
    for (; row < n_; ++row) {
      Real* const to = x.elements[0] + x.rows.at(row);
      const Real* const solved = panel + row * tile_rows<Real>;
      if (is_run)
        std::copy_n(solved, count, to + x.columns.at(first));
      else
        for (Eigen::Index j = 0; j < count; ++j) to[x.columns.at(first + j)] = solved[j];
    }
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
  // Unpacks contiguous rows by transposing squares.
  void unpack_rows(const Real* panel, const matrix_sum<Real>& x, Eigen::Index row,
                   Eigen::Index first, Eigen::Index count) const {
    using namespace Eigen::internal;
    using namespace detail;
    Real* const to = x.elements[0] + x.rows.at(row);
    for (Eigen::Index j = 0; j < count; j += lanes<Real>) {
      PacketBlock<packet<Real>, lanes<Real>> square;
      for (Eigen::Index i = 0; i < lanes<Real>; ++i)
        square.packet[i] = pload<packet<Real>>(panel + (row + i) * tile_rows<Real> + j);
      ptranspose(square);
      for (Eigen::Index i = 0; i < std::min(lanes<Real>, count - j); ++i)
        pstoreu(to + x.columns.at(first + j + i), square.packet[i]);
    }
  }
#pragma GCC diagnostic pop

  triangle kind_;
  Eigen::Index n_;
  Real* panels_;  // of each thread
  Real* slivers_;
};

}  // namespace wf::compute
