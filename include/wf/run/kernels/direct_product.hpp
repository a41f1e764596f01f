// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <wf/run/kernels/fused_product.hpp>

// Products whose right operand fits in a cache: it is read in place, and so is a column-major left
// operand. Rows of other left operands are packed a few at a time, on the stack. For matrices this
// small, packing both would take a good part of the time of the product.
namespace wf::compute {

/// Read-only view of a matrix in any layout: element (i, j) is elements[i·down + j·right].
template <class Real>
struct stepped_matrix {
  const Real* elements = nullptr;  ///< element (0, 0)
  Eigen::Index down = 0;           ///< row stride in elements
  Eigen::Index right = 0;          ///< column stride in elements

  /// Address of element (i, j).
  const Real* at(Eigen::Index i, Eigen::Index j) const { return elements + i * down + j * right; }
};

/// out (+)= factor·a·b for an m×k matrix a and a k×n matrix b; `out` is column-major, with leading
/// dimension `stride`. With `product_part::lower` elements above the diagonal are unspecified.
/// `out` shares no element with the operands. Needs 72 KiB of stack with AVX-512. The current team
/// shares a large product by rows, each computed as by one thread.
template <class Real>
class direct_product {
 public:
  /// Takes the extents in elements; `adds`: the product is added to the result.
  direct_product(Eigen::Index m, Eigen::Index n, Eigen::Index k, bool adds, Real factor,
                 product_part part = product_part::whole)
      : m_(m), n_(n), k_(k), adds_(adds), factor_(factor), part_(part) {}

  /// Computes the product into `out`, whose columns are `stride` elements apart.
  void run(Real* out, Eigen::Index stride, const stepped_matrix<Real>& a,
           const stepped_matrix<Real>& b) const {
    using namespace detail;
    if (n_ == 0) return;
    if (k_ == 0) {
      for (Eigen::Index j = 0; j < n_ && !adds_; ++j) std::fill_n(out + j * stride, m_, Real(0));
      return;
    }
    const bool is_read_in_place = a.down == 1 && m_ >= lanes<Real> && lies_near(a.right);
    matrix_sum<const Real> whole;
    whole.rows.step = a.down, whole.columns.step = a.right;
    whole.add(a.elements, 1, m_, k_);
    const row_packing<Real, lanes<Real>> packing(whole, false);
    const std::size_t parts = product_parts(m_, n_, part_ == product_part::lower ? k_ / 2 : k_);
    if (parts == 1) return run_rows(0, m_, out, stride, a, b, packing, is_read_in_place);
    const auto work = part_ == product_part::lower ? work_shape::rising : work_shape::even;
    // One thread, too, begins a tile at each multiple of its rows but near the end.
    const Eigen::Index last = std::max(Eigen::Index{0}, m_ / tile_rows<Real> - 2) * tile_rows<Real>;
    const auto begin = [&](std::size_t part) {
      return part == parts ? m_
                           : std::min(last, part_begin(part, parts, m_, tile_rows<Real>, work));
    };
    team::current().each_part(parts, [&](std::size_t part) {
      run_rows(begin(part), begin(part + 1), out, stride, a, b, packing, is_read_in_place);
    });
  }

 private:
  using rows_packing = detail::row_packing<Real, detail::lanes<Real>>;

  void run_rows(Eigen::Index first, Eigen::Index end, Real* out, Eigen::Index stride,
                const stepped_matrix<Real>& a, const stepped_matrix<Real>& b,
                const rows_packing& packing, bool is_read_in_place) const {
    using namespace detail;
    alignas(64) Real panel[tile_rows<Real> * most_depth];
    for (Eigen::Index p = 0; p < k_; p += most_depth) {
      const Eigen::Index depth = std::min(most_depth, k_ - p);
      for (Eigen::Index i = first, height = 0; i < end; i += height) {
        height = height_of(m_ - i);
        rows_of_tile rows;
        rows.packets = (height + lanes<Real> - 1) / lanes<Real>;
        rows.last = m_ < lanes<Real> ? 0 : height - lanes<Real>;
        rows.begin = m_ < lanes<Real> ? 0 : rows.packets * lanes<Real> - height;
        rows.end = m_ < lanes<Real> ? m_ : lanes<Real>;
        if (is_read_in_place) {
          rows.left = {a.at(i, p), lanes<Real>, a.right};
          rows.left_last = rows.last;
        } else {
          for (Eigen::Index v = 0; v < rows.packets; ++v)
            packing.pack(panel + v * lanes<Real> * depth,
                         i + (v + 1 == rows.packets ? rows.last : v * lanes<Real>), lanes<Real>, p,
                         depth);
          rows.left = {panel, lanes<Real> * depth, lanes<Real>};
          rows.left_last = (rows.packets - 1) * lanes<Real> * depth;
        }
        run_panel(out, stride, rows, i, i + height, p, depth, b);
      }
    }
  }

  static constexpr Eigen::Index most_depth = 384;

  // Rows of the next tile, with `left` rows remaining: four packets are split two and two, since a
  // tile of one packet waits for its loads.
  static Eigen::Index height_of(Eigen::Index left) {
    using namespace detail;
    const Eigen::Index over = left - tile_rows<Real>;
    return over > lanes<Real> / 2 && over <= lanes<Real> ? tile_rows<Real> - lanes<Real>
                                                         : std::min(tile_rows<Real>, left);
  }

  // Columns at a power-of-two distance evict each other from the cache; columns more than a page
  // apart need an address translation each, for every few columns of the product.
  bool lies_near(Eigen::Index right) const {
    constexpr Eigen::Index page = 4096 / static_cast<Eigen::Index>(sizeof(Real)), few = 100;
    return right % page != 0 && (right < page || n_ < few);
  }

  // Packets of rows. The last one ends with the last row of the matrix, so it may repeat rows of
  // the one before, which are computed twice and stored once.
  struct rows_of_tile {
    Eigen::Index packets = 0;
    Eigen::Index last = 0;            // first row of the last packet
    Eigen::Index begin = 0, end = 0;  // its rows that are stored
    stepped_matrix<Real> left;        // `down` is from packet to packet
    Eigen::Index left_last = 0;       // offset of the last packet
  };

  void run_panel(Real* out, Eigen::Index stride, const rows_of_tile& rows, Eigen::Index row,
                 Eigen::Index end, Eigen::Index p, Eigen::Index depth,
                 const stepped_matrix<Real>& b) const {
    using namespace detail;
    const Eigen::Index columns = part_ == product_part::lower ? std::min(n_, end) : n_;
    const bool adds = adds_ || p > 0;
    Eigen::Index j = 0;
    const auto run = [&]<Eigen::Index Width>(std::integral_constant<Eigen::Index, Width>) {
      for (; j + Width <= columns; j += Width)
        with_packets(rows.packets, [&](auto packets) {
          run_tile(packets, first_indices<Width>(), out + row + j * stride, stride, rows, depth,
                   {b.at(p, j), b.down, b.right}, adds);
        });
    };
    run(std::integral_constant<Eigen::Index, tile_columns>());
    if constexpr (tile_columns > 4) run(std::integral_constant<Eigen::Index, 4>());
    run(std::integral_constant<Eigen::Index, 2>());
    run(std::integral_constant<Eigen::Index, 1>());
  }
  template <class Use>
  static void with_packets(Eigen::Index packets, Use use) {
    using namespace detail;
    if constexpr (tile_packets == 3)
      if (packets == 3) return use(first_indices<3>());
    if (packets == 2) return use(first_indices<2>());
    use(first_indices<1>());
  }

  // Not inlined: in its callers not all sums would have registers.
  template <Eigen::Index... V, Eigen::Index... J>
  __attribute__((noinline)) void run_tile(detail::indices<V...> packets,
                                          detail::indices<J...> columns, Real* to,
                                          Eigen::Index stride, const rows_of_tile& rows,
                                          Eigen::Index depth, const stepped_matrix<Real>& b,
                                          bool adds) const {
    using namespace Eigen::internal;
    using namespace detail;
    const packet<Real> factor = pset1<packet<Real>>(factor_);
    const bool is_plain = factor_ == Real(1), is_whole = rows.begin == 0 && rows.end == lanes<Real>;
    // Results beyond the caches are prefetched while the tile is computed.
    const auto fetch = [&](Real* column) {
      (__builtin_prefetch(column + V * lanes<Real>, 1), ...);
    };
    if (is_far_) (fetch(to + J * stride), ...);
    const auto store = [&](const auto& sum) __attribute__((always_inline)) {
      const auto put = [&](Real* at, const packet<Real>& value) __attribute__((always_inline)) {
        if (adds)
          pstoreu(at, pmadd(value, factor, ploadu<packet<Real>>(at)));
        else if (is_plain)
          pstoreu(at, value);
        else
          pstoreu(at, pmul(value, factor));
      };
      const auto put_some = [&](Real* at, const packet<Real>& value)
                                __attribute__((always_inline)) {
                                  Real elements[lanes<Real>];
                                  pstoreu(elements, pmul(value, factor));
                                  for (Eigen::Index i = rows.begin; i < rows.end; ++i)
                                    at[i] = adds ? at[i] + elements[i] : elements[i];
                                };
      const auto column = [&](Eigen::Index j) __attribute__((always_inline)) {
        Real* const at = to + j * stride;
        constexpr Eigen::Index last = sizeof...(V) - 1;
        ((V < last ? put(at + V * lanes<Real>, sum[V][j]) : void()), ...);
        if (is_whole)
          put(at + rows.last, sum[last][j]);
        else
          put_some(at + rows.last, sum[last][j]);
      };
      (column(J), ...);
    };
    compute_tile(packets, columns, depth, rows.left.elements, rows.left.down, rows.left_last,
                 rows.left.right, b.elements, b.down, b.right, store);
  }

  Eigen::Index m_, n_, k_;
  bool adds_;
  Real factor_;
  product_part part_;
  bool is_far_ = m_ * n_ > 65536;  // the result is larger than a cache
};

}  // namespace wf::compute
