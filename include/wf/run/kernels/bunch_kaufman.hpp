// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <Eigen/Core>

#include <wf/run/kernels/pivot.hpp>
#include <wf/run/kernels/row_exchange.hpp>
#include <wf/run/values/scalar.hpp>
#include <wf/run/values/strided_matrix.hpp>

// Factors P·A·P' = L·D·L' of symmetric, possibly indefinite matrices, for both floating-point
// types: the panel factorisation, and solving with D. D has blocks of one or two rows, chosen by
// partial pivoting. Sources: J. Bunch, L. Kaufman, Some stable methods for calculating inertia and
// solving symmetric linear systems, 1977; by panels as in N. Higham, Accuracy and Stability of
// Numerical Algorithms, 2002, chapter 11, and LAPACK's sytrf; with the exchanges applied to all of
// L, as in its sytrf_rk.
namespace wf::compute {

namespace detail {

// y -= M·w for packets of rows, in registers.
template <class Scalar, Eigen::Index... V>
void subtract_columns(std::integer_sequence<Eigen::Index, V...>, Scalar* y, const Scalar* m,
                      Eigen::Index stride, const Scalar* w, Eigen::Index count) {
  using namespace Eigen::internal;
  using packet = typename packet_traits<Scalar>::type;
  constexpr Eigen::Index lanes = packet_traits<Scalar>::size;
  packet sum[] = {ploadu<packet>(y + V * lanes)...};
  for (Eigen::Index c = 0; c < count; ++c, m += stride) {
    const packet each = pset1<packet>(-w[c]);
    ((sum[V] = pmadd(ploadu<packet>(m + V * lanes), each, sum[V])), ...);
  }
  (pstoreu(y + V * lanes, sum[V]), ...);
}
// y -= M·w for a column-major matrix. The rows before and after the packets that are aligned to
// cache lines are computed in separate packets.
template <class Scalar>
void subtract_columns(Scalar* y, Eigen::Index rows, const Scalar* m, Eigen::Index stride,
                      const Scalar* w, Eigen::Index count) {
  constexpr Eigen::Index lanes = Eigen::internal::packet_traits<Scalar>::size;
  constexpr Eigen::Index many = 8, some = 4;
  constexpr std::make_integer_sequence<Eigen::Index, 1> one;
  if (rows < lanes) {
    for (Eigen::Index c = 0; c < count; ++c)
      for (Eigen::Index i = 0; i < rows; ++i) y[i] -= m[c * stride + i] * w[c];
    return;
  }
  Scalar head[lanes], tail[lanes];
  std::copy_n(y, lanes, head);
  std::copy_n(y + rows - lanes, lanes, tail);
  subtract_columns(one, head, m, stride, w, count);
  subtract_columns(one, tail, m + rows - lanes, stride, w, count);
  const auto beyond = reinterpret_cast<std::uintptr_t>(m) / sizeof(Scalar) % lanes;
  Eigen::Index i = beyond == 0 ? 0 : lanes - static_cast<Eigen::Index>(beyond);
  for (; i + many * lanes <= rows; i += many * lanes)
    subtract_columns(std::make_integer_sequence<Eigen::Index, many>(), y + i, m + i, stride, w,
                     count);
  for (; i + some * lanes <= rows; i += some * lanes)
    subtract_columns(std::make_integer_sequence<Eigen::Index, some>(), y + i, m + i, stride, w,
                     count);
  for (; i + lanes <= rows; i += lanes) subtract_columns(one, y + i, m + i, stride, w, count);
  std::copy_n(head, lanes, y);
  std::copy_n(tail, lanes, y + rows - lanes);
}

// Largest magnitude among some elements and its index; 0 at 0 if there are none.
template <class Magnitude>
struct largest_element {
  Magnitude magnitude = 0;
  Eigen::Index at = 0;

  void consider(Magnitude value, Eigen::Index place) {
    if (value > magnitude) magnitude = value, at = place;
  }
};
// Scans leading elements by packets; returns their number.
template <class Scalar>
Eigen::Index find_largest_by_packets(largest_element<Scalar>& out, const Scalar* x,
                                     Eigen::Index count) {
  using namespace Eigen::internal;
  using packet = typename packet_traits<Scalar>::type;
  constexpr Eigen::Index lanes = packet_traits<Scalar>::size;
  Eigen::Index i = 0;
  if (count >= 2 * lanes) {
    packet largest[2] = {pset1<packet>(Scalar(0)), pset1<packet>(Scalar(0))},
           place[2] = {largest[0], largest[0]};
    packet number = plset<packet>(Scalar(0));
    for (; i + 2 * lanes <= count; i += 2 * lanes)
      for (Eigen::Index v = 0; v < 2; ++v) {
        const packet size = pabs(ploadu<packet>(x + i + v * lanes));
        place[v] = pselect(pcmp_lt(largest[v], size), number, place[v]);
        largest[v] = pmax(largest[v], size);
        number = padd(number, pset1<packet>(static_cast<Scalar>(lanes)));
      }
    for (Eigen::Index v = 0; v < 2; ++v) {
      Scalar sizes[lanes], places[lanes];
      pstoreu(sizes, largest[v]), pstoreu(places, place[v]);
      for (Eigen::Index l = 0; l < lanes; ++l)
        out.consider(sizes[l], static_cast<Eigen::Index>(places[l]));
    }
  }
  return i;
}
template <class Scalar>
largest_element<magnitude_of<Scalar>> find_largest(const Scalar* x, Eigen::Index count) {
  largest_element<magnitude_of<Scalar>> out;
  Eigen::Index i = 0;
  if constexpr (!is_complex_scalar<Scalar>) i = find_largest_by_packets(out, x, count);
  for (; i < count; ++i) out.consider(std::abs(x[i]), i);
  return out;
}

// A symmetric 2x2 matrix.
template <class Scalar>
struct symmetric_block {
  Scalar first = 0, beside = 0, second = 0;

  // For a block of D, whose off-diagonal element is the largest: the quotients are at most one in
  // magnitude, and the determinant is not small. Source: LAPACK's lasyf.
  symmetric_block inverse() const {
    const Scalar a = first / beside, b = second / beside,
                 scale = Scalar(1) / (a * b - Scalar(1)) / beside;
    return {b * scale, -scale, a * scale};
  }
};

// The first columns of P·A·P' = L·D·L' of a symmetric matrix.
template <class Scalar>
class symmetric_panel {
 public:
  // Takes the lower triangle of `a`, column-major; `w` has the rows of `a`, and one column more
  // than are factorised. `rows` receives the exchange of each row and column; `factors` holds as
  // many elements as columns are factorised.
  symmetric_panel(const strided_matrix<Scalar>& a, const strided_matrix<Scalar>& w, Scalar* rows,
                  Scalar* factors)
      : a_(a), w_(w), rows_(rows), factors_(factors) {}

  // Factorises `width` columns, or one more if the last block has two. Returns their number. `w`
  // then holds L·D of these columns.
  Eigen::Index run(Eigen::Index width) {
    Eigen::Index k = 0;
    while (k < width) k += step(k);
    return k;
  }

 private:
  using vector_map = Eigen::Map<Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;
  using const_vector_map = Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, 1>>;

  // Copies column `of` of the residual after k columns to column `to` of w.
  void take(Eigen::Index k, Eigen::Index of, Eigen::Index to) {
    Scalar* const column = w_.run(to);
    for (Eigen::Index j = k; j < of; ++j) column[j] = a_(of, j);
    std::copy(a_.run(of) + of, a_.run(of) + a_.rows, column + of);
    for (Eigen::Index c = 0; c < k; ++c) factors_[c] = w_(of, c);
    subtract_columns(column + k, a_.rows - k, a_.elements + k, a_.stride, factors_, k);
  }
  // Factorises the next block, of one or two rows. Returns its size.
  Eigen::Index step(Eigen::Index k) {
    // α = (1 + √17)/8 balances the element growth of one 2x2 block and of two 1x1 blocks.
    constexpr auto alpha = static_cast<magnitude_of<Scalar>>(0.6403882032022076);
    const Eigen::Index n = a_.rows;
    take(k, k, k);
    const Scalar* const first = w_.run(k);
    const auto diagonal = std::abs(first[k]);
    const auto below = find_largest(first + k + 1, n - k - 1);
    if (!(diagonal < alpha * below.magnitude)) return finish_one(k, k);
    const Eigen::Index other = k + 1 + below.at;
    take(k, other, k + 1);
    const Scalar* const second = w_.run(k + 1);
    const auto beside = std::max(find_largest(second + k, other - k).magnitude,
                                 find_largest(second + other + 1, n - other - 1).magnitude);
    if (diagonal >= alpha * below.magnitude * (below.magnitude / beside)) return finish_one(k, k);
    if (!(std::abs(second[other]) >= alpha * beside)) return finish_two(k, other);
    std::copy(second + k, second + n, w_.run(k) + k);
    return finish_one(k, other);
  }
  // Exchanges row and column `with` of the residual with row and column k, whose elements `w`
  // holds.
  void exchange(Eigen::Index k, Eigen::Index with) {
    rows_[k] = as_element<Scalar>(with);
    if (k == with) return;
    a_(with, with) = a_(k, k);
    for (Eigen::Index j = k + 1; j < with; ++j) a_(with, j) = a_(j, k);
    std::copy(a_.run(k) + with + 1, a_.run(k) + a_.rows, a_.run(with) + with + 1);
    for (Eigen::Index c = 0; c < k; ++c) std::swap(a_(k, c), a_(with, c));
    for (Eigen::Index c = 0; c <= k; ++c) std::swap(w_(k, c), w_(with, c));
  }
  Eigen::Index finish_one(Eigen::Index k, Eigen::Index with) {
    exchange(k, with);
    const Eigen::Index below = a_.rows - k - 1;
    const const_vector_map column(w_.run(k) + k + 1, below);
    vector_map to(a_.run(k) + k + 1, below);
    const Scalar pivot = w_(k, k), inverse = Scalar(1) / pivot;
    a_(k, k) = pivot;
    if (pivot == Scalar(0))
      to = column;  // zeros
    else if (std::isnormal(std::abs(inverse)))
      to = inverse * column;
    else
      to = column / pivot;
    if (below > 0) a_(k, k + 1) = 0;
    return 1;
  }
  Eigen::Index finish_two(Eigen::Index k, Eigen::Index with) {
    rows_[k] = as_element<Scalar>(k);
    exchange(k + 1, with);
    const Eigen::Index below = a_.rows - k - 2;
    const const_vector_map first(w_.run(k) + k + 2, below), second(w_.run(k + 1) + k + 2, below);
    const symmetric_block<Scalar> d{w_(k, k), w_(k + 1, k), w_(k + 1, k + 1)};
    const symmetric_block<Scalar> inverse = d.inverse();
    vector_map(a_.run(k) + k + 2, below) = inverse.first * first + inverse.beside * second;
    vector_map(a_.run(k + 1) + k + 2, below) = inverse.beside * first + inverse.second * second;
    a_(k, k) = d.first;
    a_(k + 1, k) = 0;
    a_(k, k + 1) = d.beside;
    a_(k + 1, k + 1) = d.second;
    if (below > 0) a_(k + 1, k + 2) = 0;
    return 2;
  }

  strided_matrix<Scalar> a_, w_;
  Scalar *rows_, *factors_;
};

}  // namespace detail

/// D⁻¹ from the factors P·A·P' = L·D·L' in one matrix, which holds the diagonal of D on its own
/// diagonal and the off-diagonal elements of D right of it, zero outside blocks of two rows. Writes
/// the diagonal of D⁻¹, and its off-diagonal elements to `beside`. False if `is_pivot` rejects a
/// pivot and its row. The pivots of a block of two rows are those of elimination with exchanges.
template <class Factors, class Scalar, class IsPivot>
bool invert_blocks(const Factors& factors, Eigen::Index n, Scalar* diagonal, Scalar* beside,
                   IsPivot is_pivot) {
  for (Eigen::Index k = 0; k < n; ++k) {
    const Scalar next = k + 1 < n ? factors(k, k + 1) : Scalar(0);
    beside[k] = 0;
    if (next == Scalar(0)) {
      if (!is_pivot(factors(k, k), k)) return false;
      diagonal[k] = Scalar(1) / factors(k, k);
      continue;
    }
    const detail::symmetric_block<Scalar> d{factors(k, k), next, factors(k + 1, k + 1)};
    if (!is_pivot(next, k) || !is_pivot(d.first / next * d.second - next, k + 1)) return false;
    const detail::symmetric_block<Scalar> inverse = d.inverse();
    diagonal[k] = inverse.first;
    beside[k] = inverse.beside;
    diagonal[++k] = inverse.second;
    beside[k] = 0;
  }
  return true;
}

/// The same for factors of A; false if a pivot is not above the rounding error of zero: see
/// `detail::is_pivot`. `place` maps rows to rows of A, `magnitudes` holds the largest magnitude in
/// each row of A.
template <class Element, class Scalar>
bool invert_blocks(const strided_matrix<Element>& factors, const Scalar* place,
                   const Scalar* magnitudes, Scalar* diagonal, Scalar* beside) {
  const Eigen::Index n = factors.rows;
  return invert_blocks(factors, n, diagonal, beside, [&](Scalar pivot, Eigen::Index k) {
    return detail::is_pivot(std::abs(pivot), real_part(magnitudes[index_of(place[k])]), n);
  });
}

/// The same for factors that are given: false if a pivot is zero.
template <class Factors, class Scalar>
bool invert_blocks(const Factors& factors, Eigen::Index n, Scalar* diagonal, Scalar* beside) {
  return invert_blocks(factors, n, diagonal, beside,
                       [](Scalar pivot, Eigen::Index) { return pivot != Scalar(0); });
}

namespace detail {

// x = D⁻¹·x for a column of n > 0 elements, without a branch per block.
template <class Scalar>
void multiply_blocks(Scalar* x, const Scalar* diagonal, const Scalar* beside, Eigen::Index n) {
  using namespace Eigen::internal;
  using packet = typename packet_traits<Scalar>::type;
  constexpr Eigen::Index lanes = packet_traits<Scalar>::size;
  Scalar above = x[0];
  x[0] = diagonal[0] * above + (n > 1 ? beside[0] * x[1] : Scalar(0));
  Eigen::Index k = 1;
  if (n > lanes + 1) {
    Scalar first[lanes];
    first[0] = above;
    std::copy_n(x + 1, lanes - 1, first + 1);
    packet before = ploadu<packet>(first);
    for (; k + lanes < n; k += lanes) {
      packet sum = pmul(ploadu<packet>(diagonal + k), ploadu<packet>(x + k));
      sum = pmadd(ploadu<packet>(beside + k), ploadu<packet>(x + k + 1), sum);
      sum = pmadd(ploadu<packet>(beside + k - 1), before, sum);
      above = x[k + lanes - 1];
      if (k + 2 * lanes < n) before = ploadu<packet>(x + k + lanes - 1);
      pstoreu(x + k, sum);
    }
  }
  for (; k < n; ++k) {
    const Scalar here = x[k];
    x[k] =
        diagonal[k] * here + beside[k - 1] * above + (k + 1 < n ? beside[k] * x[k + 1] : Scalar(0));
    above = here;
  }
}

}  // namespace detail

/// x = D⁻¹·x, with the output of `invert_blocks`.
template <class Scalar>
void multiply_blocks(const strided_matrix<Scalar>& x, const Scalar* diagonal,
                     const Scalar* beside) {
  const Eigen::Index n = x.rows;
  if (n == 0) return;
  if (!x.by_columns) {
    for (Eigen::Index k = 0; k < n; ++k) {
      Scalar* const row = x.run(k);
      const Scalar first = diagonal[k], both = beside[k];
      if (both == Scalar(0)) {
        for (Eigen::Index j = 0; j < x.columns; ++j) row[j] *= first;
        continue;
      }
      Scalar* const next = x.run(++k);
      const Scalar second = diagonal[k];
      for (Eigen::Index j = 0; j < x.columns; ++j) {
        const Scalar above = row[j];
        row[j] = first * above + both * next[j];
        next[j] = both * above + second * next[j];
      }
    }
    return;
  }
  for (Eigen::Index j = 0; j < x.columns; ++j)
    detail::multiply_blocks(x.run(j), diagonal, beside, n);
}

/// Largest magnitude in each row of a symmetric column-major matrix, of which the lower triangle is
/// read.
template <class Scalar, class Element>
void symmetric_magnitudes(Scalar* out, const strided_matrix<Element>& a) {
  using column_array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
  std::fill_n(out, a.rows, Scalar(0));
  for (Eigen::Index j = 0; j < a.columns; ++j) {
    const Eigen::Map<const column_array> below(a.run(j) + j, a.rows - j);
    const auto column = below.abs();
    Eigen::Map<column_array> rows(out + j, a.rows - j);
    const auto largest = column.maxCoeff();
    rows = rows.abs().max(column).template cast<Scalar>();
    out[j] = std::max(real_part(out[j]), largest);
  }
}

/// Where a symmetric factorisation leaves what solving needs; n elements each.
template <class Scalar>
struct symmetric_parts {
  Scalar* exchanges = nullptr;   ///< the row and column that each was exchanged with, in order
  Scalar* place = nullptr;       ///< the same permutation: the row of A that each row was
  Scalar* magnitudes = nullptr;  ///< largest magnitude in each row of A
  Scalar* diagonal = nullptr;    ///< diagonal of D⁻¹
  Scalar* beside = nullptr;      ///< off-diagonal elements of D⁻¹
};

/// Factorises the lower triangle of a column-major symmetric matrix in place, and inverts D; false
/// if the matrix is singular to rounding. `factorise(a, exchanges)` makes the factors: as one
/// panel, or by panels with products in between.
template <class Scalar, class Factorise>
bool factorise_regular_symmetric(const strided_matrix<Scalar>& a,
                                 const symmetric_parts<Scalar>& parts, Factorise factorise) {
  symmetric_magnitudes(parts.magnitudes, a);
  factorise(a, parts.exchanges);
  follow_exchanges(parts.place, parts.exchanges, a.rows);
  return invert_blocks(a, parts.place, parts.magnitudes, parts.diagonal, parts.beside);
}

}  // namespace wf::compute
