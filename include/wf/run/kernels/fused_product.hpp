// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/product_packing.hpp>
#include <wf/run/parallel/team.hpp>

// A matrix product whose operands are sums of matrices, added to several results, without
// temporaries: packing sums the operands, and each tile of the product goes to all results. Rows
// and columns may have arbitrary offsets, so that tensors need no transposition. The loops are
// those of K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008; sums
// in packing are from J. Huang et al., Strassen's algorithm reloaded, 2016; scattered rows and
// columns from D. Matthews, High-performance tensor contraction without transposition, 2018.
namespace wf::compute {

namespace detail {

template <Eigen::Index... I>
using indices = std::integer_sequence<Eigen::Index, I...>;
template <Eigen::Index N>
using first_indices = std::make_integer_sequence<Eigen::Index, N>;

// Computes a tile of a product in registers and passes it to `finish`. Packets of rows are
// `packet_step` apart, the last one at offset `last`. `a_right` is the column stride of the left
// operand, `b_down` and `b_right` the row and column strides of the right one: numbers, or
// constants for operands packed by `row_packing`, which are prefetched.
template <Eigen::Index... V, Eigen::Index... J, class Real, class Step, class Right, class Down,
          class Across, class Finish>
__attribute__((always_inline)) inline void compute_tile(indices<V...>, indices<J...>,
                                                        Eigen::Index depth, const Real* a,
                                                        Step packet_step, Step last, Right a_right,
                                                        const Real* b, Down b_down, Across b_right,
                                                        Finish finish) {
  using namespace Eigen::internal;
  constexpr Eigen::Index packets = sizeof...(V), columns = sizeof...(J);
  packet<Real> sum[packets][columns];
  const auto start = [&](packet<Real>* row) __attribute__((always_inline)) {
    ((row[J] = pset1<packet<Real>>(Real(0))), ...);
  };
  (start(sum[V]), ...);
  const Eigen::Index at[] = {(V + 1 == packets ? last : V * packet_step)...};
#ifndef EIGEN_HAS_SINGLE_INSTRUCTION_MADD
#pragma GCC unroll 4
#endif
  for (Eigen::Index p = 0; p < depth; ++p, a += a_right, b += b_down) {
    if constexpr (!std::is_same_v<Right, Eigen::Index>) {
      if constexpr (tile_packets < 3)
        __builtin_prefetch(b + ahead<Real>);
      else
        (__builtin_prefetch(a + ahead<Real> + V * lanes<Real>), ...);
    }
    const packet<Real> x[] = {ploadu<packet<Real>>(a + at[V])...};
    const auto column = [&](Eigen::Index j) __attribute__((always_inline)) {
      const packet<Real> each = pset1<packet<Real>>(b[j * b_right]);
      ((sum[V][j] = pmadd(x[V], each, sum[V][j])), ...);
    };
    (column(J), ...);
  }
  finish(sum);
}
// The same for a packed panel and a packed sliver, column after column into `out`.
template <Eigen::Index... V, Eigen::Index... J, class Real>
void multiply_tile(indices<V...> rows, indices<J...> columns, Eigen::Index depth, const Real* a,
                   const Real* b, std::type_identity_t<packet<Real>>* out) {
  using std::integral_constant;
  constexpr Eigen::Index packets = sizeof...(V);
  const auto store = [&](const auto& sum) __attribute__((always_inline)) {
    const auto column = [&](Eigen::Index j) __attribute__((always_inline)) {
      ((out[packets * j + V] = sum[V][j]), ...);
    };
    (column(J), ...);
  };
  compute_tile(rows, columns, depth, a, lanes<Real>, (packets - 1) * lanes<Real>,
               integral_constant<Eigen::Index, tile_rows<Real>>(), b,
               integral_constant<Eigen::Index, sizeof...(J)>(),
               integral_constant<Eigen::Index, 1>(), store);
}
// The same for a number of packets known at run time.
template <class Real>
void multiply_tile(Eigen::Index packets, Eigen::Index depth, const Real* a, const Real* b,
                   std::type_identity_t<packet<Real>>* out) {
  constexpr first_indices<tile_columns> columns;
  if constexpr (tile_packets == 3)
    if (packets == 3) return multiply_tile(first_indices<3>(), columns, depth, a, b, out);
  if (packets == 2) return multiply_tile(first_indices<2>(), columns, depth, a, b, out);
  multiply_tile(first_indices<1>(), columns, depth, a, b, out);
}

}  // namespace detail

namespace detail {

// Least number of multiplications of a product that several threads share: about 70 µs of work.
// Another thread takes 20 µs to begin if it sleeps, and to wake it costs 5 µs.
inline constexpr double least_shared_product = 2.5e6;

// Number of parts of an m×k by k×n product for the current team.
inline std::size_t product_parts(std::int64_t m, std::int64_t n, std::int64_t k) {
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return work < least_shared_product ? 1 : team::current().size();
}

// Elements of scratch storage that one thread needs for it.
template <class Real>
constexpr std::int64_t one_product_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto up = [](std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; };
  const std::int64_t depth = std::min<std::int64_t>(k, block_depth);
  return depth * (up(std::min<std::int64_t>(m, block_rows<Real>), tile_rows<Real>) +
                  up(std::min<std::int64_t>(n, block_columns), tile_columns)) +
         16;
}

}  // namespace detail

/// Elements of scratch storage that `fused_product` needs for an m×k by k×n product: of each thread
/// of the current team, if the product is large enough to be shared.
template <class Real>
std::int64_t fused_product_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  return detail::one_product_scratch<Real>(m, n, k) *
         static_cast<std::int64_t>(detail::product_parts(m, n, k));
}

/// The part of a product that is computed.
enum class product_part : std::uint8_t {
  whole,  ///< all elements
  lower,  ///< the diagonal and below; elements above are unspecified
};

/// to_i (+)= f_i · (Σ a)·(Σ b) for all results i of an m×k by k×n product: the first `fresh` ones
/// are overwritten, the others added to. Fastest if the rows of the results are contiguous. The
/// results share no element with operands or each other. The first result, if fresh, may start from
/// another matrix instead of zero: a sum of one term with factor 1 and the size of the result.
///
/// The current team shares a large product by columns or rows. Parts begin at tiles of the whole
/// product, so each element is computed as by one thread.
template <class Real>
class fused_product {
 public:
  /// Takes the extents of the product, in elements. Scratch storage: see `fused_product_scratch`.
  fused_product(Eigen::Index m, Eigen::Index n, Eigen::Index k, Real* scratch,
                product_part part = product_part::whole)
      : m_(m),
        n_(n),
        k_(k),
        part_(part),
        parts_(detail::product_parts(m, n, part == product_part::lower ? k / 2 : k)),
        scratch_(scratch),
        scratch_size_(detail::one_product_scratch<Real>(m, n, k)) {}

  /// Computes all results; `begin` is the matrix that the first result starts from, or null.
  void run(const matrix_sum<Real>& to, std::size_t fresh, const matrix_sum<const Real>& a,
           const matrix_sum<const Real>& b, const matrix_sum<const Real>* begin = nullptr) const {
    using namespace detail;
    if (k_ == 0) return clear(to, fresh, begin);
    const packed p{to, fresh, begin, row_packing<Real, tile_rows<Real>>(a, false),
                   row_packing<Real, tile_columns>(b, true)};
    if (parts_ == 1) return run(p, {0, m_, 0, n_}, buffers_of(0));
    team::current().each_part(parts_, [&](std::size_t i) {
      const range r = range_of(i);
      if (r.row < r.end_row && r.column < r.end_column) run(p, r, buffers_of(i));
    });
  }

 private:
  // The results, and the packing of the operands.
  struct packed {
    const matrix_sum<Real>& to;
    std::size_t fresh;
    const matrix_sum<const Real>* begin;
    detail::row_packing<Real, detail::tile_rows<Real>> left;
    detail::row_packing<Real, detail::tile_columns> right;
  };
  // Rows and columns of the result.
  struct range {
    Eigen::Index row, end_row, column, end_column;
  };
  // Storage for packing: a panel of the left operand and a sliver of the right one.
  struct buffers {
    Real* panel;
    Real* sliver;
  };

  buffers buffers_of(std::size_t part) const {
    Real* const own = scratch_ + static_cast<Eigen::Index>(part) * scratch_size_;
    const auto address = reinterpret_cast<std::uintptr_t>(own);
    Real* const panel = own + (64 - address % 64) % 64 / sizeof(Real);
    const Eigen::Index rows =
        (std::min(m_, detail::block_rows<Real>) + detail::tile_rows<Real> - 1) /
        detail::tile_rows<Real> * detail::tile_rows<Real>;
    return {panel, panel + rows * std::min(k_, detail::block_depth)};
  }
  // Columns if there are more of them, otherwise rows; of a lower part columns of equal area.
  range range_of(std::size_t part) const {
    const bool is_lower = part_ == product_part::lower;
    const auto begin = [&](std::size_t i, Eigen::Index all, Eigen::Index tile) {
      return detail::part_begin(i, parts_, all, tile,
                                is_lower ? detail::work_shape::falling : detail::work_shape::even);
    };
    constexpr Eigen::Index wide = detail::tile_columns, high = detail::tile_rows<Real>;
    if (n_ >= m_ || is_lower) return {0, m_, begin(part, n_, wide), begin(part + 1, n_, wide)};
    return {begin(part, m_, high), begin(part + 1, m_, high), 0, n_};
  }

  // Computes a range of the results.
  void run(const packed& all, const range& r, const buffers& space) const {
    using namespace detail;
    const Eigen::Index m = r.end_row - r.row;
    const Eigen::Index most_depth = even_part(k_, block_depth, 8);
    const Eigen::Index most_rows = even_part(m, block_rows<Real>, tile_rows<Real>);
    const bool is_low = m <= most_rows;
    const Eigen::Index most_columns = is_low ? low_block_columns : block_columns;
    const auto column_blocks = [&](auto compute) {
      for (Eigen::Index j = r.column; j < r.end_column; j += most_columns)
        compute(j, std::min(most_columns, r.end_column - j));
    };
    const auto depth_blocks = [&](auto compute) {
      for (Eigen::Index p = 0; p < k_; p += most_depth) compute(p, std::min(most_depth, k_ - p));
    };
    const auto multiply = [&](const range& block, Eigen::Index p, Eigen::Index depth) {
      multiply_block(all.to, p == 0 ? all.fresh : 0, all.begin, block, depth, space);
    };
    // The packed panel of a low matrix serves all columns, whose slivers stay in a near cache.
    if (is_low)
      return depth_blocks([&](Eigen::Index p, Eigen::Index depth) {
        all.left.pack(space.panel, r.row, m, p, depth);
        column_blocks([&](Eigen::Index j, Eigen::Index columns) {
          all.right.pack(space.sliver, j, columns, p, depth);
          multiply({r.row, r.end_row, j, j + columns}, p, depth);
        });
      });
    column_blocks([&](Eigen::Index j, Eigen::Index columns) {
      depth_blocks([&](Eigen::Index p, Eigen::Index depth) {
        all.right.pack(space.sliver, j, columns, p, depth);
        for (Eigen::Index i = r.row; i < r.end_row; i += most_rows) {
          const Eigen::Index rows = std::min(most_rows, r.end_row - i);
          if (is_above(i + rows, j)) continue;
          all.left.pack(space.panel, i, rows, p, depth);
          multiply({i, i + rows, j, j + columns}, p, depth);
        }
      });
    });
  }

  void clear(const matrix_sum<Real>& to, std::size_t fresh,
             const matrix_sum<const Real>* begin) const {
    for (std::size_t t = 0; t < fresh; ++t)
      for (Eigen::Index j = 0; j < n_; ++j)
        for (Eigen::Index i = 0; i < m_; ++i)
          if (i < to.heights[t] && j < to.widths[t])
            to.elements[t][to.rows.at(i) + to.columns.at(j)] =
                t == 0 && begin != nullptr ? first_of(*begin, i, j) : Real(0);
  }
  static Real first_of(const matrix_sum<const Real>& begin, Eigen::Index i, Eigen::Index j) {
    return begin.elements[0][begin.rows.at(i) + begin.columns.at(j)];
  }
  // True if all rows before `end` and columns from `column` on lie above the computed part.
  bool is_above(Eigen::Index end, Eigen::Index column) const {
    return part_ == product_part::lower && end <= column;
  }
  void multiply_block(const matrix_sum<Real>& to, std::size_t fresh,
                      const matrix_sum<const Real>* begin, const range& block, Eigen::Index depth,
                      const buffers& space) const {
    using namespace detail;
    const Eigen::Index row = block.row, rows = block.end_row - row;
    const Eigen::Index column = block.column, columns = block.end_column - column;
    const Eigen::Index least_height = *std::min_element(to.heights, to.heights + to.terms);
    const Eigen::Index least_width = *std::min_element(to.widths, to.widths + to.terms);
    const auto tile = [&](Eigen::Index i, Eigen::Index j) {
      const Eigen::Index height = std::min(tile_rows<Real>, rows - i);
      const Eigen::Index width = std::min(tile_columns, columns - j);
      if (is_above(row + i + height, column + j)) return;
      const Eigen::Index packets = (height + lanes<Real> - 1) / lanes<Real>;
      const bool is_whole = height == packets * lanes<Real> && row + i + height <= least_height &&
                            column + j + width <= least_width && to.rows.is_run(row + i, height) &&
                            (begin == nullptr || begin->rows.is_run(row + i, height));
      if (is_whole) prefetch(to, begin, row + i, packets, column + j, width);
      packet<Real> sum[tile_packets * tile_columns];
      multiply_tile(packets, depth, space.panel + i * depth, space.sliver + j * depth, sum);
      if (is_whole)
        store_packets(to, fresh, begin, row + i, packets, column + j, width, sum);
      else
        store_elements(to, fresh, begin, row + i, height, column + j, width, sum);
    };
    if constexpr (keeps_rows) {
      for (Eigen::Index i = 0; i < rows; i += tile_rows<Real>)
        for (Eigen::Index j = 0; j < columns; j += tile_columns) tile(i, j);
    } else {
      for (Eigen::Index j = 0; j < columns; j += tile_columns)
        for (Eigen::Index i = 0; i < rows; i += tile_rows<Real>) tile(i, j);
    }
  }
  // Prefetches the results that a tile is added to while it is computed.
  static void prefetch(const matrix_sum<Real>& to, const matrix_sum<const Real>* begin,
                       Eigen::Index row, Eigen::Index packets, Eigen::Index column,
                       Eigen::Index width) {
    const std::size_t terms = std::min<std::size_t>(to.terms, 4);
    for (std::size_t t = 0; t < terms; ++t)
      for (Eigen::Index j = 0; j < width; ++j) {
        const Real* const at = to.elements[t] + to.rows.at(row) + to.columns.at(column + j);
        for (Eigen::Index v = 0; v < packets; ++v)
          __builtin_prefetch(at + v * detail::lanes<Real>, 1);
      }
    for (Eigen::Index j = 0; j < width && begin != nullptr; ++j) {
      const Real* const at =
          begin->elements[0] + begin->rows.at(row) + begin->columns.at(column + j);
      for (Eigen::Index v = 0; v < packets; ++v) __builtin_prefetch(at + v * detail::lanes<Real>);
    }
  }
  void store_packets(const matrix_sum<Real>& to, std::size_t fresh,
                     const matrix_sum<const Real>* begin, Eigen::Index row, Eigen::Index packets,
                     Eigen::Index column, Eigen::Index width,
                     const detail::packet<Real>* sum) const {
    using namespace Eigen::internal;
    using namespace detail;
    const Eigen::Index first = to.rows.at(row);
    for (std::size_t t = 0; t < to.terms; ++t) {
      const packet<Real> factor = pset1<packet<Real>>(to.factors[t]);
      const bool begins = t == 0 && fresh > 0 && begin != nullptr;
      for (Eigen::Index j = 0; j < width; ++j) {
        Real* const at = to.elements[t] + first + to.columns.at(column + j);
        const Real* const from =
            begins ? begin->elements[0] + begin->rows.at(row) + begin->columns.at(column + j) : at;
        for (Eigen::Index v = 0; v < packets; ++v) {
          const packet<Real> each = sum[packets * j + v];
          pstoreu(at + v * lanes<Real>,
                  t < fresh && !begins
                      ? pmul(each, factor)
                      : pmadd(each, factor, ploadu<packet<Real>>(from + v * lanes<Real>)));
        }
      }
    }
  }
  void store_elements(const matrix_sum<Real>& to, std::size_t fresh,
                      const matrix_sum<const Real>* begin, Eigen::Index row, Eigen::Index height,
                      Eigen::Index column, Eigen::Index width,
                      const detail::packet<Real>* sum) const {
    using namespace detail;
    Real tile[tile_rows<Real> * tile_columns];
    const Eigen::Index stride = (height + lanes<Real> - 1) / lanes<Real> * lanes<Real>;
    for (Eigen::Index v = 0; v < stride / lanes<Real> * width; ++v)
      Eigen::internal::pstoreu(tile + v * lanes<Real>, sum[v]);
    for (std::size_t t = 0; t < to.terms; ++t)
      for (Eigen::Index j = 0; j < std::min(width, to.widths[t] - column); ++j)
        for (Eigen::Index i = 0; i < std::min(height, to.heights[t] - row); ++i) {
          Real& at = to.elements[t][to.rows.at(row + i) + to.columns.at(column + j)];
          const Real value = to.factors[t] * tile[j * stride + i];
          if (t >= fresh)
            at += value;
          else
            at = t == 0 && begin != nullptr ? first_of(*begin, row + i, column + j) + value : value;
        }
  }

  Eigen::Index m_, n_, k_;
  product_part part_;
  std::size_t parts_;
  Real* scratch_;
  Eigen::Index scratch_size_;  // of one part
};

}  // namespace wf::compute
