// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <wf/run/kernels.hpp>
#include <wf/run/matrix.hpp>

// Factors P·A·P' = L·D·L' of symmetric matrices that need not be definite: half of the arithmetic
// of LU. D has blocks of one or two rows, chosen by partial pivoting. Sources: J. Bunch, L.
// Kaufman, Some stable methods for calculating inertia and solving symmetric linear systems, 1977;
// by panels as in N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 11, and
// LAPACK's sytrf; with the exchanges carried out in all of L, as in its sytrf_rk.
namespace wf::compute {

namespace detail {

// What M·w leaves of y, for packets of rows of M in registers.
template <Eigen::Index... V>
inline void subtract_columns(indices<V...>, double* y, const double* m, Eigen::Index stride,
                             const double* w, Eigen::Index count) {
  using namespace Eigen::internal;
  packet sum[] = {ploadu<packet>(y + V * lanes)...};
  for (Eigen::Index c = 0; c < count; ++c, m += stride) {
    const packet each = pset1<packet>(-w[c]);
    ((sum[V] = pmadd(ploadu<packet>(m + V * lanes), each, sum[V])), ...);
  }
  (pstoreu(y + V * lanes, sum[V]), ...);
}
// y -= M·w for a matrix by columns. What lies beyond whole packets that do not cross lines of a
// cache is computed in packets of its own, at both ends.
inline void subtract_columns(double* y, Eigen::Index rows, const double* m, Eigen::Index stride,
                             const double* w, Eigen::Index count) {
  if (rows < lanes) {
    for (Eigen::Index c = 0; c < count; ++c)
      for (Eigen::Index i = 0; i < rows; ++i) y[i] -= m[c * stride + i] * w[c];
    return;
  }
  double head[lanes], tail[lanes];
  std::copy_n(y, lanes, head);
  std::copy_n(y + rows - lanes, lanes, tail);
  subtract_columns(first_indices<1>(), head, m, stride, w, count);
  subtract_columns(first_indices<1>(), tail, m + rows - lanes, stride, w, count);
  constexpr Eigen::Index many = 8, some = 4;
  const auto beyond = reinterpret_cast<std::uintptr_t>(m) / sizeof(double) % lanes;
  Eigen::Index i = beyond == 0 ? 0 : lanes - static_cast<Eigen::Index>(beyond);
  for (; i + many * lanes <= rows; i += many * lanes)
    subtract_columns(first_indices<many>(), y + i, m + i, stride, w, count);
  for (; i + some * lanes <= rows; i += some * lanes)
    subtract_columns(first_indices<some>(), y + i, m + i, stride, w, count);
  for (; i + lanes <= rows; i += lanes)
    subtract_columns(first_indices<1>(), y + i, m + i, stride, w, count);
  std::copy_n(head, lanes, y);
  std::copy_n(tail, lanes, y + rows - lanes);
}

// The largest magnitude among some elements, and where it is; of none, 0 at 0.
struct largest_element {
  double magnitude = 0;
  Eigen::Index at = 0;

  void consider(double value, Eigen::Index place) {
    if (value > magnitude) magnitude = value, at = place;
  }
};
inline largest_element find_largest(const double* x, Eigen::Index count) {
  using namespace Eigen::internal;
  largest_element out;
  Eigen::Index i = 0;
  if (count >= 2 * lanes) {
    packet largest[2] = {pset1<packet>(0.0), pset1<packet>(0.0)},
           place[2] = {largest[0], largest[0]};
    packet number = plset<packet>(0.0);
    for (; i + 2 * lanes <= count; i += 2 * lanes)
      for (Eigen::Index v = 0; v < 2; ++v) {
        const packet size = pabs(ploadu<packet>(x + i + v * lanes));
        place[v] = pselect(pcmp_lt(largest[v], size), number, place[v]);
        largest[v] = pmax(largest[v], size);
        number = padd(number, pset1<packet>(static_cast<double>(lanes)));
      }
    for (Eigen::Index v = 0; v < 2; ++v) {
      double sizes[lanes], places[lanes];
      pstoreu(sizes, largest[v]), pstoreu(places, place[v]);
      for (Eigen::Index l = 0; l < lanes; ++l)
        out.consider(sizes[l], static_cast<Eigen::Index>(places[l]));
    }
  }
  for (; i < count; ++i) out.consider(std::abs(x[i]), i);
  return out;
}

// A symmetric matrix of two rows.
struct symmetric_block {
  double first = 0, beside = 0, second = 0;

  // Where `beside` is the largest, as in a block of D: what it multiplies is at most one, and the
  // determinant is not small. Source: LAPACK's lasyf.
  symmetric_block inverse() const {
    const double a = first / beside, b = second / beside, scale = 1 / (a * b - 1) / beside;
    return {b * scale, -scale, a * scale};
  }
};

// The first columns of P·A·P' = L·D·L' of a symmetric matrix.
class symmetric_panel {
 public:
  static constexpr Eigen::Index max_width = 64;

  // Of the lower triangle of `a`, which lies by columns; `w` has its rows, and a column more than
  // are factorised. For the exchanges see `factorise_symmetric`.
  symmetric_panel(const matrix_ref& a, const matrix_ref& w, double* rows)
      : a_(a), w_(w), rows_(rows) {}

  // Factorises `width` columns, up to `max_width`, or one more where the last block has two.
  // Returns how many. In `w` is their L·D then.
  Eigen::Index run(Eigen::Index width) {
    Eigen::Index k = 0;
    while (k < width) k += step(k);
    return k;
  }

 private:
  // Column `of` of what the first k columns leave becomes column `to` of w.
  void take(Eigen::Index k, Eigen::Index of, Eigen::Index to) {
    double* const column = w_.run(to);
    for (Eigen::Index j = k; j < of; ++j) column[j] = a_(of, j);
    std::copy(a_.run(of) + of, a_.run(of) + a_.rows, column + of);
    for (Eigen::Index c = 0; c < k; ++c) factors_[c] = w_(of, c);
    subtract_columns(column + k, a_.rows - k, a_.elements + k, a_.stride, factors_, k);
  }
  // Finds the next block, of one row or two. Returns how many.
  Eigen::Index step(Eigen::Index k) {
    // By which elements grow as much in a block of two rows as in two of one: (1 + √17)/8.
    constexpr double alpha = 0.6403882032022076;
    const Eigen::Index n = a_.rows;
    take(k, k, k);
    const double* const first = w_.run(k);
    const double diagonal = std::abs(first[k]);
    const largest_element below = find_largest(first + k + 1, n - k - 1);
    if (!(diagonal < alpha * below.magnitude)) return finish_one(k, k);
    const Eigen::Index other = k + 1 + below.at;
    take(k, other, k + 1);
    const double* const second = w_.run(k + 1);
    const double beside = std::max(find_largest(second + k, other - k).magnitude,
                                   find_largest(second + other + 1, n - other - 1).magnitude);
    if (diagonal >= alpha * below.magnitude * (below.magnitude / beside)) return finish_one(k, k);
    if (!(std::abs(second[other]) >= alpha * beside)) return finish_two(k, other);
    std::copy(second + k, second + n, w_.run(k) + k);
    return finish_one(k, other);
  }
  // Row and column `with` change places with row and column k of what is left, of which `w` has the
  // elements already.
  void exchange(Eigen::Index k, Eigen::Index with) {
    rows_[k] = static_cast<double>(with);
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
    const double pivot = w_(k, k), inverse = 1 / pivot;
    a_(k, k) = pivot;
    if (pivot == 0)
      to = column;  // zeros
    else if (std::isnormal(inverse))
      to = inverse * column;
    else
      to = column / pivot;
    if (below > 0) a_(k, k + 1) = 0;
    return 1;
  }
  Eigen::Index finish_two(Eigen::Index k, Eigen::Index with) {
    rows_[k] = static_cast<double>(k);
    exchange(k + 1, with);
    const Eigen::Index below = a_.rows - k - 2;
    const const_vector_map first(w_.run(k) + k + 2, below), second(w_.run(k + 1) + k + 2, below);
    const symmetric_block d{w_(k, k), w_(k + 1, k), w_(k + 1, k + 1)};
    const symmetric_block inverse = d.inverse();
    vector_map(a_.run(k) + k + 2, below) = inverse.first * first + inverse.beside * second;
    vector_map(a_.run(k + 1) + k + 2, below) = inverse.beside * first + inverse.second * second;
    a_(k, k) = d.first;
    a_(k + 1, k) = 0;
    a_(k, k + 1) = d.beside;
    a_(k + 1, k + 1) = d.second;
    if (below > 0) a_(k + 1, k + 2) = 0;
    return 2;
  }

  matrix_ref a_, w_;
  double* rows_;
  double factors_[max_width];  // of a row
};

// How many columns are factorised before what is left is updated: more where that is not in a
// cache. Measured with AVX-512.
constexpr std::int64_t symmetric_panel_width(std::int64_t n) {
  return n < 600 ? 32 : n < 1200 ? 48 : 64;
}
// From a column to the next one, so that they lie alike in the lines of a cache. A power of two
// apart they would push each other out of it.
constexpr std::int64_t aligned_stride(std::int64_t n) {
  const std::int64_t whole = (n + 7) / 8 * 8;
  return whole % 128 == 0 ? whole + 8 : whole;
}

}  // namespace detail

/// How many elements of scratch storage `factorise_symmetric` needs for n rows.
constexpr std::int64_t factorise_symmetric_scratch(std::int64_t n) {
  const std::int64_t width = detail::symmetric_panel_width(n);
  return detail::aligned_stride(n) * (width + 1) + multiply_fused_scratch(n, n, width + 1);
}

/// The factors of P·A·P' = L·D·L' in place of the lower triangle of a symmetric matrix by columns:
/// L below the diagonal, its unit diagonal not stored; D's diagonal on the diagonal, and right of
/// it what D has beside its diagonal, zeros but for blocks of two rows. What is above that becomes
/// anything. In `rows` the row and column that each was exchanged with, in order. A matrix of any
/// rank has factors. n³/3 flops to leading order. Scratch storage: `factorise_symmetric_scratch`.
inline void factorise_symmetric(const matrix_ref& a, double* rows, double* scratch) {
  const Eigen::Index n = a.rows, stride = detail::aligned_stride(n);
  double* const rest = scratch + stride * (detail::symmetric_panel_width(n) + 1);
  for (Eigen::Index done = 0; done < n;) {
    const Eigen::Index left = n - done;
    const Eigen::Index width = std::min<Eigen::Index>(detail::symmetric_panel_width(left), left);
    const matrix_ref w{scratch, left, width + 1, stride, true};
    const matrix_ref all = a.block(done, done, left, left);
    const Eigen::Index made = detail::symmetric_panel(all, w, rows + done).run(width);
    exchange_rows(a.block(done, 0, left, done), rows + done, made);
    for (Eigen::Index i = done; i < done + made; ++i) rows[i] += static_cast<double>(done);
    const matrix_view factor = all.block(made, 0, left - made, made);
    const matrix_view times = matrix_view(w.block(made, 0, left - made, made)).transposed();
    subtract_symmetric(all.block(made, made, left - made, left - made), factor, times, rest);
    done += made;
  }
}

/// D⁻¹ of what `factorise_symmetric` made: its diagonal, and what is beside it, to the right of
/// each row. False if a pivot is not more than what rounding leaves of zero: see
/// `detail::is_pivot`. A block of two rows has the pivots that elimination with exchanges finds.
/// `place` names the row of A that each row is, `magnitudes` the largest in each of A's rows.
inline bool invert_blocks(const matrix_view& factors, const double* place, const double* magnitudes,
                          double* diagonal, double* beside) {
  const Eigen::Index n = factors.rows;
  const auto is_pivot = [&](double pivot, Eigen::Index k) {
    return detail::is_pivot(std::abs(pivot), magnitudes[static_cast<Eigen::Index>(place[k])], n);
  };
  for (Eigen::Index k = 0; k < n; ++k) {
    const double next = k + 1 < n ? factors(k, k + 1) : 0;
    beside[k] = 0;
    if (next == 0) {
      if (!is_pivot(factors(k, k), k)) return false;
      diagonal[k] = 1 / factors(k, k);
      continue;
    }
    const detail::symmetric_block d{factors(k, k), next, factors(k + 1, k + 1)};
    if (!is_pivot(next, k) || !is_pivot(d.first / next * d.second - next, k + 1)) return false;
    const detail::symmetric_block inverse = d.inverse();
    diagonal[k] = inverse.first;
    beside[k] = inverse.beside;
    diagonal[++k] = inverse.second;
    beside[k] = 0;
  }
  return true;
}

namespace detail {

// The same for a column of n > 0 elements, without a branch for each block.
inline void multiply_blocks(double* x, const double* diagonal, const double* beside,
                            Eigen::Index n) {
  using namespace Eigen::internal;
  double above = x[0];
  x[0] = diagonal[0] * above + (n > 1 ? beside[0] * x[1] : 0);
  Eigen::Index k = 1;
  if (n > lanes + 1) {
    double first[lanes];
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
    const double here = x[k];
    x[k] = diagonal[k] * here + beside[k - 1] * above + (k + 1 < n ? beside[k] * x[k + 1] : 0);
    above = here;
  }
}

}  // namespace detail

/// x = D⁻¹·x, as `invert_blocks` made it.
inline void multiply_blocks(const matrix_ref& x, const double* diagonal, const double* beside) {
  const Eigen::Index n = x.rows;
  if (n == 0) return;
  if (!x.by_columns) {
    for (Eigen::Index k = 0; k < n; ++k) {
      double* const row = x.run(k);
      const double first = diagonal[k], both = beside[k];
      if (both == 0) {
        for (Eigen::Index j = 0; j < x.columns; ++j) row[j] *= first;
        continue;
      }
      double* const next = x.run(++k);
      const double second = diagonal[k];
      for (Eigen::Index j = 0; j < x.columns; ++j) {
        const double above = row[j];
        row[j] = first * above + both * next[j];
        next[j] = both * above + second * next[j];
      }
    }
    return;
  }
  for (Eigen::Index j = 0; j < x.columns; ++j)
    detail::multiply_blocks(x.run(j), diagonal, beside, n);
}

/// The largest magnitude in each row of a symmetric matrix by columns, whose lower triangle is
/// read.
inline void symmetric_magnitudes(double* out, const matrix_view& a) {
  std::fill_n(out, a.rows, 0.0);
  for (Eigen::Index j = 0; j < a.columns; ++j) {
    const auto column = detail::const_vector_map(a.run(j) + j, a.rows - j).array().abs();
    detail::vector_map rows(out + j, a.rows - j);
    const double largest = column.maxCoeff();
    rows.array() = rows.array().max(column);
    out[j] = std::max(out[j], largest);
  }
}

}  // namespace wf::compute
