// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <Eigen/Core>

// A matrix product whose operands are sums of matrices, added to several results, without
// temporaries: packing sums the operands, and each tile of the product goes to all results. Rows
// and columns may have arbitrary offsets, so that tensors need no transposition. The loops are
// those of K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008; sums
// in packing are from J. Huang et al., Strassen's algorithm reloaded, 2016; scattered rows and
// columns from D. Matthews, High-performance tensor contraction without transposition, 2018.
namespace wf::compute {

/// Positions of the rows or columns of a matrix: at a constant stride, or at offsets from a table.
struct matrix_axis {
  const Eigen::Index* offsets = nullptr;  ///< offset of each row or column; null: constant stride
  Eigen::Index step = 1;                  ///< stride in elements, if there are no offsets

  /// Offset of row or column i, in elements.
  Eigen::Index at(Eigen::Index i) const { return offsets != nullptr ? offsets[i] : i * step; }
  /// True if `count` of them from `first` on are contiguous.
  bool is_run(Eigen::Index first, Eigen::Index count) const {
    if (offsets == nullptr) return step == 1 || count <= 1;
    for (Eigen::Index i = 1; i < count; ++i)
      if (offsets[first + i] != offsets[first] + i) return false;
    return true;
  }
};

/// Maximum number of matrices in an operand's sum, and of results of a product.
inline constexpr std::size_t max_product_terms = 128;

/// A linear combination of matrices of equal strides, as an operand; or the results of a product,
/// with a factor each.
template <class Element>
struct matrix_sum {
  std::size_t terms = 0;                 ///< number of terms; entries beyond are not set
  Element* elements[max_product_terms];  ///< first element of each term
  /// Factor of each term.
  std::remove_const_t<Element> factors[max_product_terms];
  /// Number of rows of each term; missing rows count as zeros, and results are not written there.
  Eigen::Index heights[max_product_terms];
  Eigen::Index widths[max_product_terms];  ///< number of columns of each term, likewise
  matrix_axis rows;                        ///< row offsets, common to all terms
  matrix_axis columns;                     ///< column offsets, common to all terms

  /// Adds a term of `height` rows and `width` columns, in elements.
  void add(Element* first, std::remove_const_t<Element> factor, Eigen::Index height,
           Eigen::Index width) {
    elements[terms] = first;
    factors[terms] = factor;
    heights[terms] = height;
    widths[terms++] = width;
  }
};

namespace detail {

template <class Real>
using packet = typename Eigen::internal::packet_traits<Real>::type;
template <class Real>
inline constexpr Eigen::Index lanes = Eigen::internal::packet_traits<Real>::size;
// Tiles have as many packets and columns as registers allow: 24 of 32 registers hold sums, or 12 of
// 16, or 8 of 16 without a fused multiply-add, which needs a register for the product.
inline constexpr bool has_many_registers =
    Eigen::internal::gebp_traits<double, double>::NumberOfRegisters >= 32;
#ifdef EIGEN_HAS_SINGLE_INSTRUCTION_MADD
inline constexpr Eigen::Index tile_packets = 3;
#else
inline constexpr Eigen::Index tile_packets = has_many_registers ? 3 : 2;
#endif
template <class Real>
inline constexpr Eigen::Index tile_rows = tile_packets * lanes<Real>;
inline constexpr Eigen::Index tile_columns = has_many_registers ? 8 : 4;
// Panels of the left operand stay in the second cache, a sliver of the right one in the first.
// Blocks have nearly equal size, so that none is a small remainder.
constexpr Eigen::Index even_part(Eigen::Index all, Eigen::Index most, Eigen::Index step) {
  const Eigen::Index parts = (all + most - 1) / most;
  return parts <= 1 ? all : (all + parts * step - 1) / (parts * step) * step;
}
// A wide tile reads so few elements of the panel per column that the panel may come from the second
// cache, while the sliver stays in the first. Narrow tiles read both as fast as they compute: a few
// rows of the panel stay in the first cache for all columns.
inline constexpr bool keeps_rows = !has_many_registers;
// Prefetch distance in elements.
template <class Real>
inline constexpr Eigen::Index ahead = 16 * (tile_packets < 3 ? tile_columns : tile_rows<Real>);
inline constexpr Eigen::Index block_depth = keeps_rows ? 256 : 384;
template <class Real>
inline constexpr Eigen::Index block_rows =
    (keeps_rows ? 120 / tile_rows<Real> : 10) * tile_rows<Real>;
inline constexpr Eigen::Index block_columns = 8192, low_block_columns = 64;

// Packs rows of a sum of matrices, `Width` at a time, column after column; missing rows are zeros.
template <class Real, Eigen::Index Width>
class row_packing {
 public:
  // `turns`: the columns of the sum are packed as rows.
  row_packing(const matrix_sum<const Real>& of, bool turns)
      : elements_(of.elements),
        factors_(of.factors),
        heights_(turns ? of.widths : of.heights),
        widths_(turns ? of.heights : of.widths),
        terms_(of.terms),
        rows_(turns ? of.columns : of.rows),
        columns_(turns ? of.rows : of.columns),
        height_(*std::min_element(heights_, heights_ + terms_)),
        width_(*std::min_element(widths_, widths_ + terms_)) {}

  // Packs `rows` rows from `row` on, `depth` columns from `from` on.
  void pack(Real* to, Eigen::Index row, Eigen::Index rows, Eigen::Index from,
            Eigen::Index depth) const {
    // Contiguous columns are read whole.
    Eigen::Index done = 0;
    if (Width % lanes<Real> == 0 && from + depth <= width_) {
      const Eigen::Index whole = std::min(rows, height_ - row) / Width * Width;
      if (whole > Width && rows_.is_run(row, whole)) {
        for (Eigen::Index p = 0; p < depth; p += 4)
          for (Eigen::Index r = 0; r < whole; r += Width)
            pack_columns(to + r * depth + p * Width, row + r, from + p,
                         std::min<Eigen::Index>(4, depth - p));
        done = whole;
      }
    }
    for (; done < rows; done += Width) pack_panel(to + done * depth, row + done, from, depth);
  }

 private:
  void pack_panel(Real* to, Eigen::Index row, Eigen::Index from, Eigen::Index depth) const {
    Eigen::Index done = 0;
    if (Width % lanes<Real> == 0 && row + Width <= height_) {
      const Eigen::Index whole = std::max(Eigen::Index{0}, std::min(depth, width_ - from));
      if (rows_.is_run(row, Width)) {
        pack_columns(to, row, from, whole);
        done = whole;
      } else {
        for (; done + lanes<Real> <= whole && columns_.is_run(from + done, lanes<Real>);
             done += lanes<Real>)
          pack_square(to + done * Width, row, from + done);
      }
    }
    pack_elements(to + done * Width, row, from + done, depth - done);
  }
  void pack_columns(Real* to, Eigen::Index row, Eigen::Index from, Eigen::Index depth) const {
    using namespace Eigen::internal;
    const Eigen::Index first = rows_.at(row);
    for (Eigen::Index p = 0; p < depth; ++p, to += Width) {
      const Eigen::Index at = first + columns_.at(from + p);
      packet<Real> sum[Width / lanes<Real> == 0 ? 1 : Width / lanes<Real>];
      for (Eigen::Index v = 0; v < Width / lanes<Real>; ++v) {
        sum[v] = ploadu<packet<Real>>(elements_[0] + at + v * lanes<Real>);
        if (factors_[0] != Real(1)) sum[v] = pmul(sum[v], pset1<packet<Real>>(factors_[0]));
      }
      for (std::size_t t = 1; t < terms_; ++t)
        for (Eigen::Index v = 0; v < Width / lanes<Real>; ++v)
          sum[v] = pmadd(ploadu<packet<Real>>(elements_[t] + at + v * lanes<Real>),
                         pset1<packet<Real>>(factors_[t]), sum[v]);
      for (Eigen::Index v = 0; v < Width / lanes<Real>; ++v) pstoreu(to + v * lanes<Real>, sum[v]);
    }
  }
  // Packs `lanes` contiguous columns by transposing squares. Compilers warn that a vector type as a
  // template argument loses its alignment.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
  void pack_square(Real* to, Eigen::Index row, Eigen::Index from) const {
    using namespace Eigen::internal;
    const Eigen::Index first = columns_.at(from);
    for (Eigen::Index r = 0; r < Width; r += lanes<Real>) {
      PacketBlock<packet<Real>, lanes<Real>> square;
      for (Eigen::Index i = 0; i < lanes<Real>; ++i) {
        const Eigen::Index at = first + rows_.at(row + r + i);
        square.packet[i] =
            pmul(ploadu<packet<Real>>(elements_[0] + at), pset1<packet<Real>>(factors_[0]));
        for (std::size_t t = 1; t < terms_; ++t)
          square.packet[i] = pmadd(ploadu<packet<Real>>(elements_[t] + at),
                                   pset1<packet<Real>>(factors_[t]), square.packet[i]);
      }
      ptranspose(square);
      for (Eigen::Index i = 0; i < lanes<Real>; ++i) pstoreu(to + i * Width + r, square.packet[i]);
    }
  }
#pragma GCC diagnostic pop
  void pack_elements(Real* to, Eigen::Index row, Eigen::Index from, Eigen::Index depth) const {
    std::fill_n(to, depth * Width, Real(0));
    for (std::size_t t = 0; t < terms_; ++t) {
      const Eigen::Index rows = std::min(Width, heights_[t] - row);
      const Eigen::Index columns = std::min(depth, widths_[t] - from);
      for (Eigen::Index p = 0; p < columns; ++p) {
        const Real* const column = elements_[t] + columns_.at(from + p);
        for (Eigen::Index i = 0; i < rows; ++i)
          to[p * Width + i] += factors_[t] * column[rows_.at(row + i)];
      }
    }
  }

  const Real* const* elements_;
  const Real* factors_;
  const Eigen::Index* heights_;
  const Eigen::Index* widths_;
  std::size_t terms_;
  const matrix_axis& rows_;
  const matrix_axis& columns_;
  Eigen::Index height_, width_;  // of the smallest term
};

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

/// Elements of scratch storage that `fused_product` needs for an m×k by k×n product.
template <class Real>
constexpr std::int64_t fused_product_scratch(std::int64_t m, std::int64_t n, std::int64_t k) {
  using namespace detail;
  const auto up = [](std::int64_t x, std::int64_t to) { return (x + to - 1) / to * to; };
  const std::int64_t depth = std::min<std::int64_t>(k, block_depth);
  return depth * (up(std::min<std::int64_t>(m, block_rows<Real>), tile_rows<Real>) +
                  up(std::min<std::int64_t>(n, block_columns), tile_columns)) +
         16;
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
template <class Real>
class fused_product {
 public:
  /// Takes the extents of the product, in elements. Scratch storage: see `fused_product_scratch`.
  fused_product(Eigen::Index m, Eigen::Index n, Eigen::Index k, Real* scratch,
                product_part part = product_part::whole)
      : m_(m), n_(n), k_(k), part_(part) {
    const auto address = reinterpret_cast<std::uintptr_t>(scratch);
    panel_ = scratch + (64 - address % 64) % 64 / sizeof(Real);
    const Eigen::Index rows =
        (std::min(m, detail::block_rows<Real>) + detail::tile_rows<Real> - 1) /
        detail::tile_rows<Real> * detail::tile_rows<Real>;
    sliver_ = panel_ + rows * std::min(k, detail::block_depth);
  }

  /// Computes all results; `begin` is the matrix that the first result starts from, or null.
  void run(const matrix_sum<Real>& to, std::size_t fresh, const matrix_sum<const Real>& a,
           const matrix_sum<const Real>& b, const matrix_sum<const Real>* begin = nullptr) const {
    using namespace detail;
    if (k_ == 0) return clear(to, fresh, begin);
    const row_packing<Real, tile_rows<Real>> left(a, false);
    const row_packing<Real, tile_columns> right(b, true);
    const Eigen::Index most_depth = even_part(k_, block_depth, 8);
    const Eigen::Index most_rows = even_part(m_, block_rows<Real>, tile_rows<Real>);
    const bool is_low = m_ <= most_rows;
    const Eigen::Index most_columns = is_low ? low_block_columns : block_columns;
    const auto column_blocks = [&](auto compute) {
      for (Eigen::Index j = 0; j < n_; j += most_columns)
        compute(j, std::min(most_columns, n_ - j));
    };
    const auto depth_blocks = [&](auto compute) {
      for (Eigen::Index p = 0; p < k_; p += most_depth) compute(p, std::min(most_depth, k_ - p));
    };
    // The packed panel of a low matrix serves all columns, whose slivers stay in a near cache.
    if (is_low)
      return depth_blocks([&](Eigen::Index p, Eigen::Index depth) {
        left.pack(panel_, 0, m_, p, depth);
        column_blocks([&](Eigen::Index j, Eigen::Index columns) {
          right.pack(sliver_, j, columns, p, depth);
          multiply_block(to, p == 0 ? fresh : 0, begin, 0, m_, j, columns, depth);
        });
      });
    column_blocks([&](Eigen::Index j, Eigen::Index columns) {
      depth_blocks([&](Eigen::Index p, Eigen::Index depth) {
        right.pack(sliver_, j, columns, p, depth);
        for (Eigen::Index i = 0; i < m_; i += most_rows) {
          const Eigen::Index rows = std::min(most_rows, m_ - i);
          if (is_above(i + rows, j)) continue;
          left.pack(panel_, i, rows, p, depth);
          multiply_block(to, p == 0 ? fresh : 0, begin, i, rows, j, columns, depth);
        }
      });
    });
  }

 private:
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
                      const matrix_sum<const Real>* begin, Eigen::Index row, Eigen::Index rows,
                      Eigen::Index column, Eigen::Index columns, Eigen::Index depth) const {
    using namespace detail;
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
      multiply_tile(packets, depth, panel_ + i * depth, sliver_ + j * depth, sum);
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
  Real* panel_;
  Real* sliver_;
};

}  // namespace wf::compute
