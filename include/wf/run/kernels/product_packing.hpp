// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Eigen/Core>

// The operands of matrix products as linear combinations of matrices, and their packing in the
// order in which the loops of a product read them.
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

// The vector in which elements of so many rows are packed: if they are fewer than a packet, a half
// or quarter of one. Compilers warn that a vector type as a template argument loses its alignment.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
template <class Real, Eigen::Index Width>
struct packing_piece : Eigen::internal::packet_traits<Real> {};
template <std::floating_point Real, Eigen::Index Width>
struct packing_piece<Real, Width> : Eigen::internal::find_best_packet<Real, int(Width)> {};
#pragma GCC diagnostic pop

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
    if (Width % side == 0 && from + depth <= width_) {
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
  using piece = typename packing_piece<Real, Width>::type;
  static constexpr Eigen::Index side = Eigen::internal::unpacket_traits<piece>::size;

  void pack_panel(Real* to, Eigen::Index row, Eigen::Index from, Eigen::Index depth) const {
    Eigen::Index done = 0;
    if (Width % side == 0 && row + Width <= height_) {
      const Eigen::Index whole = std::max(Eigen::Index{0}, std::min(depth, width_ - from));
      if (rows_.is_run(row, Width)) {
        pack_columns(to, row, from, whole);
        done = whole;
      } else {
        for (; done + side <= whole && columns_.is_run(from + done, side); done += side)
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
      piece sum[Width / side == 0 ? 1 : Width / side];
      for (Eigen::Index v = 0; v < Width / side; ++v) {
        sum[v] = ploadu<piece>(elements_[0] + at + v * side);
        if (factors_[0] != Real(1)) sum[v] = pmul(sum[v], pset1<piece>(factors_[0]));
      }
      for (std::size_t t = 1; t < terms_; ++t)
        for (Eigen::Index v = 0; v < Width / side; ++v)
          sum[v] =
              pmadd(ploadu<piece>(elements_[t] + at + v * side), pset1<piece>(factors_[t]), sum[v]);
      for (Eigen::Index v = 0; v < Width / side; ++v) pstoreu(to + v * side, sum[v]);
    }
  }
  // Packs `side` contiguous columns by transposing squares. Compilers warn that a vector type as a
  // template argument loses its alignment.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"
  void pack_square(Real* to, Eigen::Index row, Eigen::Index from) const {
    using namespace Eigen::internal;
    const Eigen::Index first = columns_.at(from);
    for (Eigen::Index r = 0; r < Width; r += side) {
      PacketBlock<piece, side> square;
      for (Eigen::Index i = 0; i < side; ++i) {
        const Eigen::Index at = first + rows_.at(row + r + i);
        square.packet[i] = pmul(ploadu<piece>(elements_[0] + at), pset1<piece>(factors_[0]));
        for (std::size_t t = 1; t < terms_; ++t)
          square.packet[i] =
              pmadd(ploadu<piece>(elements_[t] + at), pset1<piece>(factors_[t]), square.packet[i]);
      }
      ptranspose(square);
      for (Eigen::Index i = 0; i < side; ++i) pstoreu(to + i * Width + r, square.packet[i]);
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

}  // namespace detail

}  // namespace wf::compute
