// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <wf/run/kernels/matrix_copy.hpp>
#include <wf/run/kernels/matrix_map.hpp>
#include <wf/run/kernels/matrix_product.hpp>
#include <wf/run/values/scalar.hpp>

// QR factorisation in place, without heap memory.
namespace wf::compute {

/// Reduces the first columns of a matrix to an upper triangle by Householder reflections
/// I - τ·v·v', one per column; the product of a panel of them is I - V·T·V', which is applied by
/// matrix products. Sources: R. Schreiber, C. Van Loan, A storage-efficient WY representation for
/// products of Householder transformations, 1989; recursively within a panel: E. Elmroth, F.
/// Gustavson, Applying recursion to serial and parallel QR factorization leads to better
/// performance, 2000.
template <class Real>
class reflections {
 public:
  /// Elements of scratch storage to reflect the first `count` columns of a matrix of `rows` rows,
  /// and to apply the reflections to matrices of at most `columns` columns.
  static std::int64_t scratch(std::int64_t rows, std::int64_t count, std::int64_t columns) {
    const std::int64_t wide = std::max(columns, count), few = std::min<std::int64_t>(count, panel);
    return few * count + few * rows + 2 * few * wide +
           std::max(product_scratch<Real>(few, wide, rows), product_scratch<Real>(rows, wide, few));
  }

  /// Factorises in place a column-major matrix of at least `count` rows: Q'·A, whose first `count`
  /// columns hold the upper triangle R and, below it, the vectors of the reflections without their
  /// leading ones. The diagonal of R may be negative or zero. `columns` and the size of the scratch
  /// storage are those of `scratch`.
  reflections(const matrix_ref<Real>& a, Eigen::Index count, Eigen::Index columns, Real* scratch)
      : a_(a), count_(count), wide_(std::max(columns, count)) {
    const Eigen::Index few = std::min(count, panel);
    triangles_ = scratch;
    vectors_ = triangles_ + few * count;
    work_ = vectors_ + few * a.rows;
    rest_ = work_ + 2 * few * wide_;
    for (Eigen::Index k = 0; k < count; k += panel) {
      const Eigen::Index next = std::min(panel, count - k);
      const matrix_ref<Real> part = a.block(k, k, a.rows - k, a.columns - k);
      const matrix_ref<Real> v = columns_at(vectors_, part.rows, next), t = triangle_at(k);
      factorise(part.block(0, 0, part.rows, next), v, t);
      reflect(v, t.transposed(), part.block(0, next, part.rows, part.columns - next));
    }
  }

  /// q = the first `count` columns of Q; q is column-major.
  void orthogonal_factor(const matrix_ref<Real>& q) const {
    fill(q, 0);
    for (Eigen::Index i = 0; i < count_; ++i) q(i, i) = 1;
    for (Eigen::Index k = (count_ + panel - 1) / panel * panel; k > 0;) {
      k -= panel;
      const Eigen::Index next = std::min(panel, count_ - k), rows = a_.rows - k;
      const matrix_ref<Real> v = columns_at(vectors_, rows, next);
      copy(v, a_.block(k, k, rows, next));
      for (Eigen::Index j = 0; j < next; ++j) start_vector(v, j);
      reflect(v, triangle_at(k), q.block(k, k, rows, count_ - k));
    }
  }

 private:
  static constexpr Eigen::Index panel = 64, few = 16;

  // T of the panel from column k on.
  matrix_ref<Real> triangle_at(Eigen::Index k) const {
    const Eigen::Index next = std::min(panel, count_ - k), stride = std::min(panel, count_);
    return {triangles_ + k * stride, next, next, stride, true};
  }
  // Writes the zeros and the leading one of a reflection's vector.
  static void start_vector(const matrix_ref<Real>& v, Eigen::Index j) {
    std::fill_n(v.run(j), j, Real(0));
    v(j, j) = 1;
  }

  // c = (I - V·T·V')·c.
  void reflect(const matrix_view<Real>& v, const matrix_view<Real>& t,
               const matrix_ref<Real>& c) const {
    if (v.columns == 1) {
      const detail::const_vector_map<Real> vector(v.elements, v.rows);
      for (Eigen::Index j = 0; j < c.columns; ++j) {
        detail::vector_map<Real> column(c.run(j), c.rows);
        column -= t(0, 0) * vector.dot(column) * vector;
      }
      return;
    }
    if (c.columns == 0) return;
    const matrix_ref<Real> inner = columns_at(work_, v.columns, c.columns);
    const matrix_ref<Real> scaled = columns_at(work_ + v.columns * wide_, v.columns, c.columns);
    project(inner, v, c);
    multiply(scaled, t, inner, rest_);
    if (detail::is_packed<Real>(c, v, rest_)) return add_product(c, -1, v, scaled, rest_);
    each_part(v, [&](Eigen::Index i, Eigen::Index rows) {
      add_product(c.block(i, 0, rows, c.columns), -1, v.block(i, 0, rows, v.columns), scaled,
                  rest_);
    });
  }
  // out = V'·c.
  void project(const matrix_ref<Real>& out, const matrix_view<Real>& v,
               const matrix_view<Real>& c) const {
    if (detail::is_inner(v.transposed(), c) || detail::is_packed<Real>(out, v.transposed(), rest_))
      return multiply(out, v.transposed(), c, rest_);
    fill(out, 0);
    each_part(v, [&](Eigen::Index i, Eigen::Index rows) {
      add_product(out, 1, v.block(i, 0, rows, v.columns).transposed(),
                  c.block(i, 0, rows, c.columns), rest_);
    });
  }
  // Calls f(first row, rows) for parts that Eigen can pack on the stack.
  template <class F>
  static void each_part(const matrix_view<Real>& v, F f) {
    constexpr Eigen::Index part = 128;
    for (Eigen::Index i = 0; i < v.rows;) {  // no part is a single row, which Eigen would copy
      const Eigen::Index left = v.rows - i, next = left <= part + 1 ? left : part;
      f(i, next);
      i += next;
    }
  }

  // Factorises a panel: its vectors and T.
  void factorise(const matrix_ref<Real>& a, const matrix_ref<Real>& v,
                 const matrix_ref<Real>& t) const {
    const Eigen::Index n = a.columns;
    if (n <= few) return factorise_columns(a, v, t);
    const Eigen::Index half = (n / 2 + few - 1) / few * few, rest = n - half;
    const matrix_ref<Real> left = v.block(0, 0, v.rows, half);
    const matrix_ref<Real> right = v.block(half, half, v.rows - half, rest);
    const matrix_ref<Real> first = t.block(0, 0, half, half),
                           last = t.block(half, half, rest, rest);
    factorise(a.block(0, 0, a.rows, half), left, first);
    reflect(left, first.transposed(), a.block(0, half, a.rows, rest));
    factorise(a.block(half, half, a.rows - half, rest), right, last);
    fill(v.block(0, half, half, rest), 0);
    // The off-diagonal block of T: -T₁·(V₁'·V₂)·T₂.
    const matrix_ref<Real> between = t.block(0, half, half, rest);
    const matrix_ref<Real> inner = columns_at(work_, half, rest);
    const matrix_ref<Real> scaled = columns_at(work_ + half * rest, half, rest);
    project(inner, left.block(half, 0, right.rows, half), right);
    multiply(scaled, first, inner, rest_);
    fill(between, 0);
    add_product(between, -1, scaled, last, rest_);
    fill(t.block(half, 0, rest, half), 0);
  }
  static void factorise_columns(const matrix_ref<Real>& a, const matrix_ref<Real>& v,
                                const matrix_ref<Real>& t) {
    Real sums[few];
    for (Eigen::Index k = 0; k < a.columns; ++k) {
      const Eigen::Index below = a.rows - k - 1, right = a.columns - k - 1;
      detail::vector_map<Real> tail(a.run(k) + k + 1, below);
      const Real factor = make_vector(a(k, k), tail);
      const matrix_ref<Real> others = a.block(k + 1, k + 1, below, right);
      for (Eigen::Index j = 0; j < right; ++j) {
        detail::vector_map<Real> column(others.run(j), below);
        const Real scale = factor * (a(k, k + 1 + j) + tail.dot(column));
        a(k, k + 1 + j) -= scale;
        column -= scale * tail;
      }
      std::copy_n(a.run(k) + k + 1, below, v.run(k) + k + 1);
      start_vector(v, k);
      // Column k of T: -τ·T·(V'·v).
      for (Eigen::Index i = 0; i < k; ++i)
        sums[i] = v(k, i) + tail.dot(detail::const_vector_map<Real>(v.run(i) + k + 1, below));
      for (Eigen::Index i = 0; i < k; ++i) {
        Real sum = 0;
        for (Eigen::Index j = i; j < k; ++j) sum += t(i, j) * sums[j];
        t(i, k) = -factor * sum;
      }
      t(k, k) = factor;
      std::fill_n(t.run(k) + k + 1, t.rows - k - 1, Real(0));
    }
  }
  // Replaces a column below its first element by the vector of its reflection, and the first
  // element by that of R. Returns τ.
  static Real make_vector(Real& first, detail::vector_map<Real>& tail) {
    // Reflections are those of real numbers, which complex ones may hold.
    using real = magnitude_of<Real>;
    const real square = tail.squaredNorm(), leading = real_part(first);
    if (square == 0 && (tail.array() == Real(0)).all()) return 0;
    real norm = std::sqrt(leading * leading + square);
    // Squares of extreme magnitudes overflow or underflow.
    constexpr real far = sizeof(real) == 8 ? real(1e140) : real(1e15);
    if (!(norm > 1 / far && norm < far)) norm = std::hypot(leading, tail.stableNorm());
    const Real made = std::copysign(norm, -leading), factor = (made - first) / made;
    tail /= first - made;
    first = made;
    return factor;
  }

  matrix_ref<Real> a_;
  Eigen::Index count_;
  Eigen::Index wide_;
  Real* triangles_;  // one per panel, side by side
  Real* vectors_;    // of one panel, with zeros and ones
  Real* work_;
  Real* rest_;
};

}  // namespace wf::compute
